// Data that is published through volatile or atomic accesses without a fence.
#include <utility>

#include <heddle_host/fault.hpp>

#include "checker/checker.hpp"

namespace heddle_checker {

using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;

// The load may return what its location held before the newest store. That is a defect if the grid
// then leaves another result; a lane that polls only looks once more.
void checker::lane_loads_unfenced(const access& what) {
  const auto& store = races_.unfenced();
  if (!store || store->by.is_host || explorer_ != nullptr || is_weak_) return;
  // In global memory lanes of a warp may also look at what they do not rely on, as in a lock-free
  // list that is validated by a compare-and-swap.
  const auto& mine = *static_cast<block_record*>(heddle_host::lane_now.observed);
  const bool is_in_step = store->is_same_warp && mine.has_shared(what.address);
  if (!store->is_published && !is_in_step) return;
  const std::optional<std::uint64_t> older = replaced_.find(what.address, what.bytes);
  if (!older || *older == load_word(what.address, what.bytes)) return;
  if (!probe_.is_open(what.code)) return probe_.count(what.code);
  heddle_host::lane_place reader = heddle_host::place_of_running_lane(what.code, true);
  reader.doing = heddle_host::activity::reading;
  reader.kernel = grid_->kernel->signature;
  finding wrong{finding_kind::race,
                cudaSuccess,
                grid_->kernel->signature,
                is_in_step ? finding_cause::warp_synchronous : finding_cause::unfenced,
                {reader, place_of(store->by)}};
  describe(what, wrong);
  probe_.ask_for_result(what.code, *older, std::move(wrong));
  looks_closely_ = true;
  if (probe_.is_rerun()) {
    lend(what.address, what.bytes, probe_.value_at(what.code, load_word(what.address, what.bytes)));
  }
}

}  // namespace heddle_checker
