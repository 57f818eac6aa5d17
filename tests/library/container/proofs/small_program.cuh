// A few lanes run programs of two or three operations, small enough for all interleavings.
#pragma once
#include <heddle/sync/access.cuh>

#include <algorithm>
#include <cstdio>

#include "../recording.cuh"

namespace heddle_test {

// Moments with two accesses per operation: an operation begins after those that have ended,
// acquires what they released, and counts its own end. This does not order overlapping operations,
// so it hides no missing fence of the object. Two beginnings need no order.
class count_of_ends {
 public:
  explicit count_of_ends(unsigned long long* ends) : ends_(ends) {}
  __device__ unsigned long long invoked() const { return heddle::sync::load_acquire(ends_); }
  __device__ unsigned long long returned() {
    heddle::sync::fence();
    return heddle::sync::add(ends_, 1ull);
  }

 private:
  unsigned long long* ends_;
};

// The same for two single lanes in two warps, where two ends need no order either, which removes
// most interleavings. An operation reads how many operations of the other lane have ended before
// it. Not for `weak`, under which each lane may read an old count.
class ends_of_the_other {
 public:
  explicit ends_of_the_other(unsigned long long* ends) : ends_(ends) {}
  __device__ unsigned long long invoked() const {
    return heddle::sync::load_acquire(ends_ + 1 - warp());
  }
  __device__ unsigned long long returned() {
    heddle::sync::store_release(ends_ + warp(), ++mine_);
    return mine_;
  }

 private:
  __device__ static unsigned warp() {
    return threadIdx.x / static_cast<unsigned>(heddle::warp_size);
  }
  unsigned long long* ends_;
  unsigned long long mine_ = 0;
};

// None: all operations of a part may overlap, and only the object orders what the lanes do.
struct no_moments {
  explicit no_moments(unsigned long long*) {}
  __device__ static unsigned long long invoked() { return 0; }
  __device__ static unsigned long long returned() { return 0; }
};
enum class timing { exact, weak, none };  // weak: for the schedule of that name
// From the end of a number on the command line: `w`, `n` or nothing.
inline timing timing_of(const std::string& number) {
  return number.back() == 'w' ? timing::weak : number.back() == 'n' ? timing::none : timing::exact;
}

// Replaces the counts that two lanes read of each other by moments: the beginnings and ends of both
// in one order, from `now` on. The first lane's records come first.
inline void put_in_order(std::vector<record>& records, std::size_t of_first, moment now) {
  const std::vector<record> known = records;
  const std::size_t first[2] = {0, of_first}, steps[2] = {of_first, records.size() - of_first};
  std::size_t begun[2] = {0, 0}, ended[2] = {0, 0};
  // How many of the other lane have ended when the next one begins.
  const auto knows_at_next = [&](std::size_t lane) {
    return begun[lane] < steps[lane] ? known[first[lane] + begun[lane]].invoked : records.size();
  };
  while (ended[0] + ended[1] < records.size()) {
    const moment before = now;
    for (const std::size_t lane : {0, 1}) {
      const std::size_t other = 1 - lane;
      if (begun[lane] > ended[lane]) {
        if (knows_at_next(other) <= ended[lane]) continue;  // the other one begins first
        records[first[lane] + ended[lane]++].returned = now++;
      } else if (knows_at_next(lane) == ended[other]) {
        records[first[lane] + begun[lane]++].invoked = now++;
      }
    }
    if (now == before) throw std::logic_error("each lane began before the other had ended");
  }
}

// The first lanes of each warp take their steps together. Lane n takes the steps from begins[n] to
// begins[n + 1].
template <typename Object, typename Moments>
__global__ void follow_small_programs(Object object, Moments moments, unsigned lanes_of_warp,
                                      const unsigned* begins, const step* steps, record* records) {
  const unsigned lane = threadIdx.x % static_cast<unsigned>(heddle::warp_size);
  const unsigned warp = threadIdx.x / static_cast<unsigned>(heddle::warp_size);
  if (lane >= lanes_of_warp) return;
  const heddle::lane_mask members = heddle::lanes_below(static_cast<int>(lanes_of_warp));
  const unsigned number = warp * lanes_of_warp + lane;
  for (unsigned i = begins[number]; i < begins[number + 1]; ++i) {
    record mine{};
    mine.invoked = moments.invoked();
    object(steps[i], members, mine.words);
    mine.returned = moments.returned();
    records[i] = mine;
  }
}

// What several lanes do at the same time.
class lane_programs {
 public:
  explicit lane_programs(unsigned lanes_of_warp = 1, timing how = timing::exact)
      : lanes_of_warp_(lanes_of_warp), timing_(how) {}
  void add(const std::vector<step>& program) {
    steps_.insert(steps_.end(), program.begin(), program.end());
    begins_.push_back(static_cast<unsigned>(steps_.size()));
  }
  [[nodiscard]] const std::vector<step>& steps() const { return steps_; }
  [[nodiscard]] unsigned lanes() const { return static_cast<unsigned>(begins_.size()) - 1; }

  // The result of each step, with moments from `now` on.
  template <typename Object>
  [[nodiscard]] std::vector<record> followed(const Object& object, moment now) const {
    if (timing_ == timing::none) {
      std::vector<record> records = followed_by<no_moments>(object, 0);
      for (record& each : records) each.invoked = now, each.returned = now + records.size();
      return records;
    }
    const bool are_two_alone = lanes() == 2 && lanes_of_warp_ == 1;
    if (!are_two_alone || timing_ == timing::weak) return followed_by<count_of_ends>(object, now);
    std::vector<record> records = followed_by<ends_of_the_other>(object, 0);
    put_in_order(records, begins_[1], now);
    return records;
  }
  [[nodiscard]] unsigned lane_of(std::size_t step) const {
    return static_cast<unsigned>(std::upper_bound(begins_.begin(), begins_.end(), step) -
                                 begins_.begin() - 1);
  }

 private:
  template <typename Moments, typename Object>
  [[nodiscard]] std::vector<record> followed_by(const Object& object, moment now) const {
    const device_array<step> steps(steps_);
    const device_array<unsigned> begins(begins_);
    const device_array<record> records(steps_.size());
    const device_array<unsigned long long> ends(std::vector<unsigned long long>{now, 0});
    const unsigned warps = lanes() / lanes_of_warp_;
    const unsigned threads =
        (warps - 1) * static_cast<unsigned>(heddle::warp_size) + lanes_of_warp_;
    follow_small_programs<<<1, threads>>>(object, Moments(ends.data()), lanes_of_warp_,
                                          begins.data(), steps.data(), records.data());
    check(cudaGetLastError(), "the launch");
    check(cudaDeviceSynchronize(), "the kernel");
    return records.values();
  }

  unsigned lanes_of_warp_;
  timing timing_;
  std::vector<step> steps_;
  std::vector<unsigned> begins_{0};
};

// What one lane does first, what several lanes do then, and what one lane does last.
struct small_program {
  lane_programs before, meanwhile, behind;
};

struct all_steps {
  bool operator()(const step&) const { return true; }
};

// 0 if one order explains what happened; otherwise prints the history and returns 1. A step that
// does not count had no operation.
template <typename Operation, typename Model, typename Object, typename Translate,
          typename Counts = all_steps>
int judge(const small_program& program, const Object& object, const Model& model,
          Translate translate, Counts counts = {}) {
  std::vector<Operation> history;
  for (const lane_programs* part : {&program.before, &program.meanwhile, &program.behind}) {
    if (part->steps().empty()) continue;
    const std::vector<record> records = part->followed(object, 2 * history.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (!counts(part->steps()[i])) continue;
      Operation one = translate(part->steps()[i], records[i]);
      one.lane = part->lane_of(i);
      one.invoked = records[i].invoked;
      one.returned = records[i].returned;
      history.push_back(one);
    }
  }
  if (linearizability<Model>(model).explains(history)) return 0;
  std::printf("no order explains this:\n%s", text_of(history).c_str());
  return 1;
}

}  // namespace heddle_test
