// Coherence: no lane reads an older store to a location after a newer one, with or without fences.
#include "litmus.cuh"

struct two_looks {
  static constexpr const char* name = "CoRR";
  static constexpr unsigned players = 3;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::store(&on.x, 2);
    } else {
      seen[0] = Way::load(&on.x);
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) {
    return on.seen[1][1] < on.seen[1][0] || on.seen[2][1] < on.seen[2][0];
  }
};

// Two lanes store, and two lanes that read agree on the order of the stores.
struct two_watchers {
  static constexpr const char* name = "CoRR2";
  static constexpr unsigned players = 4;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player < 2) {
      Way::store(&on.x, player == 0 ? 1 : 2);
    } else {
      seen[0] = Way::load(&on.x);
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) {
    return (on.seen[2][0] == 1 && on.seen[2][1] == 2 && on.seen[3][0] == 2 && on.seen[3][1] == 1) ||
           (on.seen[2][0] == 2 && on.seen[2][1] == 1 && on.seen[3][0] == 1 && on.seen[3][1] == 2) ||
           (on.seen[2][0] != 0 && on.seen[2][1] == 0);
  }
};

// A lane reads its own store or a newer one, and its stores come after what it has read.
struct own_store {
  static constexpr const char* name = "CoWR";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    Way::store(&on.x, player + 1);
    seen[0] = Way::load(&on.x);
  }
  static bool is_weak(const board& on) {
    const bool sees_its_own = on.seen[0][0] == 1 && on.seen[1][0] == 2;
    return on.seen[0][0] == 0 || on.seen[1][0] == 0 ||
           (!sees_its_own && on.seen[0][0] != on.seen[1][0]) || (on.seen[0][0] == 2 && on.x == 1) ||
           (on.seen[1][0] == 1 && on.x == 2);
  }
};

// No update is lost, and each one reads a different value.
struct counting {
  static constexpr const char* name = "updates";
  static constexpr unsigned players = 4;
  template <typename Way>
  static __device__ void turn(unsigned, board& on, int* seen) {
    seen[0] = atomicAdd(&on.x, 1);
    seen[1] = Way::load(&on.x);
  }
  static bool is_weak(const board& on) {
    int all = 0;
    for (int i = 0; i < 4; ++i) {
      all |= 1 << on.seen[i][0];
      if (on.seen[i][1] <= on.seen[i][0]) return true;
    }
    return all != 0b1111 || on.x != 4;
  }
};

template <typename Game>
void judge_all_ways() {
  judge_everywhere<Game, by_volatile>(verdict::forbidden);
  judge_everywhere<Game, relaxed>(verdict::forbidden);
  judge_everywhere<Game, acquire_release>(verdict::forbidden);
  judge_everywhere<Game, sequential>(verdict::forbidden);
}

int main() {
  judge_all_ways<two_looks>();
  judge_all_ways<two_watchers>();
  judge_all_ways<own_store>();
  judge_all_ways<counting>();
}
