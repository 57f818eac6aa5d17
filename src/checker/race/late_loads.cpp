// Loads that return an older store, and stores that others have overtaken, as far as the PTX memory
// model allows it.
#include <array>
#include <utility>
#include <vector>

#include "checker/race/race_detector.hpp"

namespace heddle_checker {
namespace {

// Where fences that are sequentially consistent speak to each other: no location of a program.
constexpr std::uintptr_t sequence = 0;

}  // namespace

// Nothing if the bytes were not written by one access.
std::optional<record> race_detector::newest_writer(std::uintptr_t address, unsigned bytes) {
  std::optional<record> newest;
  bool is_one = true;
  shadow_.for_each_cell(address, bytes, [&](const cell& where, std::uintptr_t) {
    is_one = is_one && (!newest || newest->bits == where.write->bits);
    newest = *where.write;
  });
  return is_one ? newest : std::nullopt;
}

// Coherence gives the stores of a location one order. In it, a lane never goes back: not behind
// what it has stored or seen, and not behind what those have stored or seen that it comes after.
race_detector::past_choice race_detector::choose_past(block_clock& block, unsigned thread,
                                                      std::uintptr_t address, unsigned bytes,
                                                      direction does, late_value& value) {
  const std::optional<record> newest = newest_writer(address, bytes);
  past_stores::location* past = past_.find(address);
  // After a plain write, or one of other bytes, whoever reads without a race sees that.
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
  // A store is told of before it happens, so only now is it known what it has stored.
  stores.back().value = value.held;
  const std::size_t count = stores.size();
  if (does == direction::update) return {past, nullptr, count};

  const std::size_t first =
      past->first_allowed([&](record old) { return is_ordered(old, block, thread, address); });
  if (does == direction::write) {
    if (!value.stored) return {past, nullptr, count};
    // Nothing comes between an update and what it has seen.
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
  const record look = record::make(block.lanes[thread].stamp, 0, force::plain, false, 0);
  if (seen == first) return {past, age == 0 ? nullptr : &stores[seen], 0};
  past->note_look(seen, look);
  value.is_news = true;
  return {past, age == 0 ? nullptr : &stores[stores.size() - 1 - age], 0};
}

// The store has been told to the shadow and has said what it says.
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

// Whoever comes after the early load must not see an older store there, nor store before it; and
// the store that it has returned does not come after it.
void race_detector::judge_early_load(const block_clock& block, unsigned thread,
                                     std::uintptr_t address) {
  if (address != early_->address) return;
  early_->is_refused = early_->is_refused || is_ordered(early_->by, block, thread, address);
}

// A store that says something would have had to say it to the load.
void race_detector::keep_early_load(const past_choice& chosen, std::uintptr_t address) {
  if (early_->is_refused || publications_.find(address) != nullptr) {
    early_->is_refused = true;
    return;
  }
  chosen.past->stores.back().looks.push_back(early_->by);
  early_.reset();
}

// Of two such fences that reach each other's lanes, one comes first, and all that comes before it
// comes before the other.
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
