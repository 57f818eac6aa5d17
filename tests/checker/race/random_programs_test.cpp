// The detector reports the races that the oracle finds in random programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include "checker/race/race_detector.hpp"
#include "oracle.hpp"
#include "support/seed.hpp"

namespace heddle_checker {
namespace {

constexpr std::uintptr_t base = std::uintptr_t{1} << 40;
constexpr std::size_t arena_bytes = std::size_t{1} << 20;
// One whole warp and two lanes of another; `active` lanes do something.
constexpr unsigned threads = 34;
constexpr unsigned active[] = {0, 1, 2, 3, 32, 33};

struct flavour {
  bool mixes_scopes = false;
  bool mixes_sizes = false;
  bool has_many_agents = false;
  bool may_miss = false;
  bool releases_nothing = false;  // only warps, blocks and grids synchronise
  unsigned accesses = 30;         // per 100 events
  unsigned writes = 50;           // per 100 accesses
  // Large enough for these programs, so the detector drops nothing.
  history_limits limits{.most_accesses = 1000, .most_blocks = 1000, .keeps_all_readers = true};
};

class random_program {
 public:
  random_program(std::uint64_t seed, flavour kind)
      : random_(seed),
        kind_(kind),
        detector_(
            base, arena_bytes, [this](const race& each) { found_.push_back(each); }, kind.limits) {}

  // Empty: they agree.
  std::string run(unsigned events) {
    begin_agent();
    for (now_ = 1; now_ <= events; ++now_) {
      step();
      const std::string complaint = compare();
      if (!complaint.empty()) return complaint;
    }
    return {};
  }
  const std::string& log() const { return log_; }
  unsigned races() const { return static_cast<unsigned>(first_.size()); }
  unsigned missed() const { return missed_; }
  unsigned losses() const { return detector_.losses(); }

 private:
  struct block {
    block_clock* clock;
    agent of;
    bool is_host;
    unsigned number;
    std::vector<unsigned> lanes;  // of the oracle, by active thread
  };
  struct lane_name {
    agent of;
    std::uint64_t block;
    unsigned thread;
  };
  struct ended {
    agent of;
    std::vector<unsigned> lanes;
  };

  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  scope pick_scope() {
    return kind_.mixes_scopes      ? static_cast<scope>(pick(4))
           : kind_.has_many_agents ? scope::system
                                   : scope::device;
  }

  void begin_agent() {
    std::vector<agent> known;
    std::vector<unsigned> known_lanes;
    for (const ended& each : ended_) {
      if (pick(3) != 0) continue;
      known.push_back(each.of);
      known_lanes.insert(known_lanes.end(), each.lanes.begin(), each.lanes.end());
    }
    const bool is_host = kind_.has_many_agents && pick(4) == 0;
    log_ += is_host ? "a host action begins, after" : "a grid begins, after";
    for (const agent each : known) log_ += " " + std::to_string(each);
    log_ += "\n";
    if (is_host) {
      const unsigned number = next_block_++;
      block fresh{detector_.begin_host_action(known), 0, true, number, {}};
      fresh.of = detector_.agent_of(*fresh.clock);
      fresh.lanes.push_back(oracle_.add_lane({number, number, true}, known_lanes));
      names_.push_back({fresh.of, 0, 0});
      blocks_.push_back(fresh);
      return;
    }
    const agent grid = detector_.begin_grid(known);
    const unsigned count = 2 + pick(2);
    const bool is_cluster = kind_.mixes_scopes && pick(2) == 0;
    const unsigned cluster = next_block_;
    std::vector<block_clock*> together;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned number = next_block_++;
      block fresh{detector_.begin_block(grid, i, threads), grid, false, number, {}};
      for (std::size_t lane = 0; lane < std::size(active); ++lane) {
        fresh.lanes.push_back(
            oracle_.add_lane({number, is_cluster ? cluster : number, false}, known_lanes));
        names_.push_back({grid, i, active[lane]});
      }
      together.push_back(fresh.clock);
      blocks_.push_back(fresh);
    }
    if (is_cluster) {
      detector_.form_cluster(together);
      clusters_.push_back(together);
    }
  }

  void end_agent() {
    const agent of = blocks_[pick(static_cast<unsigned>(blocks_.size()))].of;
    ended gone{of, {}};
    log_ += "agent " + std::to_string(of) + " ends\n";
    std::erase_if(blocks_, [&](const block& each) {
      if (each.of != of) return false;
      gone.lanes.insert(gone.lanes.end(), each.lanes.begin(), each.lanes.end());
      std::erase_if(clusters_, [&](const auto& all) {
        return std::ranges::find(all, each.clock) != all.end();
      });
      detector_.end_block(each.clock);
      return true;
    });
    ended_.push_back(gone);
  }

  std::vector<unsigned> all_lanes(auto belongs) const {
    std::vector<unsigned> lanes;
    for (const block& each : blocks_) {
      if (belongs(each)) lanes.insert(lanes.end(), each.lanes.begin(), each.lanes.end());
    }
    return lanes;
  }

  void step() {
    if (blocks_.empty() || (kind_.has_many_agents && ended_.size() < 5 && pick(40) == 0)) {
      begin_agent();
    } else if (kind_.has_many_agents && pick(40) == 0) {
      end_agent();
      if (blocks_.empty()) begin_agent();
    }
    const block& one = blocks_[pick(static_cast<unsigned>(blocks_.size()))];
    if (pick(100) < kind_.accesses) {
      access(one, pick(static_cast<unsigned>(one.lanes.size())));
    } else {
      synchronize(one);
    }
  }

  void access(const block& one, unsigned lane) {
    const unsigned thread = active[lane];
    const auto* const code = reinterpret_cast<const void*>(std::uintptr_t{now_});
    const auto does = pick(100) < kind_.writes ? direction::write : direction::read;
    const unsigned place = pick(3);
    const bool is_inside = pick(8) != 0;
    std::uintptr_t address = (is_inside ? base + 64 : std::uintptr_t{4096}) + 8 * place;
    unsigned bytes = 4;
    if (kind_.mixes_sizes) {
      bytes = 1u << pick(4);
      address += pick(8 / bytes) * bytes;
    }
    // Now and then, a plain access goes to an atomic location.
    if (pick(10) == 0) address = base + 256;
    note(std::string(does == direction::read ? "reads " : "writes ") +
             std::to_string(address % base) + " bytes " + std::to_string(bytes),
         one, lane);
    const bool is_done =
        is_inside && pick(2) == 0 && access_quickly(one, thread, address, bytes, does, code);
    if (!is_done) detector_.access(*one.clock, thread, address, bytes, does, code);
    met_ = oracle_.access(one.lanes[lane], address, bytes, does);
    address_ = address;
  }

  // Like an earlier iteration of a loop: an access from the same code address that cannot race.
  bool access_quickly(const block& one, unsigned thread, std::uintptr_t address, unsigned bytes,
                      direction does, const void* code) {
    const std::uintptr_t own = base + 4096 + 4 * (std::uintptr_t{one.number} * threads + thread);
    detector_.access(*one.clock, thread, own, 4, direction::read, code);
    return detector_.access_quickly(*one.clock, thread, address, bytes, does, code);
  }

  void strong_access(const block& one, unsigned lane) {
    const unsigned thread = active[lane];
    const auto* const code = reinterpret_cast<const void*>(std::uintptr_t{now_});
    const auto does = static_cast<direction>(pick(3));
    const bool is_volatile = pick(5) == 0 && does != direction::update && !kind_.mixes_scopes;
    const scope reach = is_volatile ? scope::system : pick_scope();
    order ordering = static_cast<order>(pick(5));
    if (pick(2) == 0 || is_volatile || kind_.releases_nothing) ordering = order::relaxed;
    if (does == direction::read && ordering == order::release) ordering = order::relaxed;
    if (does == direction::write && ordering == order::acquire) ordering = order::relaxed;
    std::uintptr_t address = base + 256 + 8 * pick(2);
    unsigned bytes = 4;
    if (kind_.mixes_sizes && pick(12) == 0) bytes = 2u << pick(3);
    if (bytes == 16) bytes = 8;
    if (pick(12) == 0) address = base + 64;
    static const char* const orders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    static const char* const ways[] = {"reads ", "writes ", "updates "};
    note(ways[static_cast<int>(does)] + std::to_string(address % base) + " bytes " +
             std::to_string(bytes) + " atomically, " + orders[static_cast<int>(ordering)] +
             ", scope " + std::to_string(static_cast<int>(reach)),
         one, lane);
    detector_.strong_access(*one.clock, thread, address, bytes, does,
                            is_volatile ? strength::relaxed_volatile : strength::atomic, reach,
                            ordering, code);
    met_ = oracle_.access(one.lanes[lane], address, bytes, does, true, reach, ordering);
    address_ = address;
  }

  void synchronize(const block& one) {
    const unsigned lane = pick(static_cast<unsigned>(one.lanes.size()));
    const unsigned what = pick(100);
    if (what < 55) return strong_access(one, lane);
    if (what < 70 && !kind_.releases_nothing) {
      const scope reach = pick_scope();
      note("fences, scope " + std::to_string(static_cast<int>(reach)), one, lane);
      detector_.fence(*one.clock, active[lane], reach);
      oracle_.fence(one.lanes[lane], reach);
      return;
    }
    if (one.is_host) return;
    if (what < 85) {
      const unsigned warp = active[lane] / lanes_per_warp;
      std::uint32_t mask = pick(3) == 0 ? ~0u : static_cast<std::uint32_t>(random_()) & 15;
      mask |= 1u << active[lane] % lanes_per_warp;
      note("syncs its warp, lanes " + std::to_string(mask), one, lane);
      detector_.warp_sync(*one.clock, warp, mask);
      meet(one, [&](unsigned thread) {
        return thread / lanes_per_warp == warp && (mask >> thread % lanes_per_warp & 1) != 0;
      });
      return;
    }
    if (what < 90) {
      note("and its block meet", one, lane);
      detector_.block_barrier(*one.clock);
      meet(one, [](unsigned) { return true; });
      return;
    }
    if (what < 96 && !kind_.releases_nothing) {
      std::vector<unsigned> some;
      const bool has_first_warp = pick(2) == 0;
      const std::uint32_t chosen = static_cast<std::uint32_t>(random_());
      for (unsigned thread = 0; thread < threads; ++thread) {
        const bool is_in = has_first_warp && thread < lanes_per_warp;
        const bool is_active = std::ranges::find(active, thread) != std::end(active);
        if (is_in || (is_active && (chosen >> thread % lanes_per_warp & 1) != 0)) {
          some.push_back(thread);
        }
      }
      std::ranges::shuffle(some, random_);
      std::string who = "and some meet:";
      for (const unsigned thread : some) who += " " + std::to_string(thread);
      note(who, one, lane);
      detector_.partial_barrier(*one.clock, some);
      meet(one, [&](unsigned thread) { return std::ranges::find(some, thread) != some.end(); });
      return;
    }
    if (what < 98 && !clusters_.empty()) {
      const auto& together = clusters_[pick(static_cast<unsigned>(clusters_.size()))];
      note("sees a cluster meet", one, lane);
      detector_.cluster_barrier(together);
      oracle_.meet(all_lanes([&](const block& each) {
        return std::ranges::find(together, each.clock) != together.end();
      }));
      return;
    }
    note("and its grid meet", one, lane);
    detector_.grid_barrier(one.of);
    oracle_.meet(all_lanes([&](const block& each) { return each.of == one.of; }));
  }

  void meet(const block& one, auto is_in) {
    std::vector<unsigned> lanes;
    for (std::size_t i = 0; i < one.lanes.size(); ++i) {
      if (is_in(active[i])) lanes.push_back(one.lanes[i]);
    }
    oracle_.meet(lanes);
  }

  void note(const std::string& what, const block& one, unsigned lane) {
    log_ += std::to_string(now_) + ": block " + std::to_string(one.number) + " thread " +
            std::to_string(active[lane]) + " " + what + "\n";
  }

  // Detector and oracle must report the first race of each piece of memory at the same event. Later
  // races may differ, because the detector drops the history of what raced.
  std::string compare() {
    const std::vector<race> found = std::move(found_);
    const std::vector<std::size_t> met = std::move(met_);
    found_.clear();
    met_.clear();
    const std::string when = " at event " + std::to_string(now_);
    const std::uintptr_t piece = address_ / 8;
    const bool is_first = first_.count(piece) == 0;
    if (is_first && !found.empty() && met.empty()) return "a false alarm" + when;
    if (!met.empty() && first_.try_emplace(piece, now_).second && found.empty()) {
      ++missed_;
      if (!kind_.may_miss) return "a missed race" + when;
    }
    if (found.empty() || !is_first) return {};
    if (found.size() != 1) return "more than one race" + when;
    if (reinterpret_cast<std::uintptr_t>(found[0].second.code) != now_) {
      return "the wrong second side" + when;
    }
    // Similar reads by lanes of a warp share one entry, with the code of the first lane.
    const bool is_right = std::ranges::any_of(met, [&](std::size_t number) {
      const lane_name& lane = names_[oracle_.at(number).lane];
      return lane.of == found[0].first.of && lane.block == found[0].first.block &&
             lane.thread == found[0].first.thread;
    });
    return is_right ? "" : "the wrong first side" + when;
  }

  std::mt19937_64 random_;
  flavour kind_;
  race_detector detector_;
  oracle oracle_;
  std::vector<block> blocks_;
  std::vector<std::vector<block_clock*>> clusters_;
  std::vector<ended> ended_;
  unsigned next_block_ = 0;
  unsigned now_ = 0;
  std::vector<race> found_;
  std::vector<std::size_t> met_;
  std::uintptr_t address_ = 0;
  std::map<std::uintptr_t, unsigned> first_;  // by piece of memory: the event of the first race
  std::vector<lane_name> names_;              // by the oracle's number of a lane
  unsigned missed_ = 0;
  std::string log_;
};

std::uint64_t environment_number(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct totals {
  unsigned races = 0;
  unsigned missed = 0;
  unsigned silent_programs = 0;
};

totals agree(flavour kind, unsigned programs, unsigned events) {
  const std::uint64_t seed = heddle_test::seed();
  const std::uint64_t more = environment_number("HEDDLE_RACE_PROGRAMS", 1);
  totals all;
  for (std::uint64_t i = 0; i < programs * more; ++i) {
    random_program program(seed + i, kind);
    const std::string complaint = program.run(events);
    EXPECT_EQ(complaint, "") << program.log() << "HEDDLE_SEED=" << seed + i;
    if (!complaint.empty()) break;
    all.races += program.races();
    all.missed += program.missed();
    all.silent_programs += program.races() == 0;
  }
  return all;
}

TEST(race_detector_and_oracle, agree_on_programs_of_one_grid) {
  const totals dense = agree({.accesses = 30}, 300, 120);
  const totals sparse = agree({.accesses = 4}, 300, 250);
  EXPECT_GT(dense.races, 100u);
  EXPECT_GT(sparse.races, 100u);
  // Short programs often have no race: the detector must then report nothing.
  const totals brief = agree({.accesses = 4}, 300, 60);
  EXPECT_GT(brief.silent_programs, 30u);
}

// Two readers stand for all others: no race is lost, and the right one is reported.
TEST(race_detector_and_oracle, agree_without_messages_if_only_two_readers_are_kept) {
  constexpr history_limits two_readers{.most_accesses = 1000, .most_blocks = 1000};
  const totals one_grid = agree(
      {.releases_nothing = true, .accesses = 60, .writes = 8, .limits = two_readers}, 600, 120);
  const totals many = agree({.mixes_sizes = true,
                             .has_many_agents = true,
                             .releases_nothing = true,
                             .accesses = 60,
                             .writes = 8,
                             .limits = two_readers},
                            600, 120);
  EXPECT_GT(one_grid.races, 100u);
  EXPECT_GT(many.races, 100u);
}

TEST(race_detector, makes_no_false_alarm_if_only_two_readers_are_kept) {
  const totals all = agree({.has_many_agents = true,
                            .may_miss = true,
                            .accesses = 40,
                            .writes = 10,
                            .limits = {.most_accesses = 1000, .most_blocks = 1000}},
                           300, 120);
  EXPECT_GT(all.races, 100u);
}

// A cell has room for fifteen older writes, and overlapping sizes may need more: once in 15,000
// programs a race is reported later than by the oracle.
TEST(race_detector_and_oracle, agree_on_accesses_of_all_sizes) {
  const totals all = agree({.mixes_sizes = true, .may_miss = true, .accesses = 10}, 300, 150);
  EXPECT_GT(all.races, 100u);
  EXPECT_LE(all.missed, all.races / 100);
}

TEST(race_detector_and_oracle, agree_on_grids_and_host_actions) {
  const totals all = agree({.has_many_agents = true, .accesses = 10}, 300, 250);
  EXPECT_GT(all.races, 100u);
}

// An atomic of a narrow scope is compared only with the newest of those that follow each other, so
// a few races are reported later than by the oracle.
TEST(race_detector_and_oracle, agree_on_nearly_all_programs_that_mix_scopes) {
  const totals all = agree(
      {.mixes_scopes = true, .has_many_agents = true, .may_miss = true, .accesses = 8}, 300, 200);
  EXPECT_GT(all.races, 100u);
  EXPECT_LT(all.missed, all.races / 20);
}

TEST(race_detector, makes_no_false_alarm_after_dropping_history) {
  const totals all = agree(
      {.mixes_sizes = true, .may_miss = true, .accesses = 10, .limits = {.most_segments = 40}}, 200,
      250);
  EXPECT_GT(all.missed, 0u);
}

TEST(race_detector, makes_no_false_alarm_if_cells_are_full) {
  const totals all = agree({.mixes_sizes = true,
                            .has_many_agents = true,
                            .may_miss = true,
                            .accesses = 20,
                            .limits = {.most_accesses = 2, .most_blocks = 1}},
                           200, 250);
  EXPECT_GT(all.races, 100u);
}

}  // namespace
}  // namespace heddle_checker
