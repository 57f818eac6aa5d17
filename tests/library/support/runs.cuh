// Every run of neighbouring lanes as one side of a warp, and all other lanes as the other side.
#pragma once
#include "support/sides.cuh"

namespace heddle_test {

inline std::vector<heddle::lane_mask> all_runs() {
  std::vector<heddle::lane_mask> runs;
  for (int size = 1; size <= 32; ++size) {
    for (int first = 0; first + size <= 32; ++first) {
      runs.push_back((0xffffffffu >> (32 - size)) << first);
    }
  }
  return runs;
}

// Like expect_on_both_sides, for groups given by a mask and for coalesced groups.
template <typename Verb, typename IsRight>
void expect_on_all_runs(const Verb& verb, const IsRight& is_right) {
  const auto masks = all_runs();
  const device_array<heddle::lane_mask> on_device(masks);
  for (const made_as kind : {made_as::lanes, made_as::coalesced_group}) {
    const work_on_both_sides<Verb> work{on_device.data(), kind, verb};
    const auto answers = answers_of(work, 32, static_cast<unsigned>(masks.size()));
    for (std::size_t block = 0; block < masks.size(); ++block) {
      const int first = static_cast<int>(32 * block);
      for (int lane = 0; lane < 32; ++lane) {
        const auto side = side_of(masks[block], lane);
        const int place =
            static_cast<int>(std::find(side.begin(), side.end(), lane) - side.begin());
        ASSERT_TRUE(is_right(answers[first + lane], first, place, side))
            << "lane " << lane << " of run " << std::hex << masks[block] << " as " << name_of(kind);
      }
    }
  }
}

}  // namespace heddle_test
