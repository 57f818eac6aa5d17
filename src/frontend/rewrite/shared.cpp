// Rewrites `__shared__` variables: in functions, at namespace scope, and dynamically sized ones.
#include "frontend/rewrite/shared.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "frontend/rewrite/declaration.hpp"
#include "frontend/rewrite/shared_uses.hpp"

namespace heddle::frontend {
namespace {

class shared_rewriter {
 public:
  shared_rewriter(const structure& shape, edits& changes, bool says_where)
      : shape_(shape), changes_(changes), says_where_(says_where) {}

  void run() {
    std::size_t done_until = 0;
    for (const marker& word : shape_.shared_markers()) {
      if (word.at < done_until) continue;
      rewrite(word);
      if (current_) done_until = current_->end;
    }
    rewrite_shared_uses(shape_, changes_, locals_);
  }

 private:
  void rewrite(const marker& word) {
    current_ = read_declaration(shape_, word.head);
    const bool is_understood =
        current_ && std::find(current_->storage_words.begin(), current_->storage_words.end(),
                              word.at) != current_->storage_words.end();
    if (!is_understood) {
      current_.reset();
      changes_.add_diagnostic(
          word.at,
          "cannot parse this use of `__shared__`: it must be part of a variable declaration");
      return;
    }
    for (const declarator& one : current_->declarators)
      if (one.has_initializer) {
        changes_.add_diagnostic(
            one.name,
            "the shared variable `" + text(one.name) +
                "` cannot have an initialiser: shared memory is uninitialised when a block starts");
        return;
      }
    for (const std::size_t storage : current_->storage_words) changes_.erase(storage);
    const scope& around = shape_.scope_of(word.at);
    if (around.kind == scope_kind::type) {
      changes_.add_diagnostic(word.at, "a `__shared__` variable cannot be a member of a type");
    } else if (shape_.function_around(word.at) != nullptr) {
      current_->is_extern ? rewrite_dynamic_in_function() : rewrite_in_function(word);
    } else {
      current_->is_extern ? rewrite_dynamic_in_namespace(word)
      : says_where_       ? rewrite_in_checked_namespace(word)
                          : rewrite_in_namespace();
    }
  }

  std::string text(std::size_t index) const { return std::string(shape_.at(index).text); }

  // Numbering restarts in each function, so a function in a header gets the same types in every
  // file that includes it.
  std::string next_name(std::size_t at) {
    const scope* function = shape_.outermost_function_around(at);
    return "heddle_shared_" + std::to_string(numbers_[function]++);
  }

  // `float a[4], b;` → `struct S { float a[4], b; }; float (&a)[4] = shared_slot<S>().a; …` The
  // struct's name contains the variables' names, which is how the checker learns them.
  void rewrite_in_function(const marker& word) {
    std::string references;
    for (const slot& made : put_into_slots(word.at, ""))
      for (const declarator* one : made.variables) {
        if (!is_jumped_over())
          references += " [[maybe_unused]] " + reference_to(shape_, *current_, *one) +
                        " = ::heddle_host::shared_slot<" + made.name + ">()." + member_name(*one) +
                        ";";
        declare_local(one->name, made.name, member_name(*one));
      }
    changes_.insert_after(current_->end, references);
  }

  struct slot {
    std::string name;  // the struct's name
    std::vector<const declarator*> variables;
  };

  // Turns the declaration into a struct. For the checker, each variable gets its own struct, so
  // that there is a gap between them; not if their type is unnamed.
  std::vector<slot> put_into_slots(std::size_t at, const std::string& before) {
    const bool are_apart = says_where_ && !current_->has_unnamed_type;
    std::vector<slot> slots;
    for (const declarator& one : current_->declarators) {
      if (slots.empty() || are_apart) slots.push_back({next_name(at), {}});
      slots.back().name += '_' + text(one.name);
      slots.back().variables.push_back(&one);
    }
    const auto opening = [&](const slot& made) {
      std::string words = "struct " + made.name + " { ";
      if (says_where_)
        words += "static constexpr ::heddle_host::declaration_place heddle_declared() { return " +
                 place_text(shape_, made.variables.front()->name) + "; } ";
      return words;
    };
    const std::string first = before + opening(slots.front());
    if (current_->named_type_end)
      changes_.insert_after(*current_->named_type_end, "; " + first + current_->named_type);
    else
      changes_.insert_before(current_->start, first);
    for (std::size_t i = 1; i < slots.size(); ++i)
      changes_.replace(slots[i - 1].variables.back()->end,
                       "; }; " + opening(slots[i]) + specifiers_of(shape_, *current_) + " ");
    for (const declarator& one : current_->declarators)
      if (member_name(one) != text(one.name)) changes_.replace(one.name, member_name(one));
    changes_.insert_after(current_->end, " };");
    return slots;
  }

  // In a struct, `node node;` would change the meaning of `node`.
  std::string member_name(const declarator& one) const {
    const std::string name = text(one.name);
    for (std::size_t i = current_->start; i < current_->specifiers_end; ++i)
      if (shape_.is(i, name) && !shape_.is(i - 1, "::")) return "heddle_" + name;
    return name;
  }

  // A jump to a later `case` or label must not pass a reference that is being initialised.
  bool is_jumped_over() const {
    const scope& around = shape_.scope_of(current_->end);
    for (std::size_t i = current_->end; i < around.close; ++i) {
      if (shape_.is(i, "case") || (shape_.is(i, "default") && shape_.is(i + 1, ":"))) return true;
      if (shape_.is(i, "{")) i = shape_.after(i) - 1;
    }
    const scope* const function = shape_.outermost_function_around(current_->end);
    for (std::size_t i = function->open; i < function->close; ++i)
      if (shape_.is(i, "goto") && has_label(shape_.at(i + 1).text, around)) return true;
    return false;
  }

  // Whether the label is after the current declaration, in its scope.
  bool has_label(std::string_view name, const scope& around) const {
    for (std::size_t i = current_->end; i + 1 < around.close; ++i)
      if (shape_.is(i, name) && shape_.is(i + 1, ":") && !shape_.is(i - 1, "?")) return true;
    return false;
  }

  // `extern float s[];` → `typedef float S[]; S& s = dynamic_shared<S>();`
  void rewrite_dynamic_in_function() {
    // Dynamic shared memory is aligned for every type. An attribute would only be dropped, with a
    // warning, when its type becomes a template argument.
    erase_attributes();
    changes_.insert_before(current_->start, "typedef ");
    std::string references;
    for (const declarator& one : current_->declarators) {
      const std::string type = next_name(one.name);
      changes_.replace(one.name, type);
      if (!is_jumped_over())
        references += " [[maybe_unused]] " + type + "& " + text(one.name) +
                      " = ::heddle_host::dynamic_shared<" + type + ">();";
      declare_local(one.name, type, "");
    }
    changes_.insert_after(current_->end, references);
  }

  void rewrite_in_namespace() {
    changes_.insert_before(current_->type, "static thread_local ");
    std::string registrations;
    for (const declarator& one : current_->declarators)
      registrations += " static const ::heddle_host::block_variable " + next_name(one.name) +
                       "(+[]() -> void* { return const_cast<void*>(static_cast<const volatile "
                       "void*>(&" +
                       text(one.name) + ")); }, sizeof(" + text(one.name) + "));";
    changes_.insert_after(current_->end, registrations);
  }

  // `float a[4];` → `struct S { float a[4]; }; struct H { decltype(S::a)& a; }; H h{…}; auto& [a] =
  // h;` The name refers to what `h` holds, which is set when a block starts.
  void rewrite_in_checked_namespace(const marker& word) {
    std::string homes;
    for (const slot& made : put_into_slots(word.at, "namespace { "))
      for (const declarator* one : made.variables) {
        const std::string name = text(one->name), member = member_name(*one);
        const std::string home = next_name(word.at) + "_home";
        homes += " struct " + home + " { decltype(" + made.name + "::" + member + ")& " + name +
                 "; }; " + home + " " + home + "_here{::heddle_host::slot_outside_blocks<" +
                 made.name + ">()." + member +
                 "}; [[maybe_unused]] const ::heddle_host::block_home " + home + "_known(" + home +
                 "_here, &" + made.name + "::" + member + "); [[maybe_unused]] auto& [" + name +
                 "] = " + home + "_here;";
      }
    changes_.insert_after(current_->end, homes + " }");
  }

  // `extern float s[][4];` → `static thread_local float (*s)[4];`, set when a block starts.
  void rewrite_dynamic_in_namespace(const marker& word) {
    erase_attributes();
    std::string registrations;
    bool is_first_time = true;
    for (const declarator& one : current_->declarators) {
      if (!dynamic_names_.insert(namespace_of(word.at) + text(one.name)).second)
        is_first_time = false;
      changes_.replace(one.name, "(*" + text(one.name) + ")");
      if (shape_.is(one.name + 1, "[")) changes_.erase(one.name + 1, shape_.after(one.name + 1));
      registrations += " static const ::heddle_host::dynamic_shared_pointer " +
                       next_name(one.name) + "(+[](void* base) { " + text(one.name) +
                       " = static_cast<decltype(" + text(one.name) + ")>(base); });";
    }
    if (is_first_time) {
      changes_.insert_before(current_->type, "static thread_local ");
      changes_.insert_after(current_->end, registrations);
    } else {
      // A repeated declaration, as in a header: one variable is enough.
      for (const declarator& one : current_->declarators) changes_.withdraw(one.name);
      changes_.erase(current_->start, current_->end + 1);
    }
  }

  void erase_attributes() {
    for (const auto& [from, to] : current_->attributes) changes_.erase(from, to);
  }

  std::string namespace_of(std::size_t at) const {
    std::string path;
    for (std::uint32_t i = shape_.scope_index(at); i != nowhere; i = shape_.scopes()[i].parent)
      if (shape_.scopes()[i].kind == scope_kind::name_space)
        path = changes_.text_of(shape_.scopes()[i].head, shape_.scopes()[i].open) + "::" + path;
    return path;
  }

  void declare_local(std::size_t name, const std::string& type, const std::string& member) {
    locals_.push_back({name, current_->end, type, member, !is_jumped_over()});
  }

  const structure& shape_;
  edits& changes_;
  bool says_where_;
  std::optional<declaration> current_;
  std::map<const scope*, int> numbers_;
  std::set<std::string> dynamic_names_;
  std::vector<shared_local> locals_;
};

}  // namespace

void rewrite_shared_variables(const structure& shape, edits& changes, bool says_where) {
  shared_rewriter(shape, changes, says_where).run();
}

}  // namespace heddle::frontend
