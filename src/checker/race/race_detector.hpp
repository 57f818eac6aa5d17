// Finds accesses to the same memory that nothing orders; takes and returns plain values.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checker/race/access.hpp"
#include "checker/race/agents.hpp"
#include "checker/race/block_clock.hpp"
#include "checker/race/code_table.hpp"
#include "checker/race/past_stores.hpp"
#include "checker/race/publications.hpp"
#include "checker/race/shadow.hpp"
#include "checker/race/timeline.hpp"

namespace heddle_checker {

// How much history is kept before it is dropped. Dropping it never causes a false alarm; it loses
// races between accesses before and after that moment.
struct history_limits {
  segment_id most_segments = record::no_segment - 1;
  segment_id worth_clearing = 1u << 24;  // segments or releases, when everything so far is ordered
  // Per cell: unordered accesses, and the blocks that they belong to. A write that races only with
  // an access that was not kept goes unnoticed.
  unsigned most_accesses = 32;
  unsigned most_blocks = 4;
  // Of the plain reads of one word that nothing orders, two by different warps or blocks stand for
  // all others: any write that races with a read races with one of these. That holds as long as no
  // lane releases to only some of the lanes, by a fence for example. Until the first lane does so,
  // the other reads are not kept, unless this is set.
  bool keeps_all_readers = false;
};

// Happens-before by the PTX memory model: two conflicting accesses race unless causality orders
// them or both are strong, on the same bytes, and in each other's scope. Not thread-safe. The arena
// must start at a multiple of shadow::line_bytes.
class race_detector {
 public:
  using listener = std::function<void(const race&)>;  // called at the first race of each code pair

  race_detector(std::uintptr_t arena_base, std::size_t arena_bytes, listener on_race,
                history_limits limits = {});
  ~race_detector();
  race_detector(const race_detector&) = delete;
  race_detector& operator=(const race_detector&) = delete;

  // Agents are what streams, events and the host order. Each names the agents that it comes after,
  // all of whose blocks have ended; what those come after is included. A host action is a block of
  // one thread that ends with end_block(); copies and memsets are such actions, too.
  agent begin_grid(std::span<const agent> known, unsigned device = 0);
  // A grid that a lane launches comes after `known` and after everything that came before the
  // launch in the lane; release_to_child() returned that clock. Although it runs when the blocks of
  // the lane's grid have ended, nothing else of that grid happens before it.
  agent begin_child_grid(agent parent, std::span<const agent> known, const vector_clock& at_launch);
  block_clock* begin_child_action(agent parent, std::span<const agent> known,
                                  const vector_clock& at_launch);
  vector_clock release_to_child(block_clock& block, unsigned thread) {
    return release_to_barrier(block, thread);
  }
  void end_grid(agent grid);  // and its blocks that have not ended yet
  block_clock* begin_host_action(std::span<const agent> known);
  agent agent_of(const block_clock& block) const { return block.of; }

  // `shared`: memory that no other block can reach and whose contents begin with this block, so it
  // need not be forgotten. Blocks of a cluster can reach each other's: forget it instead.
  block_clock* begin_block(agent grid, std::uint64_t linear_block, unsigned threads,
                           std::uintptr_t shared_base = 0, std::size_t shared_bytes = 0);
  void form_cluster(std::span<block_clock* const> blocks);
  void end_block(block_clock* block);

  // A plain access of any size. Not for stacks, whose addresses are reused all the time.
  [[gnu::always_inline]] void access(block_clock& block, unsigned thread, std::uintptr_t address,
                                     std::size_t bytes, direction does, const void* code);
  // The same for one to four aligned words of the arena, or a piece of one, if one look at each
  // cell is enough. False: it is not, and access() has to be called.
  [[gnu::always_inline]] bool access_quickly(block_clock& block, unsigned thread,
                                             std::uintptr_t address, std::size_t bytes,
                                             direction does, const void* code);
  // An atomic or volatile access with its memory order. A failed compare-and-swap is a read;
  // volatile accesses and CUDA's own atomics are relaxed.
  [[gnu::always_inline]] void strong_access(block_clock& block, unsigned thread,
                                            std::uintptr_t address, unsigned bytes, direction does,
                                            strength how, scope reach, order ordering,
                                            const void* code, late_value* value = nullptr) {
    if (does == direction::update && ordering == order::relaxed && how == strength::atomic &&
        bytes == shadow::granule && updates_again(block, thread, address, reach, code)) {
      return;
    }
    strong_access_in_general(block, thread, address, bytes, does, how, reach, ordering, code,
                             value);
  }
  void fence(block_clock& block, unsigned thread, scope reach, order ordering = order::acq_rel);
  // The store that the last volatile load has read, if the lane only appears to come after it. The
  // load could also return the value from before that store.
  struct unfenced_store {
    side by;
    bool is_published;  // the lane has read a later store of the same thread
    bool is_same_warp;
  };
  [[nodiscard]] const std::optional<unfenced_store>& unfenced() const { return unfenced_; }

  // From now on strong loads return any store that the model allows, and stores may precede others
  // in coherence order; `choose` picks. Sequentially consistent fences then order each other. Race
  // detection does without that, since it would hide some races.
  void let_loads_be_late(store_choice choose) { choose_store_ = std::move(choose); }
  // Whether a load has returned a promised store although the model does not allow it.
  [[nodiscard]] bool refuses_early_load() const { return early_ && early_->is_refused; }

  // The block clock that does the asynchronous copies of a block, lane by lane. The next accesses
  // of its lane `thread` come after everything that the block's lane comes after. Only lanes that
  // have waited for the copies come after them. Copies of one lane come after each other.
  block_clock& ask_for_copy(block_clock& block, unsigned thread);
  // The copies that the lane has issued so far.
  vector_clock copies_so_far(block_clock& block, unsigned thread);
  void has_awaited(block_clock& block, unsigned thread, const vector_clock& what) {
    learn(block, thread, what);
  }

  // Barriers and warp synchronisation, called when complete. Lanes that have exited count as
  // arrived: name them with the others, as the mask does. Shuffles and votes order nothing.
  void warp_sync(block_clock& block, unsigned warp, std::uint32_t lanes);
  void block_barrier(block_clock& block);
  void partial_barrier(block_clock& block, std::span<const unsigned> threads);
  void cluster_barrier(std::span<block_clock* const> blocks);
  void grid_barrier(agent grid);

  // What a lane releases to a named barrier. Lanes that wait there acquire it by has_awaited().
  vector_clock release_to_barrier(block_clock& block, unsigned thread);

  // Clears the history of these bytes: they have just been allocated or freed.
  void forget(std::uintptr_t address, std::size_t bytes);

  // The last recorded write to these four bytes.
  std::optional<side> last_writer(std::uintptr_t address);

  std::vector<counted_race> races() const;
  void forget_races();  // they are reported again
  // Whether a lane has released to others than its whole block. Before that, not all readers were
  // kept, unless the limits say so.
  bool has_released() const { return has_released_; }
  // How often history was dropped when that could lose a race.
  unsigned losses() const { return losses_; }
  std::size_t reader_sets_in_use() { return shadow_.reader_sets().in_use(); }

 private:
  // Order.
  [[gnu::always_inline]] bool comes_before(record old, const block_clock& block,
                                           std::uint64_t stamp) const;
  bool is_of_same_block(instance_id owner, const block_clock& block) const;
  bool is_wholly_ordered(segment_id segment, instance_id owner, unsigned warp,
                         const block_clock& block, unsigned me, std::uintptr_t address) const;
  bool has_learned_of(segment_id segment, instance_id owner, unsigned thread,
                      const block_clock& block, unsigned me) const;
  bool is_ordered(record old, const block_clock& block, unsigned me, std::uintptr_t address) const;
  std::uint32_t ordered_lanes(const access_entry& old, const block_clock& block, unsigned me,
                              std::uintptr_t address) const;
  bool is_unreachable(record old, const block_clock& block, std::uintptr_t address) const;
  bool includes(force how, instance_id issuer, instance_id other) const;
  bool are_strong_together(record old, record fresh, const block_clock& block) const;
  bool replaces(record fresh, bool fresh_writes, const access_entry& old,
                const block_clock& block) const;

  // One cell.
  [[gnu::always_inline]] bool read_simply(const cell& where, const block_clock& block,
                                          unsigned thread, const void* code);
  [[gnu::always_inline]] bool write_simply(const cell& where, const block_clock& block,
                                           unsigned thread, const void* code);
  struct newcomer {
    record what;
    direction does;
    unsigned thread;
    std::uintptr_t address;
    bool writes() const { return does != direction::read; }
  };
  void remember(const cell& where, block_clock& block, const newcomer& fresh);
  bool updates_simply(const cell& where, const block_clock& block, const newcomer& fresh);
  bool reads_simply_in_reader_set(const cell& where, const block_clock& block,
                                  const newcomer& fresh);
  bool is_first_read_of_second_warp(record read, const block_clock& block, record fresh) const;
  bool is_before_whole_block(record old, const block_clock& block, std::uintptr_t address) const;
  bool is_first_read_of_second_block(record read, const block_clock& block,
                                     const newcomer& fresh) const;
  void begin_reader_set(const cell& where, const block_clock& block, const newcomer& fresh);
  bool forgets_past_reader_set(const cell& where, const block_clock& block);
  void settle(const cell& where, const block_clock& block, const newcomer& fresh);
  bool two_readers_suffice() const { return !has_released_ && !limits_.keeps_all_readers; }
  void gather(const cell& where);
  void put_back(const cell& where, record newest);
  write_set writes_before(record newest, const block_clock& block, const newcomer& fresh) const;
  write_set find_race(record newest, const block_clock& block, const newcomer& fresh,
                      write_set before, bool is_strong_with_newest);
  void drop_raced(write_set raced, record& newest);
  bool add_read(const newcomer& fresh, const block_clock& block, write_set after,
                write_set witness_of);
  void make_newest(record newest, const block_clock& block, const newcomer& fresh, write_set after,
                   write_set seen_only);
  write_set add_older_write(record newest);
  std::uint32_t lanes_before(const access_entry& old, const block_clock& block,
                             const newcomer& fresh, write_set before) const;
  bool has_room_for(instance_id block) const;
  bool is_between(write_set which, write_set seen_by_fresh) const;
  void note_follower(const block_clock& block, const newcomer& fresh, write_set after);
  void drop_replaced(const block_clock& block, const newcomer& fresh, write_set& after);
  void forget_write(write_set which);
  void report(const access_entry& old, unsigned thread, const newcomer& fresh);
  side side_of(record what, unsigned thread, direction does) const;
  void find_program_order(record old, unsigned thread, const newcomer& fresh, race& in) const;

  // All cells of an access.
  void access_words(block_clock& block, unsigned thread, std::uintptr_t address, std::size_t bytes,
                    direction does, const void* code);
  bool is_settled(const cell& where, const block_clock& block) const;
  [[gnu::always_inline]] bool reads_quickly(const block_clock& block, unsigned thread,
                                            std::uintptr_t address, unsigned code);
  [[gnu::always_inline]] bool writes_quickly(const block_clock& block, unsigned thread,
                                             std::uintptr_t address, unsigned code);
  [[gnu::always_inline]] bool is_past(record old, const block_clock& block) const;
  [[gnu::always_inline]] bool stands_for_reads(record read, const block_clock& block,
                                               std::uint64_t stamp) const;
  [[gnu::always_inline]] bool read_piece_simply(const block_clock& block, unsigned thread,
                                                std::uintptr_t address, std::size_t bytes,
                                                unsigned code);
  void access_piece(block_clock& block, unsigned thread, std::uintptr_t address, std::size_t bytes,
                    direction does, const void* code);
  [[gnu::always_inline]] bool access_simply(const cell& where, const block_clock& block,
                                            unsigned thread, direction does, const void* code) {
    return does == direction::read ? read_simply(where, block, thread, code)
                                   : write_simply(where, block, thread, code);
  }
  [[gnu::always_inline]] bool updates_again(const block_clock& block, unsigned thread,
                                            std::uintptr_t address, scope reach, const void* code);
  void strong_access_in_general(block_clock& block, unsigned thread, std::uintptr_t address,
                                unsigned bytes, direction does, strength how, scope reach,
                                order ordering, const void* code, late_value* value);
  void access_in_general(block_clock& block, unsigned thread, std::uintptr_t address,
                         std::size_t bytes, direction does, const void* code);

  // Releases and acquires.
  scope_ids scope_ids_of(const block_clock& block) const;
  vector_clock everything_known(const block_clock& block, unsigned thread) const;
  void learn(block_clock& block, unsigned thread, const vector_clock& what);
  void acquire(block_clock& block, unsigned thread, std::uintptr_t location, scope reach,
               const publications::message* released, bool is_acquire);
  void release(block_clock& block, unsigned thread, std::uintptr_t location, scope reach,
               bool is_release);

  // The apparent order.
  void publish_apparently(block_clock& block, unsigned thread, std::uintptr_t location,
                          bool is_update);
  void learn_apparently(block_clock& block, unsigned thread, std::uintptr_t location);
  void note_unfenced(record newest, const block_clock& block, const newcomer& fresh);
  void share_apparent_order(std::span<block_clock* const> blocks);
  void share_apparent_order(block_clock& block, std::span<const unsigned> threads);
  void forget_apparent_order(std::uintptr_t address, std::size_t bytes);

  // Late and early loads.
  struct past_choice {
    past_stores::location* past = nullptr;
    const past_stores::store* older = nullptr;  // what a load returns instead of the newest
    std::size_t place = 0;                      // of a store, in coherence order
  };
  std::optional<record> newest_writer(std::uintptr_t address, unsigned bytes);
  past_choice choose_past(block_clock& block, unsigned thread, std::uintptr_t address,
                          unsigned bytes, direction does, late_value& value);
  void keep_store(const past_choice& chosen, std::uintptr_t address, record fresh,
                  const late_value& value, publications::message newest);
  void judge_early_load(const block_clock& block, unsigned thread, std::uintptr_t address);
  void keep_early_load(const past_choice& chosen, std::uintptr_t address);
  void join_sequence(block_clock& block, unsigned thread, scope reach);

  // Segments.
  block_clock* add_block(agent of, std::uint64_t linear_block, unsigned threads);
  void add_copies(block_clock& block);
  bool is_of_copies(const block_clock& block) const;
  void sync_part_of_warp(block_clock& block, unsigned warp, std::span<const unsigned> threads);
  void move_on(block_clock& block, unsigned thread);
  void move_all_on(block_clock& block, segment_id segment);
  agent begin_agent(std::span<const agent> known, bool is_host, unsigned device);
  void learn_all(const block_clock& block, vector_clock& all) const;
  void make_room(std::size_t segments);
  void forget_everything();

  shadow shadow_;
  timeline timeline_;
  agents agents_;
  publications publications_;
  bool follows_apparent_order_ = false;              // from the first volatile access on
  std::map<std::uintptr_t, vector_clock> apparent_;  // what newest stores appear to release
  std::optional<unfenced_store> unfenced_;
  past_stores past_;
  store_choice choose_store_;  // empty: loads return the newest store
  struct early_load {
    std::uintptr_t address;
    record by;
    bool is_refused;
  };
  std::optional<early_load> early_;  // its promised store is still to come
  code_table codes_;
  std::vector<std::unique_ptr<block_clock>> blocks_;  // resident
  history_limits limits_;
  unsigned losses_ = 0;
  bool has_released_ = false;  // a lane, to others than its whole block

  std::vector<access_entry> others_;  // of the current cell, without the newest write
  write_set newest_after_ = 0;        // of its newest write
  write_set newest_witness_of_ = 0;
  bool is_reported_ = false;  // a race of the current access
  listener on_race_;
  std::unordered_map<std::uint64_t, std::size_t> known_pairs_;
  std::vector<counted_race> races_;
};

}  // namespace heddle_checker

#include "checker/race/simple_accesses.hpp"
