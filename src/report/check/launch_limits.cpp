// The limits of a launch, in words.
#include "report/check/launch_limits.hpp"

#include <fmt/format.h>

#include <array>

namespace heddle_report {
namespace {

using heddle_host::launch_limit;

struct limit_words {
  launch_limit which;
  const char* name;
  const char* why;  // {0} was asked for, {1} is allowed
  const char* fix;
};

constexpr const char* smaller_blocks = "use smaller blocks, and more of them";
constexpr const char* other_dimension =
    "use another dimension as well, or let each thread loop over several elements";

constexpr std::array limits{
    limit_words{launch_limit::empty, "empty", "the grid or the block has no threads",
                "if there is nothing to do, do not launch; round the number of blocks up, not "
                "down"},
    limit_words{launch_limit::block_threads, "block-threads",
                "the block has {0} threads; a device allows {1}", smaller_blocks},
    limit_words{launch_limit::block_depth, "block-depth",
                "the block has {0} threads in z; a device allows {1}", smaller_blocks},
    limit_words{launch_limit::grid_width, "grid-width",
                "the grid has {0} blocks in x; a device allows {1}", other_dimension},
    limit_words{launch_limit::grid_height, "grid-height",
                "the grid has {0} blocks in y; a device allows {1}", other_dimension},
    limit_words{launch_limit::grid_depth, "grid-depth",
                "the grid has {0} blocks in z; a device allows {1}", other_dimension},
    limit_words{launch_limit::launch_bounds, "launch-bounds",
                "the block has {0} threads; the kernel's __launch_bounds__ allows {1}",
                "use smaller blocks, or give __launch_bounds__ the larger number"},
    limit_words{launch_limit::shared_memory, "shared-memory",
                "the launch asks for {0} bytes of dynamic shared memory; a device has {1} for this "
                "kernel",
                "use less shared memory in each block"},
    limit_words{launch_limit::chosen_shared_memory, "chosen-shared-memory",
                "the launch asks for {0} bytes of dynamic shared memory; the kernel is limited to "
                "{1}",
                "before the launch, call cudaFuncSetAttribute with the kernel, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize and {0}"},
    limit_words{launch_limit::resident_blocks, "resident-blocks",
                "the grid has {0} blocks, of which {1} can be resident; a cooperative launch needs "
                "all of them",
                "use as many blocks as cudaOccupancyMaxActiveBlocksPerMultiprocessor gives, times "
                "the number of multiprocessors"},
};

}  // namespace

const char* name_of(launch_limit which) {
  for (const limit_words& one : limits)
    if (one.which == which) return one.name;
  return "";
}

launch_limit launch_limit_named(std::string_view name) {
  for (const limit_words& one : limits)
    if (one.name == name) return one.which;
  return launch_limit::none;
}

refusal_words words_of(const heddle_host::exceeded_limit& limit) {
  for (const limit_words& one : limits) {
    if (one.which != limit.which) continue;
    return {fmt::format(fmt::runtime(one.why), limit.asked, limit.allowed),
            fmt::format(fmt::runtime(one.fix), limit.asked, limit.allowed)};
  }
  return {};
}

}  // namespace heddle_report
