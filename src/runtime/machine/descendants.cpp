// Runs a grid and then everything that it and its descendants launch.
#include "machine/descendants.hpp"

#include <utility>
#include <vector>

#include <heddle_host/observer.hpp>

#include "machine/child_work.hpp"

namespace heddle_host {
namespace {

// A grid, and the work that remains until it is complete.
struct family {
  std::uint64_t number = 0;     // of the grid, if a lane launched it; otherwise 0
  std::vector<child> children;  // of the last grid that ran here
  std::size_t next = 0;
  std::vector<std::uint64_t> numbers;  // of these children
  std::vector<child> tails;
};

class family_tree {
 public:
  cudaError_t run(const launch_request& first) {
    families_.emplace_back();
    cudaError_t error = run_grid_of_last(first);
    while (error == cudaSuccess && !families_.empty()) error = step();
    drop_the_rest();
    return error;
  }

 private:
  // A tail launch continues the same family, so a kernel can tail-launch itself forever.
  cudaError_t step() {
    family& last = families_.back();
    if (last.next < last.children.size()) return run_child(std::move(last.children[last.next++]));
    finish_children(last);
    if (!last.tails.empty()) {
      const child tail = std::move(last.tails.front());
      last.tails.erase(last.tails.begin());
      child_is_no_longer_pending();
      return tail.grid ? run_grid_of_last(*tail.grid) : tail.work();
    }
    if (observer* const watching = current_observer(); watching != nullptr && last.number != 0) {
      watching->child_ends(last.number);
    }
    families_.pop_back();
    return cudaSuccess;
  }

  cudaError_t run_child(child what) {
    child_is_no_longer_pending();
    observer* const watching = current_observer();
    if (watching != nullptr) {
      watching->child_begins(what.number, what.after.data(), what.after.size());
    }
    families_.emplace_back();
    families_.back().number = what.number;
    return what.grid ? run_grid_of_last(*what.grid) : what.work();
  }

  cudaError_t run_grid_of_last(const launch_request& request) {
    child_work launched(static_cast<unsigned>(families_.size()) - 1);
    const cudaError_t error = run_grid(request, launched);
    family& last = families_.back();
    last.children = launched.take_children();
    last.next = 0;
    for (const child& each : last.children) last.numbers.push_back(each.number);
    std::vector<child> tails = launched.take_tails();
    last.tails.insert(last.tails.begin(), std::make_move_iterator(tails.begin()),
                      std::make_move_iterator(tails.end()));
    return error;
  }

  static void finish_children(family& of) {
    if (of.numbers.empty()) return;
    if (observer* const watching = current_observer()) {
      watching->children_are_done(of.numbers.data(), of.numbers.size());
    }
    of.numbers.clear();
    of.children.clear();
    of.next = 0;
  }

  // After an error, drops all remaining work, as a GPU's context does.
  void drop_the_rest() {
    for (const family& each : families_) {
      const std::size_t left = each.children.size() - each.next + each.tails.size();
      for (std::size_t i = 0; i < left; ++i) child_is_no_longer_pending();
    }
  }

  std::vector<family> families_;  // the grid that the host launched comes first
};

}  // namespace

cudaError_t execute(const launch_request& request) { return family_tree().run(request); }

}  // namespace heddle_host
