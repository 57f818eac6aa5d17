// SB: each lane stores, then loads what the other stores; may both loads return the old value?
#include "litmus.cuh"

struct store_buffering {
  static constexpr const char* name = "SB";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    Way::store(player == 0 ? &on.x : &on.y, 1);
    Way::fence();
    seen[0] = Way::load(player == 0 ? &on.y : &on.x);
  }
  static bool is_weak(const board& on) { return on.seen[0][0] == 0 && on.seen[1][0] == 0; }
};

// R: one of the two loads becomes a store.
struct store_then_load {
  static constexpr const char* name = "R";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::fence();
      Way::store(&on.y, 1);
    } else {
      Way::store(&on.y, 2);
      Way::fence();
      seen[0] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) { return on.y == 2 && on.seen[1][0] == 0; }
};

struct two_stores_each {
  static constexpr const char* name = "2+2W";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int*) {
    Way::store(player == 0 ? &on.x : &on.y, 1);
    Way::fence();
    Way::store(player == 0 ? &on.y : &on.x, 2);
  }
  static bool is_weak(const board& on) { return on.x == 1 && on.y == 1; }
};

int main() {
  judge_everywhere<store_buffering, by_volatile>(verdict::allowed);
  judge_everywhere<store_buffering, relaxed>(verdict::allowed);
  judge_everywhere<store_buffering, acquire_release>(verdict::allowed);
  judge_everywhere<store_buffering, with_fence>(verdict::allowed);
  judge_everywhere<store_buffering, by_ptx>(verdict::allowed);
  judge_everywhere<store_buffering, by_ptx_with_fence>(verdict::allowed);
  judge_everywhere<store_buffering, with_threadfence>(verdict::forbidden);
  judge_everywhere<store_buffering, with_sequential_fence>(verdict::forbidden);
  judge_everywhere<store_buffering, by_ptx_with_sequential_fence>(verdict::forbidden);
  judge_everywhere<store_buffering, sequential>(verdict::forbidden);
  judge<store_buffering, with_threadfence_block>(seats::blocks, verdict::allowed);
  judge<store_buffering, with_threadfence_block>(seats::warps, verdict::forbidden);

  judge_everywhere<store_then_load, relaxed>(verdict::allowed);
  judge_everywhere<store_then_load, by_volatile>(verdict::allowed);
  judge_everywhere<store_then_load, acquire_release>(verdict::allowed);
  judge_everywhere<store_then_load, with_fence>(verdict::allowed);
  judge_everywhere<store_then_load, with_threadfence>(verdict::forbidden);
  judge_everywhere<store_then_load, with_sequential_fence>(verdict::forbidden);
  judge_everywhere<store_then_load, sequential>(verdict::forbidden);

  judge_everywhere<two_stores_each, relaxed>(verdict::allowed);
  judge_everywhere<two_stores_each, acquire_release>(verdict::allowed);
  judge_everywhere<two_stores_each, with_fence>(verdict::allowed);
  judge_everywhere<two_stores_each, by_volatile>(verdict::allowed_but_not_shown);
  judge_everywhere<two_stores_each, with_threadfence>(verdict::forbidden);
  judge_everywhere<two_stores_each, with_sequential_fence>(verdict::forbidden);
  judge_everywhere<two_stores_each, sequential>(verdict::forbidden);
}
