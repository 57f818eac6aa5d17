"""Faults to plant in a copy of the headers, one at a time, and the small program that must notice each."""

import dataclasses

from proving import case


@dataclasses.dataclass(frozen=True)
class fault:
    name: str
    sentence: str
    file: str
    old: str  # occurs in the file exactly once
    new: str
    tried_on: case
    schedule: str = "exhaustive"  # or kinds of schedules with seeds
    seeds: int = 60
    why_not: str = ""  # noticed, as far as we know

    def is_lowered(self):
        """Not for `weak`: there pops keep polling as often as usual, so that they are not why a push fails."""
        return self.schedule != "weak"


def queue(words, preemptions=None):
    return case("queue", words, preemptions)


def stack(words, preemptions=None):
    return case("stack", words, preemptions)


# A pop draws its ticket and stops; others go around the ring and pass its cell; then a push fills it, too late.
around_a_stopped_pop = queue("tight_ring 2 1 + - + +- -", 2)

mistakes = [
    fault("blocked_is_ignored", "an enqueue fills a cell that its dequeue has passed", "container/ring.cuh",
          "(held & (ring_cell::full | ring_cell::blocked)) == 0", "(held & ring_cell::full) == 0",
          around_a_stopped_pop),
    fault("nothing_blocks", "a dequeue passes a full cell without a mark", "container/ring.cuh",
          "sync::bit_or(cell, ring_cell::blocked)", "sync::load(cell)", around_a_stopped_pop),
    fault("lap_is_not_new", "an enqueue fills a cell that was given up in its own lap", "container/ring.cuh",
          "ring_cell::laps_ahead(lap, ring_cell::lap(held)) > 0",
          "ring_cell::laps_ahead(lap, ring_cell::lap(held)) >= 0", queue("ring 4 1 . + -")),
    fault("given_up_by_a_store", "a dequeue gives its cell up without asking whether it is still empty",
          "container/ring.cuh", "sync::compare_exchange(cell, held, ring_cell::free_after(lap)) == held",
          "(sync::store(cell, ring_cell::free_after(lap)), true)", queue("ring 4 1 . + -")),
    fault("stale_look", "a pop looks at the tail before the head, and calls the queue empty",
          "container/ring.cuh",
          "      const ticket head = sync::load(&at_->head.count);\n"
          "      ticket tail = sync::load(&at_->tail.count);\n"
          "      if (static_cast<long long>(tail - head) <= 0) {",
          "      ticket tail = sync::load(&at_->tail.count);\n"
          "      const ticket head = sync::load(&at_->head.count);\n"
          "      if (false) {", queue("ring 4 1 + +- -")),
    fault("gives_up_at_once", "a dequeue that has given its cell up calls the queue empty", "container/ring.cuh",
          "contains(left, lane_id()) && !has_value);", "false);", queue("ring 4 1 . + +-")),
    fault("waits_for_ever", "a dequeue waits for an enqueue that has stopped", "container/ring.cuh",
          "looks++ < most_looks_", "looks++ >= 0", queue("ring 4 1 . + -"), "freeze", 40),
    fault("place_is_kept", "a pop does not give back the place of its value", "container/queue.cuh",
          "  give_back(count(__ballot_sync(members, has_value)), members);\n", "", queue("words 1 1 + -+ -")),
    fault("place_of_none", "a push that gets no place keeps what it has counted", "container/queue.cuh",
          "      if (granted < wanted) sync::add(taken_places_, granted - wanted);\n", "",
          queue("words 1 1 . + +-+")),
    fault("no_version", "the top of a stack of nodes is identified by its node alone", "container/index_stack.cuh",
          "seen.version + 1)", "seen.version)", stack("linked 2 1 ++ - -+ -", 3)),
    fault("exchange_is_believed", "a pop does not ask whether the top was still the same",
          "container/index_stack.cuh", "is_ours = exchange(seen, next);",
          "exchange(seen, next), is_ours = true;", stack("linked 2 1 ++ - -")),
    fault("top_is_stored", "a push puts its node on top without asking what is there",
          "container/index_stack.cuh", "if (exchange(seen, highest)) break;",
          "sync::store(top_, join(highest, seen.version + 1));\n        break;", stack("nodes 8 1 . + +")),
    fault("push_returns_early", "a lane goes on before the first one has put its node on the stack",
          "container/index_stack.cuh",
          "    __syncwarp(lanes);  // no lane goes on before its node is on the stack\n", "",
          stack("linked 4 2 . + -")),
    fault("version_stays", "the top of a stack is identified by its node alone", "container/node_list.cuh",
          "split(seen).version + 1)", "split(seen).version)", stack("words 2 1 ++ - -+ -", 3)),
    fault("pop_is_believed", "a pop does not ask whether the top was still the same", "container/node_list.cuh",
          "is_ours = exchange(seen, way.next) == seen;", "exchange(seen, way.next), is_ours = true;",
          stack("words 2 1 ++ - -")),
    fault("push_is_believed", "a push does not ask whether the top was still the same", "container/node_list.cuh",
          "        held = exchange(seen, highest);", "        exchange(seen, highest), held = seen;",
          stack("words 2 1 . + +")),
    fault("neighbours_above_are_taken", "a pop takes nodes that were popped before", "container/node_list.cuh",
          "static_cast<std::uint32_t>(word >> 32) & lanes_below(bit + 1)}", "static_cast<std::uint32_t>(word >> 32)}",
          stack("words 4 2 . + -")),
    fault("bits_are_stored", "a push takes a free node without asking whether it still is", "container/free_bits.cuh",
          "const std::uint32_t held = sync::bit_and(words_ + seen.word, ~claimed);",
          "const std::uint32_t held = seen.bits;\n    sync::store(words_ + seen.word, seen.bits & ~claimed);",
          stack("words 2 1 . + +")),
    fault("node_is_kept", "a pop does not give back the place of its value", "container/free_nodes.cuh",
          "      sync::add(taken_, 0u - static_cast<std::uint32_t>(who.size()));\n", "", stack("words 1 1 + -+ -")),
    fault("node_of_none", "a push that gets no node keeps what it has counted", "container/free_nodes.cuh",
          "    sync::add(taken_, room - asked);\n", "", stack("words 1 1 . + +-+")),
    fault("offer_is_taken_twice", "a pop takes an offer without asking whether it is still there",
          "container/offers.cuh",
          "sync::compare_exchange(seen.slot, seen.offered, rest) == seen.offered",
          "(sync::store(seen.slot, rest), true)",
          stack("offers 8 1 . + - -", 2)),
    fault("offer_is_pushed_too", "a push puts on the stack what was taken from its offer", "container/offers.cuh",
          "left = neighbours::split(sync::exchange(slot, next)).bits;", "sync::store(slot, next);",
          stack("offers 8 1 . + -")),
    fault("offers_wait_for_ever", "a push waits for a pop that has stopped", "container/offers.cuh",
          "        for (; looks > 0; --looks) {\n          wait", "        for (;; --looks) {\n          wait", stack("offers 8 1 . - +"), "freeze", 40),
    fault("place_is_kept_by_the_leader", "lanes go on while the leader of their pop still has their places",
          "container/free_nodes.cuh", "    who.sync();  // no lane goes on while the leader keeps its place\n", "",
          stack("words 2 2 ++ - ^")),
    fault("union_is_lost", "two lanes hang up the same root, and both believe it", "container/union_find.cuh",
          "(sync::compare_exchange(parents_ + larger, larger, smaller) == larger)",
          "(sync::compare_exchange(parents_ + larger, larger, smaller) != smaller + 1000)",
          case("sets", "3 . u01 u01")),
    fault("root_is_not_looked_at", "two sets are called apart by roots of different moments",
          "container/union_find.cuh", "if (is_root(one) && is_root(other)) return false;", "return false;",
          case("sets", "3 u12 a12 u01")),
]


# All keys of a map have the same home bucket, with two slots.
def table(words):
    return case("maps", words)


# Faults that no small program shows yet are tried on random histories.
def histories(cases):
    return case("histories", f"--gtest_filter={cases}")


maps = [
    fault("erased_is_free_at_once", "the slot of an erased key is used again in the same epoch",
          "container/hash_words.cuh", "Word::is_of_earlier_epoch(held, reserved_, head_->epoch)", "true",
          table("words 2 1 . i0 i1 e0i1")),
    fault("erased_is_free_at_once_in_sets", "the same, where two markers distinguish the epochs",
          "container/hash_word.cuh", "return held != erased(keys, epoch);", "return true;",
          table("keys 2 1 . i0 i1 e0i1")),
    fault("key_goes_at_once", "a key with a node leaves its slot before the epoch ends", "container/hash_nodes.cuh",
          "        ask_for_sweep();\n", "        sync::store(&slots_[at.slot].key, reserved_.erased);\n",
          table("nodes 2 1 . i0 i1 e0i1")),
    fault("first_free_slot_is_not_enough", "an insertion does not look behind a slot that is free",
          "container/hash_words.cuh", "if (!ends_in(seen) && move_on(one.bucket, key)) return true;",
          "if (free < 0 && !ends_in(seen) && move_on(one.bucket, key)) return true;",
          table("words 2 1 i0i1i2e0 . i2 f2")),
    fault("goes_on_where_it_was", "an insertion that was too slow does not begin anew", "container/hash_words.cuh",
          "      bucket = home;\n", "", table("words 2 1 i0i1e0e1 . i0 i1i0")),
    fault("replaced_by_a_store", "an assignment does not ask whether its key is still there", "container/hash_words.cuh",
          "    word expected = sync::load(at);\n    while (Word::key(expected) == key) {\n",
          "    word expected = sync::load(at);\n    if (Word::key(expected) == key) {\n"
          "      sync::store(at, next);\n      return true;\n    }\n    while (Word::key(expected) == key) {\n",
          table("words 2 1 . i0 e0 e0")),
    fault("key_is_claimed_by_a_store", "an insertion does not ask whether the slot is still free",
          "container/hash_nodes.cuh",
          "const auto held = sync::compare_exchange(&slots_[at.slot].key, expected, key);",
          "const auto held = expected;\n      sync::store(&slots_[at.slot].key, key);",
          table("nodes 2 1 . . i0 i1")),
    fault("value_is_read_once", "a value is believed that was replaced while it was read",
          "container/hash_nodes.cuh", "if (again == seen) {", "if (true) {", table("nodes 2 1 . i0 f0 a0a0")),
    fault("value_has_no_version", "a value is identified by its node alone", "container/hash_nodes.cuh",
          "return ((seen >> 32) + 1) << 32 | node_or_none;", "return (seen >> 32) << 32 | node_or_none;",
          table("nodes 2 1 . i0 f0 a0a0a0")),
    fault("value_comes_late", "a value is published before it is written", "container/hash_nodes.cuh",
          "        write(node, value);\n        sync::fence();", "        sync::fence();", table("nodes 2 1 . i0 a0 f0")),
    fault("assigner_inserts", "of lanes with one key the last one gets the answer that it has inserted",
          "container/hash_together.cuh", "lane_id() != first_lane(peers)", "!leads()", table("words 2 2 . . a0 f1")),
    fault("erasers_go_on", "a lane goes on before the first one has erased their key",
          "container/hash_together.cuh",
          "  const bool is_gone = group.leads() && erase_one(table, key);\n  __syncwarp(group.peers);\n",
          "  const bool is_gone = group.leads() && erase_one(table, key);\n", table("words 2 2 . i0 e0 f0")),
]


def without(name, file, old, new, tried_on, seeds=60, why_not=""):
    return fault(name, "a fence or a barrier of the warp is missing", file, old, new, tried_on, "weak", seeds, why_not)


fence = "sync::fence();"
memory_fence = "  if constexpr (how == passing::values_and_memory) sync::fence();\n"
by_the_model = "the PTX model requires it: "
linked_alone, passed_alone, passed_structs = (stack(f"{kind} 2 1n . +-+- -+-+") for kind in ("linked", "words", "structs"))
linked_together = stack("linked 4 2n . +- -+")
linked_in_time, popped_in_time = (stack(f"{kind} 4 2w . + -") for kind in ("linked", "words"))
queued = queue("words 2 1n + +-+- -+-+")
slots = queue("structs 2 1n + +-+- -+-+")
reused = queue("structs 1 1n + -- ++++")
taken_in_time = queue("ring 4 2w . + -")
replaced = table("nodes 2 1n . i0i1 a0a0a0 f0")
fences = [
    # ---- stacks of nodes
    without("push releases", "container/index_stack.cuh",
            f"        {fence}\n        if (exchange", "        if (exchange", linked_alone),
    without("top is acquired", "container/index_stack.cuh", "sync::load_acquire(top_)", "sync::load(top_)", linked_alone),
    without("first pushes for all", "container/index_stack.cuh",
            "    __syncwarp(lanes);  // the first lane speaks for all\n", "", stack("linked 4 2n ++ -+-+ +-+-")),
    without("first pops for all", "container/index_stack.cuh",
            "    __syncwarp(lanes);  // the first lane answers for all: it must know what they know\n", "",
            linked_in_time, 300),
    without("top is seen by all", "container/index_stack.cuh",
            "load_acquire(top_);\n    __syncwarp(lanes);\n", "load_acquire(top_);\n", linked_together, 300),
    without("links are read by all", "container/index_stack.cuh",
            "      __syncwarp(lanes);  // all have read the links before one of these lanes changes them\n", "",
            linked_together,
            why_not=by_the_model + "a lane's load of a link could return what another lane of its warp stores there "
            "after the shuffle. To show that, a lane would have to pass a warp operation alone"),
    # ---- stacks
    without("stack releases", "container/node_list.cuh", f"        {fence}\n        held =", "        held =",
            stack("structs 2 1n . ++ ---"), 300),
    without("stack acquires", "container/node_list.cuh", "sync::load_acquire(top_)", "sync::load(top_)", passed_alone),
    without("leader pushes for all", "container/node_list.cuh", "      who.sync();  // the leader speaks for all\n", "",
            stack("structs 4 2n ++ -+-+ +-+-")),
    without("all know that the leader has pushed", "container/node_list.cuh",
            "      who.sync();  // no lane goes on before its node is on the stack\n", "", popped_in_time, 300),
    without("leader knows when it pops", "container/node_list.cuh",
            "    who.sync();  // the leader answers for all: it must know what they know\n", "", popped_in_time, 300),
    without("all see what the leader has acquired", "container/node_list.cuh",
            "sync::load_acquire(top_);\n      who.sync();\n", "sync::load_acquire(top_);\n",
            stack("words 4 2n . +-+-+- -+-+-+")),
    without("all see what was offered", "container/node_list.cuh",
            "        who.sync();  // all see what its pushers have written, as the one that took it does\n", "",
            stack("structs 8 2n ++ +- -+ +-")),
    without("leader knows when it takes nodes", "container/free_nodes.cuh",
            "    who.sync();  // the leader asks for all: it must know what they know\n", "", stack("words 2 2w . +-+ +-+"),
            why_not=by_the_model + "the leader's addition could come before that of another lane of its warp, which has "
            "given a place back. Updates see the newest here, and come in order on a GPU"),
    without("nodes are taken behind their last use", "container/free_nodes.cuh",
            f"          {fence}  // pairs with the fence of the lane that gave them back\n", "", passed_structs),
    without("all have nodes when the leader has", "container/free_nodes.cuh",
            "    who.sync();  // and so are all\n", "", stack("structs 4 2n . +-+- -+-+"), 300),
    without("nodes go behind their last use", "container/free_nodes.cuh", f"      {fence}\n      bits_.give_back", "      bits_.give_back",
            passed_structs),
    without("all have done with their nodes", "container/free_nodes.cuh", "    who.sync();  // all have done with theirs\n",
            "", stack("structs 4 2n . +-+- -+-+"), 300),
    without("offers are acquired", "container/offers.cuh",
            f"        {fence}  // the offer may be a later one than that which was seen\n", "", stack("offers 8 1n . +-+- -+-+")),
    # ---- ring
    without("tail is counted up", "container/ring.cuh", "tail = sync::add(&at_->tail.count, 0ull);",
            "tail = sync::load(&at_->tail.count);", queue("ring 4 1w + + - -"), 600),
    without("tail behind head", "container/ring.cuh", f"        {fence}\n", "", queue("ring 4 1w + + - -"), 600,
            why_not=by_the_model + "the load of the head could come after the update of the tail. But whether there is "
            "an update depends on what was loaded, and no update is made on trial"),
    without("leader looks for all", "container/ring.cuh",
            "int waiting = 0;\n    __syncwarp(lanes);\n", "int waiting = 0;\n", taken_in_time, 600,
            why_not=by_the_model + "the update of the tail could come before the addition of a push that another lane of "
            "the warp knows to have ended. Updates see the newest under weak"),
    without("tickets are known to all", "container/ring.cuh",
            "    __syncwarp(lanes);  // all know that it was counted up, for which a shuffle alone does nothing\n",
            "", taken_in_time, 600,
            why_not=by_the_model + "whoever learns from another lane of the warp that its push has ended updates the tail, "
            "perhaps before the leader's addition. Updates see the newest under weak"),
    # ---- queue
    without("push of a word releases", "container/queue.cuh", f"{memory_fence}  const bool is_in", "  const bool is_in",
            queued),
    without("pop of a word acquires", "container/queue.cuh", f"{memory_fence}  if (has_value)", "  if (has_value)", queued),
    without("slot is free", "container/queue.cuh", f"  {fence}  // whoever had the slot before has read it\n", "", reused),
    without("slot is written", "container/queue.cuh", f"= value;\n  {fence}\n", "= value;\n", slots),
    without("slot is there", "container/queue.cuh", f"  {fence}  // it has been written\n", "", slots),
    without("slot is read", "container/queue.cuh", f"slots_[slot];\n  {fence}\n", "slots_[slot];\n", reused),
    without("leader reserves for all", "container/queue.cuh",
            "  __syncwarp(lanes);  // the leader answers for all: it must know what they know\n", "",
            queue("words 2 2w ++ - +"), 300),
    without("places are back for all", "container/queue.cuh",
            "  __syncwarp(lanes);  // no lane goes on while the leader keeps its place\n", "",
            queue("words 2 2w ++ - ^"), 300),
    # ---- maps
    without("value is whole before it is published", "container/hash_nodes.cuh",
            f"        {fence}  // also for exchanges that come later\n", "", replaced),
    without("published value is there", "container/hash_nodes.cuh",
            "    state seen = sync::load_acquire(&at->value);\n", "    state seen = sync::load(&at->value);\n", replaced),
    without("second look is behind the words", "container/hash_nodes.cuh",
            f"      {fence}\n      const state again", "      const state again", replaced),
    without("second value is there", "container/hash_nodes.cuh",
            "const state again = sync::load_acquire(", "const state again = sync::load(", replaced, 300),
    without("words of the next value show the end", "container/free_bits.cuh",
            f"        {fence}  // pairs with the fence of the lane that gave it back\n", "",
            table("nodes 2 1n . i0i1 a0a1a0 a1f0 f0"), 300),
    without("node goes behind its last use", "container/free_bits.cuh",
            f"    {fence}\n    give_back(one);\n", "    give_back(one);\n", histories("*with_nodes*"), 200),
    without("leader knows when it inserts", "container/hash_together.cuh",
            "  __syncwarp(group.peers);  // the leader answers for all: it must know what they know\n", "",
            table("words 2 2w . i0 e0 i0"), 300),
    without("insertion is known to all", "container/hash_together.cuh",
            "  __syncwarp(group.peers);  // and what it has done is done when they go on\n", "",
            table("words 2 2w . . i0 f0"), 300),
    without("leader knows when it erases", "container/hash_together.cuh",
            "  __syncwarp(group.peers);\n  const bool is_gone", "  const bool is_gone", table("words 2 2w . . i0 e0"), 300),
    without("erasure is known to all", "container/hash_together.cuh",
            "erase_one(table, key);\n  __syncwarp(group.peers);\n", "erase_one(table, key);\n",
            table("words 2 2w . i0 e0 f0"), 300),
    # ---- sets
    without("root is read by an update", "container/union_find.cuh", "sync::add(parents_ + one, element{0}) == one",
            "sync::load(parents_ + one) == one", histories("*sets_that_grow*"), 200),
    # ---- sync
    without("flag releases", "sync/flag.cuh", "store_release<", "store<", case("sync", "flag 2")),
    without("flag acquires", "sync/flag.cuh", "load_acquire<", "load<", case("sync", "flag 2")),
    without("sender acquires", "sync/channel.cuh", "load_acquire<reach>(&is_full_) != 0",
            "load<reach>(&is_full_) != 0", case("sync", "channel 3")),
    without("sender releases", "sync/channel.cuh", "store_release<reach>(&is_full_, 1)",
            "store<reach>(&is_full_, 1)", case("sync", "channel 3")),
    without("receiver acquires", "sync/channel.cuh", "load_acquire<reach>(&is_full_) == 0",
            "load<reach>(&is_full_) == 0", case("sync", "channel 3")),
    without("receiver releases", "sync/channel.cuh", "store_release<reach>(&is_full_, 0)",
            "store<reach>(&is_full_, 0)", case("sync", "channel 3")),
    without("spin lock acquires", "sync/spin_lock.cuh", "    fence<reach>();\n", "", case("sync", "spin_lock 2")),
    without("spin lock releases", "sync/spin_lock.cuh", "store_release<", "store<", case("sync", "spin_lock 2")),
    without("ticket lock acquires", "sync/ticket_lock.cuh", "load_acquire<", "load<",
            case("sync", "ticket_lock 2")),
    without("ticket try_lock acquires", "sync/ticket_lock.cuh", "    fence<reach>();\n", "",
            case("sync", "ticket_try_lock 2")),
    without("ticket lock releases", "sync/ticket_lock.cuh", "store_release<", "store<",
            case("sync", "ticket_lock 2")),
    without("block arrives", "sync/block_barrier.cuh", "      fence();\n      if", "      if",
            case("sync", "barrier 2")),
    without("last block turns the sense", "sync/block_barrier.cuh",
            "        fence();  // behind all arrivals, and before the sense turns\n", "", case("sync", "barrier 2")),
    without("others acquire", "sync/block_barrier.cuh", "load_acquire(", "load(", case("sync", "barrier 2")),
    without("block comes together", "sync/block_barrier.cuh", "    __syncthreads();\n    if", "    if",
            case("sync", "barrier 2")),
    without("block goes on together", "sync/block_barrier.cuh", "    }\n    __syncthreads();\n", "    }\n",
            case("sync", "barrier 2")),
]
