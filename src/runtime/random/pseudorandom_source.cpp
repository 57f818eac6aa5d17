// Pseudorandom numbers in cuRAND's order: many streams of one generator take turns, and each turn
// yields one to four numbers.
#include <random>
#include <type_traits>
#include <vector>

#include <curand_kernel.h>

#include "random/number_source.hpp"

namespace heddle_host::random {
namespace {

// MT19937 yields a single sequence. cuRAND interleaves many distant ones, in an undocumented order.
struct mt19937_state {
  std::mt19937 engine;
};
unsigned int curand(mt19937_state* state) { return static_cast<unsigned int>(state->engine()); }
float curand_uniform(mt19937_state* state) { return cuda_on_host::uniform_float(curand(state)); }
double curand_uniform_double(mt19937_state* state) {
  return cuda_on_host::uniform_double(curand(state));
}
unsigned int curand_poisson(mt19937_state* state, double lambda) {
  return cuda_on_host::poisson_of_bits(curand(state), lambda);
}
float2 curand_normal2(mt19937_state* state) {
  const unsigned int first = curand(state);
  return cuda_on_host::normal_pair(first, curand(state));
}
double2 curand_normal2_double(mt19937_state* state) {
  const unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return cuda_on_host::normal_pair(uint4{x, y, z, w});
}
float2 curand_log_normal2(mt19937_state* state, float mean, float deviation) {
  return cuda_on_host::log_normal(curand_normal2(state), mean, deviation);
}
double2 curand_log_normal2_double(mt19937_state* state, double mean, double deviation) {
  return cuda_on_host::log_normal(curand_normal2_double(state), mean, deviation);
}

template <typename Real>
Real moved(Real normal, const request& what) {
  return static_cast<Real>(what.mean) + static_cast<Real>(what.deviation) * normal;
}

// One turn of a stream of XORWOW, MRG32k3a or MT19937; returns how many numbers it yields.
template <typename State>
int take_turn(State* state, const request& what, unsigned int* output) {
  *output = what.shape == distribution::poisson ? curand_poisson(state, what.mean) : curand(state);
  return 1;
}
template <typename State>
int take_turn(State* state, const request& what, float* output) {
  if (what.shape == distribution::uniform) {
    *output = curand_uniform(state);
    return 1;
  }
  const bool is_log = what.shape == distribution::log_normal;
  const float2 pair = is_log ? curand_log_normal2(state, static_cast<float>(what.mean),
                                                  static_cast<float>(what.deviation))
                             : curand_normal2(state);
  output[0] = is_log ? pair.x : moved(pair.x, what);
  output[1] = is_log ? pair.y : moved(pair.y, what);
  return 2;
}
template <typename State>
int take_turn(State* state, const request& what, double* output) {
  if (what.shape == distribution::uniform) {
    *output = curand_uniform_double(state);
    return 1;
  }
  const bool is_log = what.shape == distribution::log_normal;
  const double2 pair = is_log ? curand_log_normal2_double(state, what.mean, what.deviation)
                              : curand_normal2_double(state);
  output[0] = is_log ? pair.x : moved(pair.x, what);
  output[1] = is_log ? pair.y : moved(pair.y, what);
  return 2;
}

// Every turn of a stream of Philox yields four numbers.
template <typename Four, typename Number>
int put(const Four& numbers, Number* output) {
  output[0] = numbers.x;
  output[1] = numbers.y;
  output[2] = numbers.z;
  output[3] = numbers.w;
  return 4;
}
int take_turn(curandStatePhilox4_32_10_t* state, const request& what, unsigned int* output) {
  return put(
      what.shape == distribution::poisson ? curand_poisson4(state, what.mean) : curand4(state),
      output);
}
int take_turn(curandStatePhilox4_32_10_t* state, const request& what, float* output) {
  if (what.shape == distribution::uniform) return put(curand_uniform4(state), output);
  if (what.shape == distribution::log_normal) {
    return put(curand_log_normal4(state, static_cast<float>(what.mean),
                                  static_cast<float>(what.deviation)),
               output);
  }
  put(curand_normal4(state), output);
  for (int i = 0; i < 4; ++i) output[i] = moved(output[i], what);
  return 4;
}
int take_turn(curandStatePhilox4_32_10_t* state, const request& what, double* output) {
  if (what.shape == distribution::uniform) return put(curand_uniform4_double(state), output);
  if (what.shape == distribution::log_normal) {
    return put(curand_log_normal4_double(state, what.mean, what.deviation), output);
  }
  put(curand_normal4_double(state), output);
  for (int i = 0; i < 4; ++i) output[i] = moved(output[i], what);
  return 4;
}

// start() and go_to_next_stream() say where the streams begin in the generator's sequence.
template <typename State>
void start(State& state, unsigned long long seed) {
  curand_init(seed, 0, 0, &state);
}
template <typename State>
void go_to_next_stream(State& state) {
  skipahead_sequence(1, &state);
}
template <typename State>
void skip(State& state, unsigned long long count) {
  skipahead(count, &state);
}
void go_to_next_stream(curandStateMRG32k3a_t& state) { skipahead_subsequence(1, &state); }
void start(mt19937_state& state, unsigned long long seed) {
  state.engine.seed(static_cast<unsigned int>(seed));
}
void go_to_next_stream(mt19937_state&) {}  // there is only one stream
void skip(mt19937_state& state, unsigned long long count) { state.engine.discard(count); }

template <typename State>
class interleaved_streams final : public number_source {
 public:
  interleaved_streams(const settings& of, std::size_t stream_count)
      : stream_count_(stream_count),
        skipped_(of.offset / block),
        turn_(skipped_),
        used_(static_cast<int>(of.offset % block)) {
    start(next_stream_, of.seed);
  }

  void fill(const request& what, unsigned int* output, std::size_t count) override {
    fill_with(what, output, count);
  }
  void fill(const request&, unsigned long long*, std::size_t) override {}  // 32-bit generators only
  void fill(const request& what, float* output, std::size_t count) override {
    fill_with(what, output, count);
  }
  void fill(const request& what, double* output, std::size_t count) override {
    fill_with(what, output, count);
  }

 private:
  static constexpr bool is_philox = std::is_same_v<State, curandStatePhilox4_32_10_t>;
  static constexpr unsigned long long block = is_philox ? 4 : 1;

  template <typename Number>
  void fill_with(const request& what, Number* output, std::size_t count) {
    Number numbers[4];
    for (std::size_t done = 0; done < count;) {
      State& now = stream(turn_ % stream_count_);
      if constexpr (is_philox) {
        // If this call does not use all numbers of a turn, the next call repeats the turn.
        State after = now;
        take_turn(&after, what, numbers);
        while (used_ < 4 && done < count) output[done++] = numbers[used_++];
        if (used_ < 4) return;
        now = after;
        used_ = 0;
      } else {
        const int yielded = take_turn(&now, what, numbers);
        for (int i = 0; i < yielded && done < count; ++i) output[done++] = numbers[i];
      }
      ++turn_;
    }
  }

  // Streams are created at their first turn, because there are many.
  State& stream(std::size_t index) {
    while (streams_.size() <= index) {
      const std::size_t made = streams_.size();
      streams_.push_back(next_stream_);
      const bool has_one_more = made < skipped_ % stream_count_;
      skip(streams_.back(), block * (skipped_ / stream_count_ + has_one_more));
      go_to_next_stream(next_stream_);
    }
    return streams_[index];
  }

  const std::size_t stream_count_;
  const unsigned long long skipped_;  // turns that the offset skips
  unsigned long long turn_;
  int used_;  // numbers of Philox's current turn that have been returned
  State next_stream_;
  std::vector<State> streams_;
};

}  // namespace

std::unique_ptr<number_source> make_pseudorandom_source(const settings& of) {
  switch (of.type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
      return std::make_unique<interleaved_streams<curandStateXORWOW_t>>(of, 4096);
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return std::make_unique<interleaved_streams<curandStateMRG32k3a_t>>(
          of, of.order == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : 81920);
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return std::make_unique<interleaved_streams<curandStatePhilox4_32_10_t>>(of, 65536);
    case CURAND_RNG_PSEUDO_MT19937:
      return std::make_unique<interleaved_streams<mt19937_state>>(of, 1);
    case CURAND_RNG_PSEUDO_MTGP32: {
      // MTGP32 needs the toolkit's tables. MT19937 stands in, with another seed than the program's:
      // it may use both generators.
      settings other = of;
      other.seed ^= of.seed >> 32 ^ 0x4d544750;
      return std::make_unique<interleaved_streams<mt19937_state>>(other, 1);
    }
    default:
      return nullptr;
  }
}

}  // namespace heddle_host::random
