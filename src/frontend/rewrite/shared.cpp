// Rewrites `__shared__` variables: in functions, at namespace scope, and dynamically sized ones.
#include "frontend/rewrite/shared.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "frontend/rewrite/declaration.hpp"

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
    add_captures();
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
        references += " [[maybe_unused]] " + reference_to(shape_, *current_, *one) +
                      " = ::heddle_host::shared_slot<" + made.name + ">()." + text(one->name) + ";";
        declare_local(one->name);
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
    changes_.insert_after(current_->end, " };");
    return slots;
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
      references += " [[maybe_unused]] " + type + "& " + text(one.name) +
                    " = ::heddle_host::dynamic_shared<" + type + ">();";
      declare_local(one.name);
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
        const std::string name = text(one->name);
        const std::string home = next_name(word.at) + "_home";
        homes += " struct " + home + " { decltype(" + made.name + "::" + name + ")& " + name +
                 "; }; " + home + " " + home + "_here{::heddle_host::slot_outside_blocks<" +
                 made.name + ">()." + name +
                 "}; [[maybe_unused]] const ::heddle_host::block_home " + home + "_known(" + home +
                 "_here, &" + made.name + "::" + name + "); [[maybe_unused]] auto& [" + name +
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

  void declare_local(std::size_t name) {
    locals_.push_back({name, current_->end, shape_.scope_of(name).close});
  }

  // CUDA needs no capture for a shared variable, but the reference that replaces it does. Lambdas
  // that do not capture everything by reference get it added.
  void add_captures() {
    if (locals_.empty()) return;
    for (const lambda_expression& lambda : shape_.lambdas()) {
      std::string wanted;
      for (const local& variable : locals_)
        if (lambda.introducer > variable.from && lambda.introducer < variable.to &&
            needs_capture(lambda, variable.name))
          wanted += ", &" + text(variable.name);
      if (wanted.empty()) continue;
      const bool is_empty = shape_.partner(lambda.introducer) == lambda.introducer + 1;
      changes_.insert_before(shape_.partner(lambda.introducer),
                             is_empty ? wanted.substr(2) : wanted);
    }
  }

  bool needs_capture(const lambda_expression& lambda, std::size_t name) const {
    const std::size_t close = shape_.partner(lambda.introducer);
    if (shape_.is(lambda.introducer + 1, "&") &&
        (lambda.introducer + 2 == close || shape_.is(lambda.introducer + 2, ",")))
      return false;
    for (std::size_t i = lambda.introducer + 1; i < close; ++i)
      if (shape_.is(i, shape_.at(name).text) && !shape_.is(i - 1, "=")) return false;
    for (std::size_t i = lambda.body + 1; i < shape_.partner(lambda.body); ++i)
      if (shape_.is(i, shape_.at(name).text) && shape_.is_name(i) && !shape_.is(i - 1, ".") &&
          !shape_.is(i - 1, "->") && !shape_.is(i - 1, "::"))
        return true;
    return false;
  }

  struct local {
    std::size_t name;
    std::size_t from;
    std::size_t to;
  };

  const structure& shape_;
  edits& changes_;
  bool says_where_;
  std::optional<declaration> current_;
  std::map<const scope*, int> numbers_;
  std::set<std::string> dynamic_names_;
  std::vector<local> locals_;
};

}  // namespace

void rewrite_shared_variables(const structure& shape, edits& changes, bool says_where) {
  shared_rewriter(shape, changes, says_where).run();
}

}  // namespace heddle::frontend
