// The record of one access, in eight bytes.
#pragma once
#include <bit>
#include <cstdint>

#include "checker/race/access.hpp"

namespace heddle_checker {

// The work of one or more lanes between two synchronisations. Numbers only grow, over all blocks: a
// lane's later segment has the larger number.
using segment_id = std::uint32_t;

inline constexpr unsigned lanes_per_warp = 32;
inline constexpr unsigned most_threads = 1024;

constexpr std::uint32_t lane_bit(unsigned thread) { return 1u << thread % lanes_per_warp; }

// Strength and scope in one.
enum class force : std::uint8_t { plain, relaxed_volatile, block, cluster, device, system };

constexpr force force_of(strength how, scope reach) {
  if (how == strength::plain) return force::plain;
  if (how == strength::relaxed_volatile) return force::relaxed_volatile;
  return static_cast<force>(static_cast<unsigned>(force::block) + static_cast<unsigned>(reach));
}
constexpr scope scope_of(force how) {
  if (how < force::block) return scope::system;
  return static_cast<scope>(static_cast<unsigned>(how) - static_cast<unsigned>(force::block));
}
constexpr strength strength_of(force how) {
  return how == force::plain              ? strength::plain
         : how == force::relaxed_volatile ? strength::relaxed_volatile
                                          : strength::atomic;
}

// From the top: segment 28 bits, thread 10, code 16, force 3, update 1, size 3, blind 1, many 1,
// elsewhere 1. All zero: no access.
struct record {
  std::uint64_t bits = 0;

  static constexpr unsigned segment_shift = 36;
  static constexpr unsigned thread_shift = 26;
  static constexpr unsigned code_shift = 10;
  static constexpr unsigned force_shift = 7;
  static constexpr unsigned size_shift = 3;
  static constexpr std::uint64_t update_bit = 1 << 6;
  static constexpr std::uint64_t blind_bit = 1 << 2;
  static constexpr std::uint64_t many_bit = 1 << 1;
  static constexpr std::uint64_t elsewhere_bit = 1 << 0;
  static constexpr segment_id no_segment = (1u << 28) - 1;  // later than every real one

  // Segment and thread, which all records of a lane in one segment begin with.
  static constexpr std::uint64_t stamp(segment_id segment, unsigned thread) {
    return std::uint64_t{segment} << segment_shift | std::uint64_t{thread} << thread_shift;
  }
  static constexpr record make(std::uint64_t stamp, unsigned code, force how, bool is_update,
                               unsigned log_size) {
    return {stamp | std::uint64_t{code} << code_shift |
            static_cast<std::uint64_t>(how) << force_shift | (is_update ? update_bit : 0) |
            std::uint64_t{log_size} << size_shift};
  }
  // Refers to records that are kept elsewhere. Its segment is later than every real one, so no
  // simple case mistakes it for an ordinary record.
  static constexpr record elsewhere(std::uint32_t index) {
    return {stamp(no_segment, 0) | std::uint64_t{index} << 1 | elsewhere_bit};
  }

  constexpr bool is_none() const { return bits == 0; }
  constexpr bool is_elsewhere() const { return (bits & elsewhere_bit) != 0; }
  constexpr std::uint32_t index() const { return static_cast<std::uint32_t>(bits >> 1); }

  constexpr segment_id segment() const { return static_cast<segment_id>(bits >> segment_shift); }
  constexpr unsigned thread() const { return bits >> thread_shift & (most_threads - 1); }
  constexpr unsigned warp() const { return thread() / lanes_per_warp; }
  constexpr unsigned code() const { return bits >> code_shift & 0xffff; }
  constexpr force how() const { return static_cast<force>(bits >> force_shift & 7); }
  constexpr bool is_plain() const { return how() == force::plain; }
  constexpr bool is_update() const { return (bits & update_bit) != 0; }
  constexpr unsigned log_size() const { return bits >> size_shift & 7; }

  // Of a read: it has not read the newest write and does not come after it.
  constexpr bool is_blind() const { return (bits & blind_bit) != 0; }
  // Of a read: several lanes of the warp have read in this segment; a mask says which.
  constexpr bool is_many() const { return (bits & many_bit) != 0; }

  // Of a read: lanes of one warp have read bytes of the word in one segment, each lane its own. The
  // place of the mask holds who has read which byte. A plain access has no size, so these bits are
  // free.
  static constexpr std::uint64_t pieces_bits = std::uint64_t{7} << size_shift | many_bit;
  constexpr bool is_in_pieces() const {
    constexpr std::uint64_t kind = std::uint64_t{7} << force_shift | pieces_bits | elsewhere_bit;
    return (bits & kind) == pieces_bits;
  }
  constexpr record in_pieces() const { return {bits | pieces_bits}; }
  constexpr record of_one_lane(unsigned lane) const {
    record one{bits & ~pieces_bits};
    one.rename_lane(std::uint32_t{1} << lane);
    return one;
  }
  // Of a read: lanes of several warps of one block have read since its last barrier. The record is
  // that of the first; the place of the mask names a reader of another warp, see
  // as_second_reader(). The next writer in the block is not in the same warp as both.
  static constexpr std::uint64_t several_warps_bits = std::uint64_t{6} << size_shift | many_bit;
  constexpr bool is_of_several_warps() const {
    constexpr std::uint64_t kind = std::uint64_t{7} << force_shift | pieces_bits | elsewhere_bit;
    return (bits & kind) == several_warps_bits;
  }
  // The earlier of the two segments counts for both: that may miss a race, but never causes a false
  // alarm.
  constexpr record of_several_warps(segment_id of_second) const {
    constexpr std::uint64_t below_segment = (std::uint64_t{1} << segment_shift) - 1;
    const segment_id earlier = of_second < segment() ? of_second : segment();
    return {(bits & below_segment) | std::uint64_t{earlier} << segment_shift | several_warps_bits};
  }
  constexpr std::uint32_t as_second_reader() const {
    return static_cast<std::uint32_t>(thread() << 16 | code());
  }
  constexpr record of_first_reader() const { return {bits & ~several_warps_bits}; }
  constexpr record of_second_reader(std::uint32_t who) const {
    return make(stamp(segment(), who >> 16), who & 0xffff, force::plain, false, 0);
  }
  constexpr bool is_plain_and_whole() const {
    constexpr std::uint64_t force_and_size = (1 << code_shift) - (1 << size_shift);
    return (bits & force_and_size) == 0;
  }

  // Makes it the record of the first of these lanes, which are of the same warp.
  constexpr void rename_lane(std::uint32_t lanes) {
    constexpr std::uint64_t lane_bits = std::uint64_t{lanes_per_warp - 1} << thread_shift;
    const auto lane = static_cast<std::uint64_t>(std::countr_zero(lanes));
    bits = (bits & ~lane_bits) | lane << thread_shift;
  }

  constexpr bool is_same_but_for_lane(record other) const {
    constexpr std::uint64_t lane = std::uint64_t{lanes_per_warp - 1} << thread_shift;
    return ((bits ^ other.bits) & ~lane) == 0;
  }
  constexpr bool has_stamp(std::uint64_t stamp) const {
    return (bits ^ stamp) >> thread_shift == 0;
  }
  constexpr bool is_of_warp_segment(std::uint64_t stamp) const {
    return (bits ^ stamp) >> (thread_shift + 5) == 0;
  }
  // Equal except for the lane and the code: such records share one entry and a mask of lanes.
  constexpr bool is_like(record other) const {
    constexpr std::uint64_t differs = std::uint64_t{lanes_per_warp - 1} << thread_shift |
                                      std::uint64_t{0xffff} << code_shift | many_bit;
    return ((bits ^ other.bits) & ~differs) == 0;
  }
};

}  // namespace heddle_checker
