// The sentences of the report.
#include <gtest/gtest.h>
#include <report/check/check_report.hpp>
#include <report/check/finding_words.hpp>
#include <report/check/kinds.hpp>
#include <report/check/place_words.hpp>
#include <report/outputs.hpp>

#include "found_examples.hpp"

namespace heddle_report {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(race_sentences, name_the_scope_that_separates_both_sides) {
  found race = example_race();
  EXPECT_EQ(words_of(race).what,
            "in kernel `sum`, shared `parts` is written by one warp and read by another; nothing "
            "orders them");
  EXPECT_EQ(words_of(race).why, "warp 0 may reach line 9 before warp 1 has passed line 8");
  EXPECT_TRUE(has(words_of(race).fix, "__syncthreads()"));
  race.places[1].thread = {5, 0, 0};
  race.places[1].warp = 0;
  EXPECT_TRUE(has(words_of(race).what, "another of the same warp"));
  EXPECT_TRUE(has(words_of(race).fix, "__syncwarp()"));
  race.places[1].block = {3, 0, 0};
  EXPECT_TRUE(has(words_of(race).what, "one block and read by another"));
  race.places[1].kernel = "clear";
  EXPECT_TRUE(has(words_of(race).what, "written by kernel `clear` and read by kernel `sum`"));
  EXPECT_TRUE(has(words_of(race).fix, "cudaStreamWaitEvent"));
  race.places[1].is_on_host = true;
  EXPECT_TRUE(has(words_of(race).what, "written by the host"));
  EXPECT_TRUE(has(words_of(race).fix, "cudaDeviceSynchronize()"));
}

TEST(race_sentences, claim_no_unknown_order) {
  found race = example_race();
  race.fact = heddle_host::unknown_order{};
  EXPECT_EQ(
      words_of(race).why,
      "nothing makes warp 0 wait before line 9 until warp 1 has passed line 8, or vice versa");
}

TEST(finding_sentences, never_call_a_write_a_read) {
  found bad;
  bad.kind = finding_kind::use_after_free;
  bad.kernel = "k";
  for (const char* role : {"writes", "updates", "calls", "exits"}) {
    bad.places = {lane_at(role, "k.cu", 3, "free(p);")};
    EXPECT_FALSE(has(words_of(bad).what, "read")) << words_of(bad).what;
  }
}

TEST(race_sentences, name_stream_operations) {
  found race = example_race();
  found_place& other = race.places[1];
  other.kernel.clear();
  other.is_on_host = other.is_in_stream = true;
  other.role = "copies";
  other.at.source = "cudaMemcpyAsync(to, from, bytes, kind, stream);";
  EXPECT_TRUE(has(words_of(race).what, "read by a copy and read by kernel `sum`"));
  other.overwrites = true;
  EXPECT_TRUE(has(words_of(race).what, "overwritten by a copy and read by kernel `sum`"));
  EXPECT_TRUE(has(words_of(race).fix, "cudaStreamWaitEvent"));
  EXPECT_EQ(words_of_lane(other, false), "in a stream");
  other.at.source = "cudaMemcpy(to, from, bytes, kind);";
  EXPECT_TRUE(has(words_of(race).why, "cudaStreamNonBlocking"));
  other.role = "fills";
  EXPECT_TRUE(has(words_of(race).what, "overwritten by a memset"));
  other.role = "writes";
  EXPECT_TRUE(has(words_of(race).what, "written by a host function"));
  EXPECT_EQ(words_of_lane(other, false), "a host function in a stream");
  race.places[0].kernel.clear();
  race.places[0].is_on_host = true;
  other.role = "copies";
  EXPECT_TRUE(has(words_of(race).why, "returns before the copy is done"));
  EXPECT_TRUE(has(words_of(race).fix, "cudaStreamSynchronize()"));
}

TEST(finding_sentences, say_what_a_copy_did_wrong) {
  found bad;
  bad.kind = finding_kind::use_after_free;
  bad.places = {lane_at("copies", "k.cu", 3, "cudaMemcpyAsync(a, b, 64, kind, stream);")};
  bad.places[0].is_on_host = bad.places[0].is_in_stream = true;
  bad.memory = found_memory{};
  bad.memory->allocated = {"k.cu", 1, "cudaMalloc(&b, 64);"};
  bad.memory->freed = {"k.cu", 2, "cudaFree(b);"};
  EXPECT_EQ(words_of(bad).what, "a copy reads `b`, which was freed at k.cu:2");
  bad.kind = finding_kind::uninitialized;
  EXPECT_TRUE(has(words_of(bad).what, "a copy reads bytes of `b` that were never written"));
}

TEST(finding_sentences, do_not_claim_that_the_run_depends_on_a_candidate) {
  found loads;
  loads.kind = finding_kind::uninitialized;
  loads.kernel = "k";
  EXPECT_TRUE(has(words_of(loads).what, "that were never written, and the result depends on them"));
  loads.is_candidate = true;
  EXPECT_FALSE(has(words_of(loads).what, "depends"));
  loads.kind = finding_kind::schedule_dependent;
  EXPECT_TRUE(has(words_of(loads).what, "the result of kernel `k` may depend on which lanes"));
}

TEST(finding_sentences, base_their_advice_on_exited_lanes) {
  found stuck;
  stuck.kind = finding_kind::deadlock;
  stuck.cause = finding_cause::standstill;
  stuck.places = {lane_at("spins", "k.cu", 3, "while (atomicCAS(&lock, 0, 1)) {}")};
  const std::string fix = words_of(stuck).fix;
  stuck.cause = finding_cause::last_writer_exited;
  stuck.places.push_back(lane_at("exits", "k.cu", 5, "if (full) return;"));
  EXPECT_NE(words_of(stuck).fix, fix);
  EXPECT_TRUE(has(words_of(stuck).fix, "every exit path"));
}

TEST(race_sentences, distinguish_the_same_thread_in_two_launches) {
  found race = example_race();
  race.places[1] = race.places[0];
  race.places[1].role = "writes";
  EXPECT_TRUE(has(words_of(race).what, "in one launch of `sum` and read in another"));
}

TEST(race_sentences, advise_an_atomic_operation_for_an_addition_in_place) {
  found race = example_race();
  race.places[0].at = race.places[1].at = {"sum.cu", 8, "bins[key]++;"};
  EXPECT_TRUE(has(words_of(race).fix, "atomicAdd"));
  EXPECT_TRUE(has(words_of(race).why, "execute line 8 at the same time"));
}

TEST(race_sentences, advise_a_barrier_for_adding_another_lanes_value) {
  found race = example_race();
  race.places[0].at = race.places[1].at = {"sum.cu", 8, "parts[i] += parts[i + 16];"};
  EXPECT_FALSE(has(words_of(race).fix, "atomicAdd"));
  EXPECT_TRUE(has(words_of(race).fix, "__syncthreads()"));
}

TEST(race_sentences, name_the_scope_that_is_too_narrow) {
  found race = example_race();
  race.cause = finding_cause::scope;
  EXPECT_TRUE(has(words_of(race).fix, "device scope"));
  race.places[0].is_on_host = true;
  EXPECT_TRUE(has(words_of(race).fix, "system scope"));
}

TEST(finding_sentences, say_how_far_an_access_is_out_of_bounds) {
  found bad;
  bad.kind = finding_kind::out_of_bounds;
  bad.kernel = "k";
  bad.places = {lane_at("writes", "k.cu", 3, "out[i] = 0;")};
  bad.memory = found_memory{};
  bad.memory->allocated = {"k.cu", 9, "cudaMalloc(&out, 64);"};
  bad.memory->bytes = 64;
  bad.memory->access_bytes = 4;
  bad.memory->offset = 64;
  EXPECT_EQ(words_of(bad).what,
            "kernel `k` writes 4 bytes just past the end of `out`, which has 64 bytes");
  bad.memory->offset = 72;
  EXPECT_TRUE(has(words_of(bad).what, "8 bytes past the end"));
  bad.memory->offset = -4;
  EXPECT_TRUE(has(words_of(bad).what, "4 bytes before the start"));
  bad.memory->offset = 62;
  EXPECT_TRUE(has(words_of(bad).what, "across the end"));
}

TEST(finding_sentences, name_the_array_of_an_out_of_range_index_and_its_declaration) {
  found bad;
  bad.kind = finding_kind::out_of_bounds;
  bad.kernel = "k";
  bad.cause = finding_cause::index;
  bad.fact = heddle_host::array_index{5, "'float [5]'"};
  EXPECT_EQ(words_of(bad).what,
            "kernel `k`: index 5 is out of bounds for an array of type 'float [5]'");
  bad.memory = found_memory{};
  bad.memory->variable = "taps";
  bad.memory->bytes = 20;
  bad.memory->offset = 20;
  bad.memory->allocated = {"k.cu", 3, "__constant__ float taps[5];"};
  bad.memory->is_declared = true;
  EXPECT_EQ(words_of(bad).what,
            "kernel `k`: index 5 is out of bounds for `taps`, an array of type 'float [5]'");
  EXPECT_EQ(words_of(*bad.memory), "byte 20 of 20 in `taps`, declared at k.cu:3");
}

TEST(finding_sentences, take_the_name_of_an_allocation_from_its_call) {
  found_memory memory;
  for (const char* call : {"cudaMalloc(&bins, 64);", "cudaMalloc((void**)&bins, 64);",
                           "check(cudaMallocManaged(reinterpret_cast<void**>(&bins), 64));",
                           "CHECK(cudaHostAlloc(&bins, 64, 0));"}) {
    memory.allocated.source = call;
    EXPECT_EQ(name_of(memory), "`bins`") << call;
  }
  memory.allocated.source = "auto bins = make_buffer(64);";
  EXPECT_EQ(name_of(memory), "");
}

TEST(finding_sentences, choose_the_allocation_by_column_if_a_line_has_several) {
  found_memory memory;
  memory.allocated.source = "cudaMalloc(&a, n); check(cudaMalloc(&b, m));";
  EXPECT_EQ(name_of(memory), "`a`");
  for (const int column : {1, 11}) {  // where the call begins, or its bracket
    memory.allocated.column = column;
    EXPECT_EQ(name_of(memory), "`a`") << column;
  }
  for (const int column : {20, 26, 36}) {
    memory.allocated.column = column;
    EXPECT_EQ(name_of(memory), "`b`") << column;
  }
}

TEST(text_report, shows_below_the_users_line_what_it_calls) {
  check_report report = example_report();
  merge all;
  found race = example_race();
  race.places[0].frames = {{"heddle::block::reduce", {"reduce.cuh", 57, "parts[warp] = part;"}}};
  all.add(race, "converged");
  report.findings = all.findings();
  const std::string text = text_of(report, false);
  const std::size_t line = text.find("sum.cu:9");
  const std::size_t frame = text.find("in heddle::block::reduce");
  ASSERT_NE(frame, text.npos) << text;
  EXPECT_LT(line, frame);
  EXPECT_NE(text.find("reduce.cuh:57   parts[warp] = part;", frame), text.npos) << text;
}

TEST(finding_sentences, exist_for_every_kind) {
  for (const defect_kind& kind : all_kinds()) {
    found bare;
    bare.kind = kind.kind;
    const finding_words words = words_of(bare);
    EXPECT_FALSE(words.what.empty()) << kind.name;
    EXPECT_FALSE(words.why.empty()) << kind.name;
    EXPECT_FALSE(words.fix.empty()) << kind.name;
  }
}

TEST(text_report, shows_both_sides_in_order_and_how_to_replay) {
  const std::string text = text_of(example_report(), false);
  const std::size_t writes = text.find("  writes  block 0, warp 1, lane 0 = thread 32   sum.cu:8");
  const std::size_t reads = text.find("  reads   block 0, warp 0, lane 0 = thread 0    sum.cu:9");
  ASSERT_NE(writes, text.npos) << text;
  ASSERT_NE(reads, text.npos) << text;
  EXPECT_LT(writes, reads);
  EXPECT_TRUE(has(text, "seen    twice in 2 of 3 schedules"));
  EXPECT_TRUE(has(text, "replay  heddle check --replay random:1 sum.cu"));
  EXPECT_TRUE(has(text, "heddle: 2 findings in 3 schedules"));
  EXPECT_FALSE(has(text, "\033"));
  EXPECT_TRUE(has(text_of(example_report(), true), "\033[1;31mrace\033[0m"));
}

TEST(text_report, omits_schedules_for_a_program_started_directly) {
  const std::string alone = text_of(example_race());
  const std::string more = "  more    heddle explain race\n";
  ASSERT_TRUE(alone.ends_with(more)) << alone;
  const std::string defect = alone.substr(0, alone.size() - more.size());
  EXPECT_TRUE(has(defect, "\n  fix "));
  EXPECT_TRUE(text_of(example_report(), false).starts_with(defect)) << defect;
}

TEST(text_report, shows_the_sides_of_a_race_in_order_and_then_the_launches) {
  check_report report = example_report();
  merge all;
  found race = example_race();
  race.places.push_back(lane_at("launches", "main.cu", 20, "sum<<<1, 64>>>();"));
  race.places.back().is_on_host = true;
  all.add(race, "converged");
  race.places.back().at.line = 21;
  all.add(race, "converged");
  report.findings = all.findings();
  ASSERT_EQ(report.findings.size(), 1u) << "wherever the kernel is launched";
  const std::string text = text_of(report, false);
  EXPECT_LT(text.find("  writes  block"), text.find("  reads   block")) << text;
  EXPECT_LT(text.find("  reads   block"), text.find("  launch  kernel `sum`")) << text;
}

TEST(text_report, joins_lanes_of_a_warp_that_do_the_same_in_one_row) {
  check_report report = example_report();
  merge all;
  found hangs;
  hangs.kind = finding_kind::deadlock;
  hangs.kernel = "k";
  for (const unsigned lane : {0u, 1u, 2u, 5u}) {
    hangs.places.push_back(lane_at("waits", "k.cu", 4, "__syncthreads();", lane));
  }
  all.add(hangs, "converged");
  report.findings = all.findings();
  EXPECT_TRUE(has(text_of(report, false), "waits   block 0, warp 0, lanes 0-2, 5   k.cu:4"));
}

TEST(text_report, counts_suppressed_findings_without_showing_them) {
  check_report report = example_report();
  report.findings[0].silenced_by = "known.txt:1";
  const std::string text = text_of(report, false);
  EXPECT_FALSE(has(text, "race"));
  EXPECT_TRUE(has(text, "1 finding in 3 schedules"));
  EXPECT_TRUE(has(text, "; 1 suppressed"));
}

TEST(report_status, fails_only_on_the_kinds_that_count) {
  check_report report = example_report();
  EXPECT_TRUE(report.fails());
  report.fatal_kinds = {"deadlock"};
  EXPECT_FALSE(report.fails());
  report.fatal_kinds = {"leak"};
  EXPECT_TRUE(report.fails());
  for (merged_finding& one : report.findings) one.silenced_by = "known.txt:1";
  EXPECT_FALSE(report.fails());
}

TEST(output_comparison, compares_sets_of_lines) {
  EXPECT_EQ(difference_of_outputs({"x", "a\nb\n"}, {"y", "b\na\n"}).text, "");
  const std::string note =
      difference_of_outputs({"converged", "a\nb\n"}, {"random:1", "a\nc\n"}).text;
  EXPECT_TRUE(has(note, "converged:\n           b\n"));
  EXPECT_TRUE(has(note, "random:1:\n           c"));
  EXPECT_FALSE(has(note, "rounding"));
  EXPECT_NE(difference_of_outputs({"x", "a\na\n"}, {"y", "a\n"}).text, "") << "how often counts";
}

TEST(output_comparison, names_rounding_if_only_the_last_digits_differ) {
  EXPECT_TRUE(
      has(difference_of_outputs({"x", "sum 1.000001 of 3\n"}, {"y", "sum 1.000002 of 3\n"}).text,
          "rounding"));
  EXPECT_FALSE(has(difference_of_outputs({"x", "sum 1.5\n"}, {"y", "sum 1.6\n"}).text, "rounding"));
  EXPECT_FALSE(
      has(difference_of_outputs({"x", "sum 1000001\n"}, {"y", "sum 1000002\n"}).text, "rounding"))
      << "a whole number is not rounded";
}

}  // namespace
}  // namespace heddle_report
