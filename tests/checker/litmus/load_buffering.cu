// Each looks before it stores: may both see what the other stores later?
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

int main() {
  judge_everywhere<load_buffering, by_volatile>(verdict::allowed_but_not_shown);
  judge_everywhere<load_buffering, relaxed>(verdict::allowed_but_not_shown);
  judge_everywhere<load_buffering, acquire_release>(verdict::forbidden);
  judge_everywhere<load_buffering, with_fence>(verdict::forbidden);
  judge_everywhere<load_buffering, with_threadfence>(verdict::forbidden);
  judge_everywhere<load_buffering, sequential>(verdict::forbidden);
}
