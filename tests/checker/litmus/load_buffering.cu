// LB: each lane loads before it stores; may both loads return the other lane's later store?
#include "litmus.cuh"

struct load_buffering {
  static constexpr const char* name = "LB";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    seen[0] = Way::load(player == 0 ? &on.x : &on.y);
    Way::fence();
    Way::store(player == 0 ? &on.y : &on.x, 1);
  }
  static bool is_weak(const board& on) { return on.seen[0][0] == 1 && on.seen[1][0] == 1; }
};

// Each lane stores what it has loaded: no value may appear out of thin air.
struct out_of_thin_air {
  static constexpr const char* name = "LB_data";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    seen[0] = Way::load(player == 0 ? &on.x : &on.y);
    Way::store(player == 0 ? &on.y : &on.x, seen[0]);
  }
  static bool is_weak(const board& on) { return on.seen[0][0] != 0 || on.seen[1][0] != 0; }
};

// Each lane stores only if it has read the other's store.
struct stores_on_condition {
  static constexpr const char* name = "LB_control";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    seen[0] = Way::load(player == 0 ? &on.x : &on.y);
    if (seen[0] == 1) {
      Way::store(player == 0 ? &on.y : &on.x, 1);
    } else {
      Way::store(&on.z, 1);
    }
  }
  static bool is_weak(const board& on) { return out_of_thin_air::is_weak(on); }
};

// Only one of the two stores depends on the load before it.
struct one_depends {
  static constexpr const char* name = "LB_one_data";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    seen[0] = Way::load(player == 0 ? &on.x : &on.y);
    Way::store(player == 0 ? &on.y : &on.x, player == 0 ? seen[0] : 1);
  }
  static bool is_weak(const board& on) { return load_buffering::is_weak(on); }
};

// The accesses to y are a release and an acquire.
struct behind_a_message {
  static constexpr const char* name = "LB_message";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      seen[0] = Way::load(&on.x);
      acquire_release::store(&on.y, 1);
    } else {
      seen[0] = acquire_release::load(&on.y);
      Way::store(&on.x, 1);
    }
  }
  static bool is_weak(const board& on) { return load_buffering::is_weak(on); }
};

// A lane that has read a promised store does not read an older value afterwards.
struct looks_twice {
  static constexpr const char* name = "LB_CoRR";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    seen[0] = Way::load(player == 0 ? &on.x : &on.y);
    seen[1] = Way::load(player == 0 ? &on.x : &on.y);
    Way::store(player == 0 ? &on.y : &on.x, 1);
  }
  static bool is_weak(const board& on) {
    return on.seen[0][1] < on.seen[0][0] || on.seen[1][1] < on.seen[1][0];
  }
};

int main() {
  judge_everywhere<load_buffering, by_volatile>(verdict::allowed);
  judge_everywhere<load_buffering, relaxed>(verdict::allowed);
  judge_everywhere<load_buffering, acquire_release>(verdict::forbidden);
  judge_everywhere<load_buffering, with_fence>(verdict::forbidden);
  judge_everywhere<load_buffering, with_threadfence>(verdict::forbidden);
  judge_everywhere<load_buffering, sequential>(verdict::forbidden);
  judge_everywhere<out_of_thin_air, by_volatile>(verdict::forbidden);
  judge_everywhere<out_of_thin_air, relaxed>(verdict::forbidden);
  judge_everywhere<stores_on_condition, by_volatile>(verdict::forbidden);
  judge_everywhere<stores_on_condition, relaxed>(verdict::forbidden);
  judge_everywhere<one_depends, relaxed>(verdict::allowed);
  judge_everywhere<behind_a_message, relaxed>(verdict::forbidden);
  judge_everywhere<behind_a_message, by_volatile>(verdict::forbidden);
  judge_everywhere<looks_twice, relaxed>(verdict::forbidden);
  judge_everywhere<looks_twice, by_volatile>(verdict::forbidden);
}
