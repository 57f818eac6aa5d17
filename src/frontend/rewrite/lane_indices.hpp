// Marks variables that grow by one from lane to lane, for `heddle_lane.index` (lane_row.hpp).
#pragma once
#include <set>
#include <string>
#include <string_view>

#include "frontend/rewrite/code_reader.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// The index variables of one loop over lanes.
class lane_indices {
 public:
  lane_indices(const structure& shape, const code_reader& reader)
      : shape_(shape), reader_(reader) {}

  // For `type name = value`: what to write before the value if it grows by one, followed by `)`
  // after it; otherwise nothing.
  std::string mark(const token_range& type, std::size_t name, const token_range& value);
  // A variable that the code declares before or between its tests.
  void declare(std::size_t name, const token_range& value);
  // A test that must hold (`enters`) or must not hold (`leaves`) for lanes to run together.
  void add_test(const token_range& condition, bool leaves);
  // Whether all lanes of a row pass the tests if the first and the last do.
  bool do_ends_suffice() const { return do_ends_suffice_; }

  // The same as mark() for a constant whose value is in memory, so that only the runtime can tell.
  std::string mark_stored(const token_range& type, std::size_t name);

 private:
  std::string next(const std::string& type);
  bool grows_by_one(token_range value) const;
  bool is_thread(std::size_t i) const { return after_thread(i) != i; }
  std::size_t after_thread(std::size_t i) const;
  bool is_indexed(std::size_t i) const;
  bool is_sum(std::size_t i) const;
  bool is_alike_in_row(const token_range& range, std::size_t except = nowhere) const;
  bool is_monotonic(token_range test) const;

  const structure& shape_;
  const code_reader& reader_;
  int count_ = 0;
  std::set<std::string_view> indexed_;
  std::set<std::string_view> alike_;  // variables with the same value in all lanes of a row
  bool do_ends_suffice_ = true;
};

}  // namespace heddle::frontend
