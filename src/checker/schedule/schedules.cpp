// Schedules that decide at random, by priorities, or by starving one lane or warp.
#include "checker/schedule/schedules.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace heddle_checker {
namespace {

using heddle_host::choices;
using heddle_host::interruption;

constexpr unsigned blocks_at_once = 4;

// If blocks have one lane each, only another block can run in its place.
interruption for_another(bool wants_block, unsigned threads) {
  return wants_block || threads == 1 ? interruption::for_another_block
                                     : interruption::for_another_lane;
}

// All lanes half of the time, otherwise a random subset; never none.
std::uint32_t some_of(std::uint32_t lanes, random_generator& random) {
  if (random.below(2) == 0) return lanes;
  const std::uint32_t chosen = lanes & static_cast<std::uint32_t>(random.next() >> 32);
  return chosen != 0 ? chosen : lanes;
}

// Stops lanes at random accesses. How often, and at which kind, depends on the seed: some defects
// need many switches, others long runs between a few. Lanes communicate through atomic and volatile
// accesses, so half of the seeds stop only there.
class random_order : public heddle_host::schedule {
 public:
  explicit random_order(std::uint64_t seed) : random_(seed), how_(ways[(seed - 1) % ways.size()]) {
    left_ = draw();
  }
  void grid_begins(std::uint64_t, unsigned threads) override {
    threads_ = threads;
    seen_ = 0;
    dense_until_ = dense_at_first;
  }
  interruption interrupts(std::uint64_t, unsigned, bool is_strong) override {
    if (how_.only_strong && !is_strong) return interruption::none;
    pass(1);
    if (left_ != 0) return interruption::none;
    left_ = draw();
    return for_another(random_.below(8) == 0, threads_);
  }
  unsigned free_accesses() const override { return left_ - 1; }
  void pass(unsigned accesses) override {
    left_ -= accesses;
    seen_ += accesses;
  }
  bool asks_only_at_strong() const override { return how_.only_strong; }
  unsigned choose_lane(const choices& among) override { return random_.below(among.count()); }
  // Another block than the one that just had its turn, if there is one.
  unsigned choose_block(const std::uint64_t* blocks, unsigned count) override {
    unsigned chosen = random_.below(count);
    if (blocks[chosen] == last_) chosen = (chosen + 1 + random_.below(count - 1)) % count;
    last_ = blocks[chosen];
    return chosen;
  }
  std::uint32_t choose_active(std::uint32_t lanes) override { return some_of(lanes, random_); }
  unsigned most_blocks_at_once() const override { return blocks_at_once; }

 private:
  struct way {
    unsigned rarity;  // one in this many accesses is stopped, on average
    bool only_strong;
  };
  static constexpr std::array<way, 8> ways{{{5, false},
                                            {2, true},
                                            {17, false},
                                            {9, true},
                                            {2, false},
                                            {4, true},
                                            {97, false},
                                            {30, true}}};
  // A switch costs as much as many accesses, so a long grid gets its switches in short stretches
  // that are spread over the whole grid.
  static constexpr std::uint64_t dense_at_first = 1 << 18;
  static constexpr unsigned dense_accesses = 1 << 11, sparse_accesses = 1 << 16;
  unsigned draw() {
    const unsigned next = 1 + random_.below(2 * how_.rarity - 1);
    if (seen_ < dense_until_) return next;
    const unsigned gap = random_.below(2 * sparse_accesses);
    dense_until_ = seen_ + gap + dense_accesses;
    return gap + next;
  }
  random_generator random_;
  way how_;
  std::uint64_t seen_ = 0;  // accesses of the grid
  std::uint64_t dense_until_ = dense_at_first;
  unsigned left_;
  unsigned threads_ = 0;  // of a block
  std::uint64_t last_ = ~std::uint64_t{0};
};

// Probabilistic concurrency testing (Burckhardt et al., 2010): the lane with the highest priority
// runs, and at a few random moments it drops to the lowest. This finds a defect that needs d such
// moments with a known probability, given the length of the run. Here the length is unknown and
// differs from grid to grid, so each grid draws one. Every second seed counts only atomic and
// volatile accesses.
class by_priority : public heddle_host::schedule {
 public:
  explicit by_priority(std::uint64_t seed) : random_(seed), only_strong_(seed % 2 == 1) {}
  void grid_begins(std::uint64_t, unsigned threads) override {
    of_grid_ = random_.next();
    lowered_.clear();
    lowered_blocks_.clear();
    turns_ = 0;
    events_ = 0;
    next_moment_ = 0;
    threads_ = threads;
    constexpr std::array<unsigned, 4> lengths{16, 100, 600, 4000};
    const unsigned length = lengths[random_.below(lengths.size())];
    for (std::uint64_t& moment : moments_) moment = 1 + random_.below(length);
    std::sort(moments_.begin(), moments_.end());
  }
  interruption interrupts(std::uint64_t block, unsigned thread, bool is_strong) override {
    if (only_strong_ && !is_strong) return interruption::none;
    pass(1);
    if (next_moment_ == moments_.size() || events_ < moments_[next_moment_]) {
      return interruption::none;
    }
    ++next_moment_;
    lowered_.push_back({block, thread});
    return for_another(next_moment_ % 2 == 0, threads_);
  }
  unsigned free_accesses() const override {
    if (next_moment_ == moments_.size()) return ~0u;
    const std::uint64_t next = moments_[next_moment_];  // equal moments happen one after the other
    return next > events_ ? static_cast<unsigned>(next - events_ - 1) : 0;
  }
  void pass(unsigned accesses) override { events_ += accesses; }
  bool asks_only_at_strong() const override { return only_strong_; }
  unsigned choose_lane(const choices& among) override {
    unsigned best = 0;
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    among.for_each([&](unsigned i, unsigned thread) {
      const std::int64_t one = priority(among.block(), thread);
      if (one > highest) highest = one, best = i;
    });
    return best;
  }
  // A block that just had its turn and could continue was stopped, or only spins.
  unsigned choose_block(const std::uint64_t* blocks, unsigned count) override {
    const auto is_here = [&](std::uint64_t block) {
      return std::find(blocks, blocks + count, block) != blocks + count;
    };
    std::erase_if(lowered_blocks_, [&](const auto& one) { return !is_here(one.first); });
    if (is_here(last_)) lowered_blocks_[last_] = -++turns_;
    unsigned best = 0;
    for (unsigned i = 1; i < count; ++i) {
      if (priority(blocks[i]) > priority(blocks[best])) best = i;
    }
    last_ = blocks[best];
    return best;
  }
  std::uint32_t choose_active(std::uint32_t lanes) override { return some_of(lanes, random_); }
  unsigned most_blocks_at_once() const override { return blocks_at_once; }

 private:
  using lane = std::pair<std::uint64_t, unsigned>;
  // Computed from the number, so that a grid of any size needs no memory. Lowered lanes and blocks
  // are below 0.
  [[nodiscard]] std::int64_t drawn(std::uint64_t number) const {
    return static_cast<std::int64_t>(random_generator(of_grid_ ^ number).next() >> 2);
  }
  [[nodiscard]] std::int64_t priority(std::uint64_t block, unsigned thread) const {
    for (std::size_t last = lowered_.size(); last > 0; --last) {
      if (lowered_[last - 1] == lane{block, thread}) return -static_cast<std::int64_t>(last);
    }
    return drawn(block << 10 | thread);
  }
  [[nodiscard]] std::int64_t priority(std::uint64_t block) const {
    const auto lowered = lowered_blocks_.find(block);
    return lowered == lowered_blocks_.end() ? drawn(~block) : lowered->second;
  }
  random_generator random_;
  bool only_strong_;
  unsigned threads_ = 0;  // of a block
  std::array<std::uint64_t, 4> moments_{};
  std::size_t next_moment_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t of_grid_ = 0;
  std::vector<lane> lowered_;                             // oldest first
  std::uint64_t last_ = ~std::uint64_t{0};                // the block chosen last
  std::int64_t turns_ = 0;                                // of lowered blocks
  std::map<std::uint64_t, std::int64_t> lowered_blocks_;  // of blocks that could run last time
};

// For a while, one lane or one warp gets its turn only when no other lane can run.
class starving : public heddle_host::schedule {
 public:
  explicit starving(std::uint64_t seed) : random_(seed) {}
  void grid_begins(std::uint64_t blocks, unsigned threads) override {
    block_ = random_.next() % std::max<std::uint64_t>(blocks, 1);
    const unsigned thread = random_.below(std::max(threads, 1u));
    is_warp_ = random_.below(2) == 0;
    first_ = is_warp_ ? thread / 32 * 32 : thread;
    starved_accesses_ = 1000 + random_.below(9000);
    accesses_ = 0;
    starts_at_ = 1 + random_.below(200);
    left_ = draw();
  }
  interruption interrupts(std::uint64_t block, unsigned thread, bool) override {
    pass(1);
    const bool is_turn = left_ == 0;
    if (is_turn) left_ = draw();
    return is_victim(block, thread) && random_.below(4) == 0 ? interruption::for_another_block
           : is_turn                                         ? interruption::for_another_lane
                                                             : interruption::none;
  }
  // While the victim starves, each access may be its own.
  unsigned free_accesses() const override {
    return accesses_ >= starts_at_ + starved_accesses_ ? left_ - 1 : 0;
  }
  void pass(unsigned accesses) override {
    accesses_ += accesses;
    left_ -= accesses;
  }
  unsigned choose_lane(const choices& among) override {
    const unsigned first = random_.below(among.count());
    for (unsigned i = 0; i < among.count(); ++i) {
      const unsigned one = (first + i) % among.count();
      if (!is_victim(among.block(), among.thread(one))) return one;
    }
    return first;
  }
  unsigned choose_block(const std::uint64_t* blocks, unsigned count) override {
    const unsigned chosen = random_.below(count);
    return blocks[chosen] == block_ && is_hungry() ? (chosen + 1) % count : chosen;
  }
  std::uint32_t choose_active(std::uint32_t lanes) override { return some_of(lanes, random_); }
  unsigned most_blocks_at_once() const override { return blocks_at_once; }

 private:
  unsigned draw() { return 1 + random_.below(127); }
  bool is_hungry() const {
    return accesses_ >= starts_at_ && accesses_ < starts_at_ + starved_accesses_;
  }
  bool is_victim(std::uint64_t block, unsigned thread) const {
    return is_hungry() && block == block_ && thread - first_ < (is_warp_ ? 32u : 1u);
  }
  random_generator random_;
  std::uint64_t block_ = 0;
  unsigned first_ = 0;
  bool is_warp_ = false;
  std::uint64_t accesses_ = 0;
  std::uint64_t starts_at_ = 0;
  std::uint64_t starved_accesses_ = 0;
  unsigned left_ = 1;  // accesses until another lane has its turn
};

// Follows another schedule, but __activemask() holds all lanes that call it together.
class without_parting : public heddle_host::schedule {
 public:
  explicit without_parting(std::unique_ptr<heddle_host::schedule> order)
      : order_(std::move(order)) {}
  void grid_begins(std::uint64_t blocks, unsigned threads) override {
    order_->grid_begins(blocks, threads);
  }
  interruption interrupts(std::uint64_t block, unsigned thread, bool is_strong) override {
    return order_->interrupts(block, thread, is_strong);
  }
  unsigned free_accesses() const override { return order_->free_accesses(); }
  void pass(unsigned accesses) override { order_->pass(accesses); }
  bool asks_only_at_strong() const override { return order_->asks_only_at_strong(); }
  unsigned choose_lane(const choices& among) override { return order_->choose_lane(among); }
  unsigned choose_block(const std::uint64_t* blocks, unsigned count) override {
    return order_->choose_block(blocks, count);
  }
  unsigned most_blocks_at_once() const override { return order_->most_blocks_at_once(); }

 private:
  std::unique_ptr<heddle_host::schedule> order_;
};

std::unique_ptr<heddle_host::schedule> make_order(const std::string& name, std::uint64_t seed) {
  if (name == "converged") return nullptr;
  if (name == "random") return std::make_unique<random_order>(seed);
  if (name == "pct") return std::make_unique<by_priority>(seed);
  if (name == "starve") return std::make_unique<starving>(seed);
  if (name == "weak") return std::make_unique<random_order>(seed);
  throw std::invalid_argument("unknown schedule '" + name +
                              "'; use converged, random, pct, starve, freeze or weak");
}

}  // namespace

std::unique_ptr<heddle_host::schedule> make_schedule(const std::string& name, std::uint64_t seed,
                                                     bool parts_active_lanes) {
  auto order = make_order(name, seed);
  if (order == nullptr || parts_active_lanes) return order;
  return std::make_unique<without_parting>(std::move(order));
}

store_choice make_store_choice(std::uint64_t seed) {
  random_generator random(~seed);  // not the schedule's
  constexpr std::array<unsigned, 4> rarities{1, 2, 3, 8};
  const unsigned rarity = rarities[random.below(rarities.size())];
  return [random, rarity](unsigned count) mutable {
    return random.below(rarity) == 0 ? random.below(count) : 0;
  };
}

}  // namespace heddle_checker
