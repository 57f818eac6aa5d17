// IRIW: two lanes store to x and y; may two readers disagree on which store came first?
#include "litmus.cuh"

struct independent_reads {
  static constexpr const char* name = "IRIW";
  static constexpr unsigned players = 4;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player < 2) {
      Way::store(player == 0 ? &on.x : &on.y, 1);
    } else {
      seen[0] = Way::load(player == 2 ? &on.x : &on.y);
      Way::fence();
      seen[1] = Way::load(player == 2 ? &on.y : &on.x);
    }
  }
  static bool is_weak(const board& on) {
    return on.seen[2][0] == 1 && on.seen[2][1] == 0 && on.seen[3][0] == 1 && on.seen[3][1] == 0;
  }
};

int main() {
  judge_everywhere<independent_reads, by_volatile>(verdict::allowed);
  judge_everywhere<independent_reads, relaxed>(verdict::allowed);
  judge_everywhere<independent_reads, acquire_release>(verdict::allowed);
  judge_everywhere<independent_reads, with_fence>(verdict::allowed);
  judge<independent_reads, with_threadfence_block>(seats::blocks, verdict::allowed);
  judge<independent_reads, with_threadfence_block>(seats::warps, verdict::forbidden);
  judge_everywhere<independent_reads, with_threadfence>(verdict::forbidden);
  judge_everywhere<independent_reads, with_sequential_fence>(verdict::forbidden);
  judge_everywhere<independent_reads, sequential>(verdict::forbidden);
}
