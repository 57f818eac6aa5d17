// Finds barriers and group creations that some threads of the block do not reach.
#pragma once
#include <utility>
#include <vector>

#include <heddle_host/observer.hpp>

#include "checker/run_state.hpp"

namespace heddle_checker {

class barrier_check final : public heddle_host::observer {
 public:
  explicit barrier_check(run_state& run) : run_(run) {}

  // Threads arrived at one barrier from different instructions.
  void barrier_has_places(const std::vector<heddle_host::lane_place>& places) override {
    finding wrong{finding_kind::divergent_barrier, cudaSuccess, run_.kernel()};
    wrong.places = places;
    run_.collect(std::move(wrong));
  }

  // A thread has exited; the finding shows where.
  void meeting_lacks_thread(const std::vector<heddle_host::lane_place>& present,
                            heddle_host::lane_place absent, unsigned thread,
                            bool makes_group) override {
    finding wrong{
        makes_group ? finding_kind::divergent_collective : finding_kind::divergent_barrier,
        cudaSuccess, run_.kernel(),
        makes_group ? heddle_host::finding_cause::members_ended
                    : heddle_host::finding_cause::exited_threads};
    wrong.places = present;
    absent.code = running_block().exits[thread];
    if (absent.code != nullptr) wrong.places.push_back(absent);
    run_.collect(std::move(wrong));
  }

 private:
  using finding = heddle_host::finding;
  using finding_kind = heddle_host::finding_kind;

  run_state& run_;
};

}  // namespace heddle_checker
