// MP: data, then a flag; does a lane that reads the flag also read the data? Also via a third lane.
#include "litmus.cuh"

struct message_passing {
  static constexpr const char* name = "MP";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::fence();
      Way::store(&on.y, 1);
    } else {
      seen[0] = Way::load(&on.y);
      Way::fence();
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) { return on.seen[1][0] == 1 && on.seen[1][1] == 0; }
};

struct only_sender_fences {
  static constexpr const char* name = "MP_sender_only";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::fence();
      Way::store(&on.y, 1);
    } else {
      seen[0] = Way::load(&on.y);
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) { return message_passing::is_weak(on); }
};

struct only_receiver_fences {
  static constexpr const char* name = "MP_receiver_only";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::store(&on.y, 1);
    } else {
      seen[0] = Way::load(&on.y);
      Way::fence();
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) { return message_passing::is_weak(on); }
};

// The sender stores data and flag twice, and the receiver may read the first flag.
struct flag_stored_twice {
  static constexpr const char* name = "MP_twice";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::fence();
      Way::store(&on.y, 1);
      Way::store(&on.x, 2);
      Way::fence();
      Way::store(&on.y, 2);
    } else {
      seen[0] = Way::load(&on.y);
      Way::fence();
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) { return on.seen[1][1] < on.seen[1][0]; }
};

// A read-modify-write of the flag continues the release sequence.
struct through_an_update {
  static constexpr const char* name = "MP_update";
  static constexpr unsigned players = 3;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::fence();
      Way::store(&on.y, 1);
    } else if (player == 1) {
      atomicAdd(&on.y, 2);
    } else {
      seen[0] = Way::load(&on.y);
      Way::fence();
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) { return on.seen[2][0] == 3 && on.seen[2][1] == 0; }
};

struct from_hand_to_hand {
  static constexpr const char* name = "WRC";
  static constexpr unsigned players = 3;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
    } else if (player == 1) {
      seen[0] = Way::load(&on.x);
      Way::fence();
      Way::store(&on.y, 1);
    } else {
      seen[0] = Way::load(&on.y);
      Way::fence();
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) {
    return on.seen[1][0] == 1 && on.seen[2][0] == 1 && on.seen[2][1] == 0;
  }
};

struct two_messages_in_a_row {
  static constexpr const char* name = "ISA2";
  static constexpr unsigned players = 3;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 1);
      Way::fence();
      Way::store(&on.y, 1);
    } else if (player == 1) {
      seen[0] = Way::load(&on.y);
      Way::fence();
      Way::store(&on.z, 1);
    } else {
      seen[0] = Way::load(&on.z);
      Way::fence();
      seen[1] = Way::load(&on.x);
    }
  }
  static bool is_weak(const board& on) {
    return on.seen[1][0] == 1 && on.seen[2][0] == 1 && on.seen[2][1] == 0;
  }
};

// The receiver stores to the same location as the sender: which store comes last?
struct message_then_store {
  static constexpr const char* name = "S";
  static constexpr unsigned players = 2;
  template <typename Way>
  static __device__ void turn(unsigned player, board& on, int* seen) {
    if (player == 0) {
      Way::store(&on.x, 2);
      Way::fence();
      Way::store(&on.y, 1);
    } else {
      seen[0] = Way::load(&on.y);
      Way::fence();
      Way::store(&on.x, 1);
    }
  }
  static bool is_weak(const board& on) { return on.seen[1][0] == 1 && on.x == 2; }
};

template <typename Game>
void judge_all_ways() {
  judge_everywhere<Game, by_volatile>(verdict::allowed);
  judge_everywhere<Game, relaxed>(verdict::allowed);
  judge_everywhere<Game, acquire_release>(verdict::forbidden);
  judge_everywhere<Game, with_fence>(verdict::forbidden);
  judge_everywhere<Game, with_threadfence>(verdict::forbidden);
  judge_everywhere<Game, sequential>(verdict::forbidden);
}

int main() {
  judge_all_ways<message_passing>();
  judge_everywhere<message_passing, by_ptx>(verdict::allowed);
  judge_everywhere<message_passing, by_ptx_with_fence>(verdict::forbidden);
  judge<message_passing, with_threadfence_block>(seats::blocks, verdict::allowed);
  judge<message_passing, with_threadfence_block>(seats::warps, verdict::forbidden);
  judge<message_passing, with_threadfence_block>(seats::lanes, verdict::forbidden);
  judge<message_passing, acquire_release_in_block>(seats::warps, verdict::forbidden);

  judge_everywhere<only_sender_fences, with_fence>(verdict::allowed);
  judge_everywhere<only_sender_fences, with_threadfence>(verdict::allowed);
  judge_everywhere<only_receiver_fences, with_fence>(verdict::allowed);
  judge_everywhere<only_receiver_fences, with_threadfence>(verdict::allowed);

  judge_all_ways<flag_stored_twice>();
  judge_all_ways<through_an_update>();
  judge_all_ways<from_hand_to_hand>();
  judge_all_ways<two_messages_in_a_row>();

  judge_everywhere<message_then_store, relaxed>(verdict::allowed);
  judge_everywhere<message_then_store, by_volatile>(verdict::allowed_but_not_shown);
  judge_everywhere<message_then_store, acquire_release>(verdict::forbidden);
  judge_everywhere<message_then_store, with_fence>(verdict::forbidden);
  judge_everywhere<message_then_store, with_threadfence>(verdict::forbidden);
  judge_everywhere<message_then_store, sequential>(verdict::forbidden);
}
