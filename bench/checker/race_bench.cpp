// What the race detector costs per access, in nanoseconds of processor time.
#include <time.h>

#include <cstdint>
#include <cstdio>

#include "checker/race/race_detector.hpp"

namespace {

using namespace heddle_checker;

constexpr std::uintptr_t base = std::uintptr_t{1} << 40;
constexpr std::size_t arena_bytes = std::size_t{1} << 32;
constexpr unsigned threads = 256;

const void* code(unsigned line) { return reinterpret_cast<const void*>(0x400000 + 4ul * line); }

double processor_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

template <typename Body>
void measure(const char* what, double accesses, Body body) {
  const double begin = processor_nanoseconds();
  body();
  std::printf("%-58s %7.2f ns\n", what, (processor_nanoseconds() - begin) / accesses);
}

struct machine {
  race_detector detector{base, arena_bytes, {}};
  agent grid = detector.begin_grid({});
  block_clock* block = detector.begin_block(grid, 0, threads);

  // The grid ends, and a new grid begins that happens after it.
  void next_grid() {
    detector.end_grid(grid);
    grid = detector.begin_grid({&grid, 1});
    block = detector.begin_block(grid, 0, threads);
  }
};

void same_lane_again() {
  machine one;
  constexpr unsigned times = 1 << 24;
  measure("one lane reads one word again", times, [&] {
    for (unsigned i = 0; i < times; ++i) {
      one.detector.access(*one.block, 5, base + 64, 4, direction::read, code(1));
    }
  });
  measure("one lane writes one word again", times, [&] {
    for (unsigned i = 0; i < times; ++i) {
      one.detector.access(*one.block, 5, base + 128, 4, direction::write, code(2));
    }
  });
  measure("one lane reads and writes 4 KiB", times, [&] {
    for (unsigned i = 0; i < times; i += 2) {
      const std::uintptr_t address = base + 4096 + i * 2 % 4096;
      one.detector.access(*one.block, 5, address, 4, direction::read, code(1));
      one.detector.access(*one.block, 5, address, 4, direction::write, code(2));
    }
  });
}

void stream_of(direction does, const char* first, const char* again, const char* later) {
  machine one;
  constexpr std::size_t words = std::size_t{64} << 20;
  const auto pass = [&] {
    for (std::size_t i = 0; i < words; ++i) {
      one.detector.access(*one.block, i % threads, base + 4 * i, 4, does, code(3));
    }
  };
  measure(first, words, pass);
  measure(again, words, pass);
  one.next_grid();
  measure(later, words, pass);
}

// Each lane runs for a while, as it does if no meeting stops it.
void lane_by_lane() {
  machine one;
  constexpr std::size_t words = std::size_t{64} << 20;
  constexpr std::size_t turns = 64;
  measure("grid-stride reads of 256 MiB, lane after lane", words, [&] {
    for (std::size_t from = 0; from < words; from += threads * turns) {
      for (unsigned thread = 0; thread < threads; ++thread) {
        for (std::size_t turn = 0; turn < turns; ++turn) {
          const std::size_t i = from + turn * threads + thread;
          one.detector.access(*one.block, thread, base + 4 * i, 4, direction::read, code(3));
        }
      }
    }
  });
}

void ping_pong() {
  machine one;
  constexpr unsigned rounds = 20000;
  measure("shared memory to and fro, two block barriers a round", 2.0 * rounds * threads, [&] {
    for (unsigned round = 0; round < rounds; ++round) {
      for (unsigned t = 0; t < threads; ++t) {
        one.detector.access(*one.block, t, base + 4 * t, 4, direction::write, code(4));
      }
      one.detector.block_barrier(*one.block);
      for (unsigned t = 0; t < threads; ++t) {
        one.detector.access(*one.block, t, base + 4 * (t ^ 1), 4, direction::read, code(5));
      }
      one.detector.block_barrier(*one.block);
    }
  });
  measure("the same within warps, two warp syncs a round", 2.0 * rounds * threads, [&] {
    for (unsigned round = 0; round < rounds; ++round) {
      for (unsigned t = 0; t < threads; ++t) {
        one.detector.access(*one.block, t, base + 4 * t, 4, direction::write, code(4));
      }
      for (unsigned warp = 0; warp < threads / 32; ++warp) {
        one.detector.warp_sync(*one.block, warp, ~0u);
      }
      for (unsigned t = 0; t < threads; ++t) {
        one.detector.access(*one.block, t, base + 4 * (t ^ 1), 4, direction::read, code(5));
      }
      for (unsigned warp = 0; warp < threads / 32; ++warp) {
        one.detector.warp_sync(*one.block, warp, ~0u);
      }
    }
  });
  measure("the same within halves of warps, tile syncs", 2.0 * rounds / 10 * threads, [&] {
    for (unsigned round = 0; round < rounds / 10; ++round) {
      for (const auto does : {direction::write, direction::read}) {
        for (unsigned t = 0; t < threads; ++t) {
          const unsigned at = does == direction::write ? t : t ^ 1;
          one.detector.access(*one.block, t, base + 4 * at, 4, does, code(4));
        }
        for (unsigned warp = 0; warp < threads / 32; ++warp) {
          one.detector.warp_sync(*one.block, warp, 0xffffu);
          one.detector.warp_sync(*one.block, warp, 0xffff0000u);
        }
      }
    }
  });
}

void broadcast() {
  machine one;
  constexpr unsigned rounds = 2000, words = 64;
  measure("each lane of a block reads the same 64 words", double{rounds} * words * threads, [&] {
    for (unsigned round = 0; round < rounds; ++round) {
      for (unsigned t = 0; t < threads; ++t) {
        for (unsigned i = 0; i < words; ++i) {
          one.detector.access(*one.block, t, base + 4 * i, 4, direction::read, code(6));
        }
      }
      one.detector.block_barrier(*one.block);
    }
  });
  measure("the same by fresh blocks", double{rounds} * words * threads, [&] {
    for (unsigned round = 0; round < rounds; ++round) {
      block_clock* const fresh = one.detector.begin_block(one.grid, round, threads);
      for (unsigned t = 0; t < threads; ++t) {
        for (unsigned i = 0; i < words; ++i) {
          one.detector.access(*fresh, t, base + 4 * i, 4, direction::read, code(6));
        }
      }
      one.detector.end_block(fresh);
    }
  });
  measure("neighbours of 3 lanes (a stencil over 64 MiB)", 48 << 20, [&] {
    for (unsigned i = 1; i < 16 << 20; ++i) {
      for (unsigned j = 0; j < 3; ++j) {
        one.detector.access(*one.block, i % threads, base + (1 << 26) + 4 * (i + j), 4,
                            direction::read, code(7 + j));
      }
    }
  });
}

void other_sizes() {
  machine one;
  constexpr unsigned words = 4 << 20;
  for (const unsigned bytes : {16u, 8u, 2u, 1u}) {
    char what[80];
    std::snprintf(what, sizeof what, "writes and reads of %u bytes over 4 Mi of them", bytes);
    measure(what, 2.0 * words, [&] {
      for (const auto does : {direction::write, direction::read}) {
        for (unsigned i = 0; i < words; ++i) {
          one.detector.access(*one.block, i % threads, base + (1 << 28) * bytes + bytes * i, bytes,
                              does, code(11));
        }
        one.detector.block_barrier(*one.block);
      }
    });
  }
}

void atomics() {
  machine one;
  constexpr unsigned times = 1 << 22;
  const auto add = [&](unsigned i, unsigned bins, scope reach, order ordering) {
    one.detector.strong_access(*one.block, i % threads, base + 4 * (i * 7919 % bins), 4,
                               direction::update, strength::atomic, reach, ordering, code(12));
  };
  for (unsigned i = 0; i < 256; ++i) {
    one.detector.access(*one.block, i, base + 4 * i, 4, direction::write, code(13));
  }
  one.detector.block_barrier(*one.block);
  measure("relaxed atomic updates of 256 bins that were set before", times, [&] {
    for (unsigned i = 0; i < times; ++i) add(i, 256, scope::device, order::relaxed);
  });
  one.detector.forget(base, 1024);
  measure("relaxed atomic updates of 256 fresh bins", times, [&] {
    for (unsigned i = 0; i < times; ++i) add(i, 256, scope::device, order::relaxed);
  });
  measure("acquire-release updates of one word", times / 16, [&] {
    for (unsigned i = 0; i < times / 16; ++i) add(i, 1, scope::device, order::acq_rel);
  });
  measure("sequentially consistent updates of one word, 32768 blocks", 32768, [&] {
    for (unsigned i = 0; i < 32768; ++i) {
      block_clock* const fresh = one.detector.begin_block(one.grid, i, 32);
      one.detector.strong_access(*fresh, 0, base, 4, direction::update, strength::atomic,
                                 scope::device, order::seq_cst, code(14));
      one.detector.end_block(fresh);
    }
  });
}

}  // namespace

int main() {
  same_lane_again();
  stream_of(direction::read, "reads over 256 MiB, warp by warp: first touch", "the same again",
            "the same in the next grid");
  stream_of(direction::write, "writes over 256 MiB, warp by warp: first touch", "the same again",
            "the same in the next grid");
  lane_by_lane();
  ping_pong();
  broadcast();
  other_sizes();
  atomics();
}
