// The stops of the tour: what each runs, and what it makes of the results.
#include "cli/tour/tour_stops.hpp"

#include <fmt/core.h>
#include <frontend/driver/process.hpp>

#include <algorithm>
#include <sstream>

#include "cli/tour/tour_figures.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using heddle_report::tour_state;
using heddle_report::tour_stop;

constexpr const char* counters_on_cpu =
    "Counters from a run on the CPU, not times; docs/profiler.md describes them.";

std::string gpu_name(const tour_environment& where) {
  return where.device.is_gpu ? where.here.gpus.front().name : "";
}

// If the job failed, marks the stop as failed with the reason.
bool fail_with(tour_stop& result, const side_job& job) {
  if (job.is_done()) return false;
  result.state = tour_state::failed;
  result.verdict = failure_of(job);
  return true;
}

// Puts the GPU's measurements first. Without any, the stop still has its counters.
void add_measured(planned_stop& stop, const tour_environment& where, const parsed_figures& parsed) {
  auto& figures = stop.result.figures;
  figures.insert(figures.begin(), parsed.figures.begin(), parsed.figures.end());
  if (!parsed.figures.empty())
    stop.result.source =
        fmt::format("Times are from {}, counters from a run on the CPU.", gpu_name(where));
}
void note_what_was_not_measured(planned_stop& stop) {
  for (const auto* jobs : {&stop.jobs, &stop.measured})
    for (const side_job& job : *jobs)
      if (job.status > 0 && job.command[0].ends_with("nvcc"))
        stop.result.notes.push_back("nvcc could not build it for the GPU: " + failure_of(job));
  for (const side_job& job : stop.measured)
    if (job.status > 0) stop.result.notes.push_back("it failed on the GPU: " + failure_of(job));
}

planned_stop plan_ladder(const tour_environment& where) {
  static const variant_names steps{{"ladder::one_atomic_each", "one atomic each"},
                                   {"ladder::tree_of_spread_threads", "tree of spread threads"},
                                   {"ladder::tree_of_first_threads", "tree of first threads"},
                                   {"ladder::many_for_each_thread", "many for each thread"},
                                   {"ladder::shuffles", "shuffles"},
                                   {"ladder::vector_loads", "vector loads"},
                                   {"ladder::last_block_finishes", "last block finishes"}};
  const std::string source = "examples/ladder/ladder.cu";
  planned_stop stop;
  stop.result.name = "ladder";
  stop.result.title = "The ladder: one sum, seven kernels";
  stop.result.idea =
      "Seven kernels add up the same floats, each with one more idea. Contention at one address, "
      "divergent branches, barriers, memory requests: each step removes one of these costs, and "
      "the counters show which. The kernels are in examples/ladder.";
  stop.result.source = counters_on_cpu;
  const std::string counted = where.is_quick ? "100003" : "1000003";
  stop.jobs.push_back(profile(where, source, {counted, "-"}));
  if (!where.is_quick)
    stop.jobs.push_back({{where.self.string(), "run", source, "--", "10000000", "-"}, where.share});
  if (where.device.is_gpu) {
    stop.jobs.push_back(build_for_gpu(where, source));
    stop.measured.push_back({{program_of(where, source).string(), "10000000"}, where.scratch});
  }
  stop.finish = [&where](planned_stop& made) {
    const double memory_rate = where.device.is_gpu ? where.here.gpus.front().memory_rate : 0;
    std::size_t wrong = 0, runs = 0;
    parsed_figures measured;
    for (const auto* jobs : {&made.jobs, &made.measured})
      for (const side_job& job : *jobs) {
        const parsed_figures parsed = figures_of_ladder(job.output, memory_rate);
        wrong += parsed.wrong.size();
        runs += job.output.find("floats") != job.output.npos;
        if (!parsed.figures.empty()) measured = parsed;
      }
    // A program with a wrong sum exits with 1; that is not a failure to build or run.
    for (const side_job& job : made.jobs)
      if (wrong == 0 && !job.command[0].ends_with("nvcc") && fail_with(made.result, job)) return;
    made.result.figures = figures_of_profile(where.scratch / "ladder.json", "ladder", steps);
    add_measured(made, where, measured);
    note_what_was_not_measured(made);
    made.result.state = wrong == 0 ? tour_state::right : tour_state::wrong;
    made.result.verdict =
        wrong > 0 ? fmt::format("{} sums are wrong", wrong)
                  : fmt::format("{} sums, all correct; {}", steps.size() * runs,
                                where.device.is_gpu || !where.is_quick ? "up to 10,000,000 floats"
                                                                       : "100,003 floats");
  };
  return stop;
}

planned_stop plan_check(const tour_environment& where) {
  const std::string broken = "examples/ladder/without_syncwarp.cu";
  planned_stop stop;
  stop.result.name = "check";
  stop.result.title = "A broken kernel, and what heddle check reports about it";
  stop.result.idea =
      "Many tutorials end the ladder with a last warp that adds in shared memory without "
      "__syncwarp(), \"since a warp runs in lockstep\". It does not. heddle check runs the kernel "
      "under several schedules on the CPU and names the lines. It finds nothing in the ladder "
      "itself.";
  stop.result.source = "Findings from heddle check.";
  const std::string schedules = where.is_quick ? "4" : "8";
  stop.jobs.push_back(
      {{where.self.string(), "check", "--schedules", schedules, broken}, where.share});
  stop.jobs.push_back({{where.self.string(), "check", "--schedules", schedules,
                        "examples/ladder/ladder.cu", "--", "5003", "-"},
                       where.share});
  if (where.device.is_gpu) {
    stop.jobs.push_back(build_for_gpu(where, broken));
    stop.measured.push_back({{program_of(where, broken).string()}, where.scratch});
  }
  stop.finish = [&where](planned_stop& made) {
    const side_job &convicted = made.jobs[0], &silent = made.jobs[1];
    constexpr int has_findings = 1;
    made.result.listing = convicted.messages;
    if (convicted.status != has_findings || !convicted.messages.starts_with("race")) {
      made.result.state = convicted.status == 0 ? tour_state::wrong : tour_state::failed;
      made.result.verdict =
          convicted.status == 0 ? "the race was not found" : failure_of(convicted);
      return;
    }
    if (silent.status > has_findings) {
      fail_with(made.result, silent);
      return;
    }
    made.result.state = silent.is_done() ? tour_state::right : tour_state::wrong;
    made.result.verdict = silent.is_done()
                              ? "heddle check finds the race, and nothing in the ladder"
                              : "heddle check finds something in the ladder: " + failure_of(silent);
    if (!made.measured.empty() && made.measured[0].is_done())
      made.result.notes.push_back(
          fmt::format("{} printed: {}", gpu_name(where),
                      made.measured[0].output.substr(0, made.measured[0].output.find('\n'))));
    note_what_was_not_measured(made);
  };
  return stop;
}

// A program in examples/tour: counters from the CPU, times from the GPU.
struct toured_program {
  std::string name, title, idea;
  variant_names kernels;
  std::string counted, measured;  // its problem sizes
  std::string right;              // the verdict if its results are right
};

planned_stop plan_program(const tour_environment& where, const toured_program& what) {
  const std::string source = fmt::format("examples/tour/{}.cu", what.name);
  planned_stop stop;
  stop.result.name = what.name;
  stop.result.title = what.title;
  stop.result.idea = what.idea;
  stop.result.source = counters_on_cpu;
  stop.jobs.push_back(profile(where, source, {what.counted}));
  if (where.device.is_gpu) {
    stop.jobs.push_back(build_for_gpu(where, source));
    stop.measured.push_back(
        {{program_of(where, source).string(), what.measured, "times"}, where.scratch});
  }
  stop.finish = [&where, what](planned_stop& made) {
    std::vector<std::string> wrong = figures_of_output(made.jobs[0].output, what.name).wrong;
    if (wrong.empty() && fail_with(made.result, made.jobs[0])) return;
    made.result.figures =
        figures_of_profile(where.scratch / (what.name + ".json"), what.name, what.kernels);
    if (!made.measured.empty()) {
      const parsed_figures parsed = figures_of_output(made.measured[0].output, what.name);
      wrong.insert(wrong.end(), parsed.wrong.begin(), parsed.wrong.end());
      add_measured(made, where, parsed);
    }
    note_what_was_not_measured(made);
    made.result.state = wrong.empty() ? tour_state::right : tour_state::wrong;
    made.result.verdict =
        wrong.empty() ? what.right : fmt::format("the results of `{}` are wrong", wrong.front());
  };
  return stop;
}

// If the machine lacks anything for this stop, the rest of the tour still runs.
planned_stop plan_experiments(const tour_environment& where) {
  const fs::path counting = where.share / "tools/experiment-counters";
  const std::string source = "bench/experiments/experiments_bench.cu";
  planned_stop stop;
  stop.result.name = "experiments";
  stop.result.title = "Small experiments: what each variant costs";
  stop.result.idea =
      "A shuffle or shared memory, one branch or sixteen, an atomic per lane or one per warp: "
      "each experiment answers one question, with its variants side by side. docs/experiments.md "
      "has the results of an H200.";
  stop.result.source = counters_on_cpu;
  stop.result.state = tour_state::left_out;
  const bool is_there = fs::exists(counting) && fs::exists(where.share / source);
  if (!is_there || frontend::find_program("python3").empty()) {
    stop.result.verdict = is_there ? "skipped: install python3 to run them"
                                   : "skipped: they need heddle's source tree";
    stop.finish = [](planned_stop&) {};
    return stop;
  }
  stop.jobs.push_back(
      {{"python3", counting.string(), "--heddle", where.self.string(), "--json"}, where.share});
  if (where.device.is_gpu) {
    side_job build = build_for_gpu(where, source);
    build.command.insert(build.command.end(),
                         {"-DNDEBUG", "-I" + (where.share / "bench").string()});
    stop.jobs.push_back(build);
    stop.measured.push_back({{program_of(where, source).string(), "--json"}, where.scratch});
  }
  stop.finish = [&where](planned_stop& made) {
    if (fail_with(made.result, made.jobs[0])) return;
    made.result.figures = figures_of_output(made.jobs[0].output, "").figures;
    if (!made.measured.empty())
      add_measured(made, where, figures_of_output(made.measured[0].output, ""));
    note_what_was_not_measured(made);
    made.result.state = tour_state::right;
    made.result.verdict = "all variants of each experiment give the same results";
  };
  return stop;
}

toured_program norm_program(const tour_environment& where) {
  return {"norm",
          "A norm: rows of 4,096 values normalised to mean 0 and variance 1",
          "A direct implementation of the formula reads each row three times. heddle::norm keeps "
          "the row in registers and loads 16 bytes at a time: a third of the bytes read, an "
          "eighth of the requests, a quarter of the barriers.",
          {{"pass_by_pass", "pass by pass"}, {"heddle::norm::detail::norm_by", "heddle::norm"}},
          where.is_quick ? "16" : "64",
          "16384",
          "all rows are correct, within 1e-5 of the formula in double precision"};
}

toured_program containers_program(const tour_environment& where) {
  return {
      "containers",
      "Lock-free containers: queue, stack, hash map, union-find",
      "Each lane puts a value in and takes one out. If each lane calls alone, all of them contend "
      "for the same few words. If a warp calls together, one lane updates the counters for all: "
      "fewer atomic updates for the same work.",
      {{"queue_alone", "queue, alone"},
       {"queue_together", "queue, together"},
       {"stack_alone", "stack, alone"},
       {"stack_together", "stack, together"},
       {"map_alone", "hash map, alone"},
       {"map_together", "hash map, together"},
       {"sets_united", "union-find"}},
      where.is_quick ? "1024" : "8192",
      "65536",
      "no value is lost or duplicated, all keys and sets are correct"};
}

}  // namespace

fs::path program_of(const tour_environment& where, const std::string& source) {
  return where.scratch / fs::path(source).stem();
}

side_job build_for_gpu(const tour_environment& where, const std::string& source) {
  return {
      {where.here.nvcc.path, "-std=c++20", "-O3", "-arch=" + where.here.gpus.front().architecture(),
       "-I" + where.include.string(), source, "-o", program_of(where, source).string()},
      where.share};
}

side_job profile(const tour_environment& where, const std::string& source,
                 const std::vector<std::string>& arguments) {
  const std::string json = program_of(where, source).string() + ".json";
  side_job job{{where.self.string(), "profile", "--lines", "0", "--json=" + json, "-std=c++20",
                "-I" + where.include.string(), source, "--"},
               where.share};
  job.command.insert(job.command.end(), arguments.begin(), arguments.end());
  return job;
}

std::string failure_of(const side_job& job) {
  std::istringstream lines(job.messages);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != line.npos || line.starts_with("heddle: ")) return line;
    if (first.empty()) first = line;
  }
  if (!first.empty()) return first;
  return fmt::format("{} exited with {}", fs::path(job.command[0]).filename().string(), job.status);
}

std::vector<std::string> names_of_stops() {
  return {"ladder", "experiments", "check", "norm", "containers", "scan"};
}

std::vector<planned_stop> plan_tour(const tour_environment& where) {
  std::vector<planned_stop> stops;
  stops.push_back(plan_ladder(where));
  stops.push_back(plan_experiments(where));
  stops.push_back(plan_check(where));
  stops.push_back(plan_program(where, norm_program(where)));
  stops.push_back(plan_program(where, containers_program(where)));
  stops.push_back(plan_scan(where));
  return stops;
}

}  // namespace heddle::cli
