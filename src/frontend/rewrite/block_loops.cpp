// Writes the loops. What a part needs from elsewhere comes first in its lambda: references to kept
// values, and the declarations of repeated variables.
#include "frontend/rewrite/block_loops.hpp"

#include <map>
#include <string>

#include "frontend/rewrite/block_parts.hpp"
#include "frontend/rewrite/lane_indices.hpp"
#include "frontend/rewrite/lane_tests.hpp"

namespace heddle::frontend {
namespace {

class loop_writer {
 public:
  loop_writer(const structure& shape, const code_reader& reader, const block_parts& parts,
              edits& changes)
      : shape_(shape), reader_(reader), parts_(parts), changes_(changes) {}

  void run(const scope& kernel) {
    for (const token_range& one : parts_.removed()) changes_.erase(one.from, one.to);
    write_first_statements(kernel);
    write_returns();
    for (const std::size_t barrier : parts_.barriers()) {
      changes_.replace(barrier, "heddle_block.syncthreads()");
      for (std::size_t i = barrier + 1; !shape_.is(i, ";"); ++i) changes_.erase(i);
    }
    const std::vector<block_part>& list = parts_.list();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool begins_stride = i + 1 < list.size() && is_for_stride(list[i + 1]);
      if (is_for_stride(list[i]))
        write_for_stride(list[i - 1], list[i]);
      else if (list[i].strides != nullptr)
        write_while_stride(list[i]);
      else if (!begins_stride)
        write(list[i]);
    }
    for (const std::size_t call : reader_.shared_atomics())
      if (const std::string update = plain_update(call); !update.empty()) {
        changes_.insert_before(call, "heddle_block." + update);
        changes_.erase(call);
      }
    for (const std::size_t use : reader_.built_ins()) {
      const bool is_in_kernel = kernel.open < use && use < kernel.close;
      if (!is_in_kernel || changes_.is_erased(use)) continue;
      const bool is_in_part = parts_.part_around(use) != nullptr;
      changes_.insert_before(use, is_in_part ? "heddle_lane." : "heddle_block.");
    }
    for (const std::size_t use : reader_.group_uses())
      if (!changes_.is_erased(use))
        changes_.replace(use, parts_.part_around(use) != nullptr ? "heddle_lane" : "heddle_block");
  }

 private:
  std::string text(std::size_t at) const { return std::string(shape_.at(at).text); }
  std::string values_of(std::size_t name) const { return "heddle_values_" + text(name); }

  static bool is_for_stride(const block_part& part) {
    return part.strides != nullptr && part.strides->kind == statement_kind::for_loop;
  }

  // What `block_of_lanes` calls an atomic operation on shared memory; empty if it has none.
  std::string plain_update(std::size_t call) const {
    static const std::map<std::string_view, const char*> names{
        {"atomicAdd", "add"},     {"atomicSub", "subtract"}, {"atomicMin", "minimum"},
        {"atomicMax", "maximum"}, {"atomicAnd", "bit_and"},  {"atomicOr", "bit_or"},
        {"atomicXor", "bit_xor"}};
    const auto found = names.find(shape_.at(call).text);
    return found == names.end() ? "" : found->second;
  }

  static std::string opening(const std::string& mode) {
    return "heddle_block.run<::heddle_host::row_mode::" + mode +
           ">([&] [[gnu::always_inline]] ([[maybe_unused]] ::heddle_host::lane_in_row "
           "heddle_lane) { ";
  }

  // Lanes that have returned do nothing.
  std::string opening(const std::string& mode, const block_part& part) const {
    const char* const test = "if (heddle_lane.leaves(heddle_left[heddle_lane])) return; ";
    return opening(mode) + (parts_.may_have_left(part) ? test : "");
  }

  // `return;` becomes `{ heddle_left.add(heddle_lane); return; }` if other parts follow.
  void write_returns() {
    for (const block_part& part : parts_.list())
      for (std::size_t i = part.from; part.leaves && i < part.to; ++i)
        if (shape_.is(i, "return")) {
          changes_.insert_before(i, "{ heddle_left.add(heddle_lane); ");
          changes_.insert_after(i + 1, " }");
        }
  }

  void write(const block_part& part) {
    lane_indices indices(shape_, reader_);
    changes_.insert_before(part.from,
                           declare_values(part.from, part.to) +
                               opening(part.is_predictable ? "test_each" : "in_order", part) +
                               needs(part.from, part.to, indices, part.is_predictable));
    for (auto one = parts_.variables().lower_bound(part.from);
         one != parts_.variables().end() && one->first < part.to; ++one)
      if (one->second.is_kept && one->second.all.declarators.front().name == one->first)
        write_kept_declaration(one->second.all);
    if (part.is_predictable)
      mark_lane_tests(shape_, reader_, {part.from, part.to}, indices, changes_);
    changes_.insert_after(part.to - 1,
                          part.leaves ? " }); if (heddle_left.are_all()) return;" : " });");
  }

  // `for (int i = a; i < n; i += s) f(i);` becomes, with i kept for each lane,
  //
  //   { run i = a; while (run { const int i = kept; if (i < n) { kept = i + s; f(i); } }) {} }
  void write_for_stride(const block_part& start, const block_part& body) {
    const statement& loop = *body.strides;
    const token_range type{loop.first.from, body.index};
    const std::string values = values_of(body.index);
    lane_indices none(shape_, reader_);
    changes_.erase(loop.from, start.from);
    changes_.insert_before(loop.from, "{ ::heddle_host::lane_values<" + type_of(type) + "> " +
                                          values + "(heddle_block); " + opening("in_order", start) +
                                          needs(start.from, start.to, none, false) + values +
                                          "[heddle_lane] = ");
    changes_.replace(start.to, "; }); " + head_of_stride(body, type));
    changes_.replace(loop.condition.to, ")) { ");
    changes_.insert_before(body.step.from, "heddle_next = " + text(body.index) + " + (");
    changes_.erase(body.step.from, body.step.from + 2);
    changes_.replace(body.step.to, "); ");
    changes_.insert_after(loop.to - 1, " } })) {} }");
  }

  // `while (i < n) { f(i); i += s; }` becomes
  //
  //   while (run { const int i = kept; if (i < n) { f(i); kept = i + s; } }) {}
  void write_while_stride(const block_part& body) {
    const statement& loop = *body.strides;
    const lane_variable& index = parts_.variables().at(body.index);
    changes_.erase(loop.from, body.from);
    changes_.insert_before(loop.from, head_of_stride(body, first_type(index)));
    changes_.insert_after(loop.condition.to, ")");
    changes_.insert_before(body.step.from, "heddle_next = " + text(body.index) + " + (");
    changes_.erase(body.step.from, body.step.from + 2);
    changes_.insert_before(body.step.to, ")");
    changes_.insert_after(loop.to - 1, " })) {}");
  }

  // `lane_values<float*> values_p(block); run values_p[lane] = p;`, as the first statements, and
  // which lanes have returned.
  void write_first_statements(const scope& kernel) {
    std::string made, copies;
    for (const auto& [name, variable] : parts_.variables()) {
      if (!variable.is_parameter) continue;
      made += "::heddle_host::lane_values<::std::remove_const_t<decltype(" + text(name) + ")>> " +
              values_of(name) + "(heddle_block); ";
      copies += values_of(name) + "[heddle_lane] = " + text(name) + "; ";
    }
    if (!made.empty()) made += opening("in_order") + copies + "}); ";
    if (parts_.lanes_leave()) made += "::heddle_host::left_lanes heddle_left(heddle_block); ";
    if (!made.empty()) changes_.insert_before(kernel.open + 1, made);
  }

  // Up to the condition.
  std::string head_of_stride(const block_part& body, const token_range& type) const {
    lane_indices indices(shape_, reader_);
    // The mark for the index comes first: other variables may be computed from it.
    const std::string mark = indices.mark_stored(type, body.index);
    return "while (" + opening(body.is_predictable ? "test_each" : "test_in_order", body) +
           "auto& heddle_next = " + values_of(body.index) + "[heddle_lane]; const " +
           type_of(type) + " " + text(body.index) + " = " + mark + "heddle_next" +
           (mark.empty() ? "; " : "); ") + needs(body.from, body.to, indices, true, body.index) +
           "if (heddle_lane.enters(";
  }

  // Without `const`.
  std::string type_of(const token_range& range) const {
    std::string words;
    for (std::size_t i = range.from; i < range.to; ++i)
      if (!shape_.is(i, "const")) words += (words.empty() ? "" : " ") + text(i);
    return words;
  }

  std::string specifiers_of(const declaration& all) const {
    return changes_.text_of(all.start, all.specifiers_end);
  }

  // `::heddle_host::lane_values<float> heddle_values_sum(heddle_block);`
  std::string declare_values(std::size_t from, std::size_t to) const {
    std::string made;
    for (auto one = parts_.variables().lower_bound(from);
         one != parts_.variables().end() && one->first < to; ++one) {
      if (!one->second.is_kept) continue;
      const declarator& variable = one->second.one;
      const std::size_t end = variable.has_initializer ? variable.shape_end : variable.end;
      made += "::heddle_host::lane_values<::std::remove_const_t<" + specifiers_of(one->second.all) +
              " " + changes_.text_of(variable.start, variable.name) +
              changes_.text_of(variable.name + 1, end) + ">> " + values_of(variable.name) +
              "(heddle_block); ";
    }
    return made;
  }

  std::string reference_to_kept(std::size_t name) const {
    return "auto& " + text(name) + " = " + values_of(name) + "[heddle_lane]; ";
  }

  // `float a = 1, *p;` becomes `auto& a = …; a = 1; auto& p = …;`
  void write_kept_declaration(const declaration& all) {
    changes_.erase(all.start, all.specifiers_end);
    for (const declarator& one : all.declarators) {
      changes_.erase(one.start, one.name);
      if (!shape_.is(one.end, ";")) changes_.replace(one.end, ";");
      const bool is_array = shape_.is(one.name + 1, "[");
      if (is_array && one.has_initializer) {
        const std::string filled = "heddle_filled_" + text(one.name);
        changes_.replace(one.name, specifiers_of(all) + " " + filled);
        changes_.insert_after(one.end, " " + values_of(one.name) + ".copy(heddle_lane, " + filled +
                                           "); " + reference_to_kept(one.name));
      } else {
        changes_.erase(one.name + 1, one.has_initializer ? one.shape_end : one.end);
        changes_.replace(one.name,
                         reference_to_kept(one.name) + (one.has_initializer ? text(one.name) : ""));
      }
    }
  }

  // What a part needs that other parts declare, except one variable.
  std::string needs(std::size_t from, std::size_t to, lane_indices& indices, bool marks_indices,
                    std::size_t except = nowhere) const {
    std::string made;
    for (const std::size_t name : parts_.needs(from, to)) {
      if (name == except) continue;
      const lane_variable& variable = parts_.variables().at(name);
      if (variable.is_kept) {
        made += "[[maybe_unused]] " + reference_to_kept(name);
        continue;
      }
      const token_range value{name + 2, variable.one.end};
      const std::string mark = marks_indices ? indices.mark(first_type(variable), name, value) : "";
      made += "[[maybe_unused]] " + specifiers_of(variable.all) + " " +
              changes_.text_of(variable.one.start, name) + " " + text(name) + " = " + mark +
              text_for_lane(value) + (mark.empty() ? "; " : "); ");
    }
    return made;
  }

  // The type of a variable that is no pointer; otherwise an empty range.
  static token_range first_type(const lane_variable& variable) {
    if (variable.one.start != variable.one.name) return {variable.all.start, variable.all.start};
    return {variable.all.start, variable.all.specifiers_end};
  }

  std::string text_for_lane(const token_range& range) const {
    std::string made;
    for (std::size_t i = range.from; i < range.to; ++i) {
      if (i > range.from && !shape_.at(i).prefix.empty()) made += ' ';
      if (reader_.built_ins().count(i) != 0) made += "heddle_lane.";
      made += reader_.group_uses().count(i) != 0 ? "heddle_lane" : shape_.at(i).text;
    }
    return made;
  }

  const structure& shape_;
  const code_reader& reader_;
  const block_parts& parts_;
  edits& changes_;
};

}  // namespace

bool rewrite_block_loops(const structure& shape, const code_reader& reader, const scope& kernel,
                         std::set<std::size_t>& strides, edits& changes) {
  const statement body = read_statements(shape, kernel);
  const block_parts parts(shape, reader, strides, body);
  if (!parts.are_possible()) return false;
  loop_writer(shape, reader, parts, changes).run(kernel);
  for (const std::size_t one : parts.strides()) strides.erase(one);
  return true;
}

}  // namespace heddle::frontend
