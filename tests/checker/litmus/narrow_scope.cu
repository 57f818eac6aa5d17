// Release and acquire at block scope order nothing between lanes of different blocks.
#include "litmus.cuh"

struct message_passing {
  static constexpr const char* name = "MP";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::store(&on.y, 1);
    } else {
      seen[0] = Way::load(&on.y);
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) { return on.seen[1][0] == 1 && on.seen[1][1] == 0; }
};

int main() {
  judge<message_passing, acquire_release_in_block>(seats::blocks, verdict::allowed);
  judge<message_passing, acquire_release_in_block>(seats::warps, verdict::forbidden);
  judge<message_passing, acquire_release_in_block>(seats::lanes, verdict::forbidden);
  std::printf("findings expected\n");
}
