// Loads that return older stores, and stores that precede others in coherence order, as far as the
// PTX memory model allows.
#include <array>
#include <utility>
#include <vector>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {
namespace {

// Where sequentially consistent fences synchronise; not an address of a program.
constexpr std::uintptr_t sequence = 0;

}  // namespace

// The newest writer of the bytes; nothing if they were not written by one access.
std::optional<record> race_detector::newest_writer(std::uintptr_t address, unsigned bytes) {
  std::optional<record> newest;
  bool is_one = true;
  shadow_.for_each_cell(address, bytes, [&](const cell& where, std::uintptr_t) {
    is_one = is_one && (!newest || newest->bits == where.write->bits);
    newest = *where.write;
  });
  return is_one ? newest : std::nullopt;
}

// All stores to a location are in one coherence order, in which a lane never goes back: not before
// what it has stored or read, nor before what any access that happens before it has stored or read.
race_detector::past_choice race_detector::choose_past(block_clock& block, unsigned thread,
                                                      std::uintptr_t address, unsigned bytes,
                                                      direction does, late_value& value) {
  const std::optional<record> newest = newest_writer(address, bytes);
  past_stores::location* past = past_.find(address);
  // After a plain write, or one of other bytes, every load without a race returns that write.
  if (past != nullptr && (past->bytes != bytes || !newest || newest->bits != past->latest.bits)) {
    past_.forget(address, 1);
    past = nullptr;
  }
  if (past == nullptr) {
    if (does == direction::read) return {};
    const publications::message* const released = publications_.find(address);
    past = &past_.begin(address, bytes,
                        {value.held,
                         newest.value_or(record{}),
                         released == nullptr ? publications::message() : *released,
                         {}});
  }
  std::vector<past_stores::store>& stores = past->stores;
  // A store is recorded before it happens, so its value is known only now.
  stores.back().value = value.held;
  const std::size_t count = stores.size();
  if (does == direction::update) return {past, nullptr, count};

  const std::size_t first =
      past->first_allowed([&](record old) { return is_ordered(old, block, thread, address); });
  if (does == direction::write) {
    if (!value.stored) return {past, nullptr, count};
    // Nothing comes between an update and the store that it has read.
    std::vector<std::size_t> places{count};
    for (std::size_t place = count; place-- > first + 1;) {
      if (!stores[place].by.is_update()) places.push_back(place);
    }
    const std::size_t pick =
        places.size() == 1 ? 0 : choose_store_(static_cast<unsigned>(places.size()));
    value.is_overtaken = pick != 0;
    return {past, nullptr, places[pick]};
  }
  const auto allowed = static_cast<unsigned>(count - first);
  const unsigned age = allowed == 1 || value.takes_newest ? 0 : choose_store_(allowed);
  const std::size_t seen = count - 1 - age;
  const record load = record::make(block.lanes[thread].stamp, 0, force::plain, false, 0);
  if (seen == first) return {past, age == 0 ? nullptr : &stores[seen], 0};
  past->note_load(seen, load);
  value.is_news = true;
  return {past, age == 0 ? nullptr : &stores[stores.size() - 1 - age], 0};
}

// Called once the store is in the shadow and has released.
void race_detector::keep_store(const past_choice& chosen, std::uintptr_t address, record fresh,
                               const late_value& value, publications::message newest) {
  past_stores::store kept{value.stored.value_or(0), fresh, {}, {}};
  if (value.is_overtaken) {
    kept.released = publications_.take(address);
    publications_.put(address, std::move(newest));
  } else if (const publications::message* const released = publications_.find(address)) {
    kept.released = *released;
  }
  chosen.past->insert(chosen.place, std::move(kept));
}

// An access that comes after the early load must not read an older store there, nor store before
// it. The store that the load has returned must not come after the load.
void race_detector::judge_early_load(const block_clock& block, unsigned thread,
                                     std::uintptr_t address) {
  if (address != early_->address) return;
  early_->is_refused = early_->is_refused || is_ordered(early_->by, block, thread, address);
}

// A store that releases would have had to synchronise with the load.
void race_detector::keep_early_load(const past_choice& chosen, std::uintptr_t address) {
  if (early_->is_refused || publications_.find(address) != nullptr) {
    early_->is_refused = true;
    return;
  }
  chosen.past->stores.back().loads.push_back(early_->by);
  early_.reset();
}

// Of two sequentially consistent fences in each other's scope, one comes first, and everything
// before it happens before the other.
void race_detector::join_sequence(block_clock& block, unsigned thread, scope reach) {
  const scope_ids whose = scope_ids_of(block);
  if (const publications::message* const released = publications_.find(sequence)) {
    learn(block, thread, publications::acquire(*released, whose, reach));
  }
  by_scope all;
  const vector_clock mine = everything_known(block, thread);
  for (unsigned level = 0; level <= static_cast<unsigned>(reach); ++level) all[level] = mine;
  publications_.release(sequence, whose, all);
}

}  // namespace heddle_checker
