"""Faults to plant in a copy of the headers, one at a time, and the small program that must notice each."""

import dataclasses

from proving import case


@dataclasses.dataclass(frozen=True)
class fault:
    name: str
    sentence: str
    file: str
    old: str  # stands in the file exactly once
    new: str
    tried_on: case
    schedule: str = "exhaustive"  # or kinds that have seeds
    seeds: int = 60
    why_not: str = ""  # noticed, as far as is known

    def is_lowered(self):
        """Where loads are late, pops look as often as always, so that a push that fails has a better reason than they."""
        return self.schedule != "weak"


def queue(words, preemptions=None):
    return case("queue", words, preemptions)


def stack(words, preemptions=None):
    return case("stack", words, preemptions)


# A lane has taken a ticket and stops; another goes around the ring; a third fills the cell too late.
around_a_stopped_pop = queue("tight_ring 4 1 +-+-+-+ - + +-+-+--", 2)

mistakes = [
    fault("blocked_is_ignored", "an enqueue fills a cell that its dequeue has passed", "container/ring.cuh",
          "(held & (ring_cell::full | ring_cell::blocked)) == 0", "(held & ring_cell::full) == 0",
          around_a_stopped_pop, why_not="two preemptions do not reach it"),
    fault("nothing_blocks", "a dequeue passes a full cell without a mark", "container/ring.cuh",
          "sync::bit_or(cell, ring_cell::blocked)", "sync::load(cell)", around_a_stopped_pop,
          why_not="two preemptions do not reach it"),
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
          "looks++ < patience_", "looks++ >= 0", queue("ring 4 1 . + -"), "freeze", 40),
    fault("place_is_kept", "a pop does not give back the place of its value", "container/queue.cuh",
          "  give_back(count(__ballot_sync(members, has_value)), members);\n", "", queue("words 1 1 + -+ -")),
    fault("place_of_none", "a push that gets no place keeps what it has counted", "container/queue.cuh",
          "      if (granted < wanted) sync::add(taken_places_, granted - wanted);\n", "",
          queue("words 1 1 . + +-+")),
    fault("no_version", "the top of a stack is told by its node alone", "container/index_stack.cuh",
          "seen.version + 1)", "seen.version)", stack("words 2 1 ++ - -+ -", 3)),
    fault("exchange_is_believed", "a pop does not ask whether the top was still the same",
          "container/index_stack.cuh", "is_ours = exchange(seen, next);",
          "exchange(seen, next), is_ours = true;", stack("words 2 1 ++ - -")),
    fault("top_is_stored", "a push puts its node on top without asking what is there",
          "container/index_stack.cuh", "if (exchange(seen, highest)) break;",
          "sync::store(top_, join(highest, seen.version + 1));\n        break;", stack("nodes 8 1 . + +")),
    fault("push_returns_early", "a lane goes on before the first one has put its node on the stack",
          "container/index_stack.cuh",
          "    __syncwarp(lanes);  // no lane goes on before its node is on the stack\n", "",
          stack("words 4 2 . + -")),
    fault("union_is_lost", "two lanes hang up the same root, and both believe it", "container/union_find.cuh",
          "(sync::compare_exchange(parents_ + larger, larger, smaller) == larger)",
          "(sync::compare_exchange(parents_ + larger, larger, smaller) != smaller + 1000)",
          case("sets", "3 . u01 u01")),
    fault("root_is_not_looked_at", "two sets are called apart by roots of different moments",
          "container/union_find.cuh", "if (sync::load(parents_ + one) == one) return false;",
          "return false;", case("sets", "3 u12 a12 u01")),
]


# Maps are tried on random histories: a key has a way through several buckets, too long for all interleavings.
def histories(cases):
    return case("histories", f"--gtest_filter={cases}")


maps = [
    fault("erased_is_free_at_once", "the slot of an erased key is used again in the same epoch",
          "container/hash_words.cuh", "Word::is_of_earlier_epoch(held, reserved_, head_->epoch)", "true",
          histories("*MapOfWords*"), "random pct", 40),
    fault("erased_is_free_at_once_in_sets", "the same, where two markers tell the epochs",
          "container/hash_word.cuh", "return held != erased(keys, epoch);", "return true;", histories("*LongKeys*"), "random pct", 40),
    fault("key_goes_at_once", "a key with a node leaves its slot before the epoch ends", "container/hash_nodes.cuh",
          "        ask_for_sweep();\n",
          "        sync::store(&slots_[at.slot].key, reserved_.erased);\n",
          histories("*WithNodes*"), "random pct", 40),
    fault("first_free_slot_is_not_enough", "an insertion does not look behind a slot that is free",
          "container/hash_words.cuh", "if (!ends_in(seen) && move_on(one.bucket, key)) return true;",
          "if (free < 0 && !ends_in(seen) && move_on(one.bucket, key)) return true;", histories("*MapOfWords*"), "random pct", 40),
    fault("goes_on_where_it_was", "an insertion that was too slow does not begin anew", "container/hash_words.cuh",
          "      bucket = home;\n", "", histories("*MapOfWords*"), "random pct", 200),
    fault("value_is_read_once", "a value is believed that was replaced while it was read",
          "container/hash_nodes.cuh", "if (again == seen) {", "if (true) {", histories("*WithNodes*"), "random pct", 200),
    fault("value_comes_late", "a value is published before it is written", "container/hash_nodes.cuh",
          "        write(node, value);\n        sync::fence();", "        sync::fence();", histories("*WithNodes*"), "random pct", 40),
    fault("link_comes_late", "a node goes back to the pool without what its last user knew",
          "container/hash_nodes.cuh", "    sync::fence();\n    give_back(node);\n", "    give_back(node);\n",
          histories("*WithNodes*"), "weak", 200),
    fault("assigner_inserts", "of lanes with one key the last is told that it has inserted",
          "container/hash_together.cuh", "lane_id() != first_lane(peers)", "!leads()", histories("*MapOfWords*"), "random pct", 40),
    fault("erasers_go_on", "a lane goes on before the first one has erased their key",
          "container/hash_together.cuh",
          "  const bool is_gone = group.leads() && erase_one(table, key);\n  __syncwarp(group.peers);\n",
          "  const bool is_gone = group.leads() && erase_one(table, key);\n", histories("*MapOfWords*"), "random pct", 40),
]


def without(name, file, old, new, tried_on, why_not=""):
    return fault(name, "a fence or a barrier of the warp is missing", file, old, new, tried_on, "weak", why_not=why_not)


not_needed = "the top is acquired before, by whoever exchanges it, and lanes of the warp know it from there"
not_tried = "not tried yet"
not_seen = "loads of the other lanes were never late where it counts"


one_by_one = stack("words 2 1n . +-+- -+-+")
two_by_two = stack("words 4 2n ++ -+-+ +-+-")
two_by_two_in_time = stack("words 4 2w ++ -+-+ +-+-")
fence = "sync::fence();"
memory_fence = "  if constexpr (how == passing::values_and_memory) sync::fence();\n"
queued = queue("words 2 1n + +-+- -+-+")
queued_together = queue("words 4 2w ++ -+-+ +-+-")
slots = queue("structs 2 1n + +-+- -+-+")
reused = queue("structs 1 1n + -+-+ +-+-")
fences = [
    # ---- nodes
    without("push releases", "container/index_stack.cuh",
            f"        {fence}\n        if (exchange", "        if (exchange", one_by_one),
    without("pop acquires", "container/index_stack.cuh",
            f"next);\n        {fence}\n", "next);\n", one_by_one, not_needed),
    without("top is acquired", "container/index_stack.cuh", "sync::load_acquire(top_)", "sync::load(top_)",
            one_by_one),
    without("first pushes for all", "container/index_stack.cuh",
            "    __syncwarp(lanes);  // the first lane speaks for all\n", "", two_by_two),
    without("first pops for all", "container/index_stack.cuh",
            "    __syncwarp(lanes);  // the first lane answers for all: it must know what they know\n", "",
            two_by_two_in_time, not_seen),
    without("pop ends for all", "container/index_stack.cuh",
            "      }\n      __syncwarp(lanes);\n", "      }\n", two_by_two, not_needed),
    without("top is seen by all", "container/index_stack.cuh",
            "load_acquire(top_);\n    __syncwarp(lanes);\n", "load_acquire(top_);\n", two_by_two, not_seen),
    # ---- ring
    without("tail behind head", "container/ring.cuh", f"        {fence}\n", "", queue("ring 4 1w + +- --"), not_seen),
    without("leader looks for all", "container/ring.cuh",
            "int waiting = 0;\n    __syncwarp(lanes);\n", "int waiting = 0;\n", queued_together, not_seen),
    without("tickets are known to all", "container/ring.cuh",
            "    __syncwarp(lanes);  // all know that it was counted up, for which a shuffle alone does nothing\n",
            "", queued_together, not_seen),
    # ---- queue
    without("push of a word releases", "container/queue.cuh",
            f"{memory_fence}  const bool is_in", "  const bool is_in", queued),
    without("pop of a word acquires", "container/queue.cuh",
            f"{memory_fence}  if (has_value)", "  if (has_value)", queued, not_tried),
    without("slot is free", "container/queue.cuh", f"  {fence}  // whoever had the slot before has read it\n", "",
            reused, not_tried),
    without("slot is written", "container/queue.cuh", f"= value;\n  {fence}\n", "= value;\n", slots),
    without("slot is there", "container/queue.cuh", f"  {fence}  // it has been written\n", "", slots),
    without("slot is read", "container/queue.cuh", f"slots_[slot];\n  {fence}\n", "slots_[slot];\n", reused, not_seen),
    without("leader reserves for all", "container/queue.cuh",
            "  __syncwarp(lanes);  // the leader answers for all: it must know what they know\n", "",
            queued_together, not_tried),
    without("places are back for all", "container/queue.cuh",
            "  __syncwarp(lanes);  // no lane goes on while the leader keeps its place\n", "", queued_together, not_tried),
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
