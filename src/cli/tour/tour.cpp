// `heddle tour`: shows warp-level CUDA at work, measured and explained on this machine.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <files/output.hpp>
#include <frontend/driver/build_error.hpp>
#include <frontend/driver/cache.hpp>
#include <frontend/driver/installation.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <sstream>

#include "cli/check/checked_child.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/tour/tour_stops.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using heddle_report::tour_report;

constexpr const char* help_text = R"(heddle tour [--html FILE] [--quick] [--only STOPS]

Shows warp-level CUDA at work on this machine: one sum in seven kernels, each with one more idea; small
experiments; a broken kernel and what `heddle check` reports about it; a norm; lock-free containers; the
clusters in a street scan. Checks every result. With a GPU and nvcc, it builds the kernels for the GPU
and measures them. Otherwise it runs them on the CPU and counts what each kernel would ask of a GPU.
Prints a table for each stop, and writes one HTML page with plots that opens from disk.

  --html FILE     the page to write (default: heddle-tour.html in this folder)
  --no-html       write no page
  --quick         use smaller sizes; takes seconds
  --only STOPS    only these stops, separated by commas: ladder,experiments,check,norm,containers,scan
  --cpu           ignore the GPU

Exits with 0 if all results are right, with 1 if a stop failed or a result is wrong, and with 2 if an
option is invalid or the page could not be written. See docs/tour.md.
)";

constexpr const char* default_page = "heddle-tour.html";

struct tour_options {
  std::string page;  // empty: none
  bool names_page = false;
  bool is_quick = false, avoids_gpu = false, asks_help = false;
  std::vector<std::string> only;  // empty: all
};

struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

tour_options parse_command_line(const std::vector<std::string>& arguments) {
  tour_options options;
  bool has_no_page = false;
  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", options.asks_help);
  const CLI::Option* const page = app.add_option("--html", options.page);
  app.add_flag("--no-html", has_no_page);
  app.add_flag("--quick", options.is_quick);
  app.add_flag("--cpu", options.avoids_gpu);
  app.add_option("--only", options.only)->delimiter(',');
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  app.parse(reversed);
  options.names_page = page->count() > 0;
  if (options.asks_help) return options;
  if (options.names_page && has_no_page)
    throw usage_error("--html and --no-html contradict each other; leave one out");
  if (options.names_page && options.page.empty())
    throw usage_error("--html needs the name of a file");
  if (!options.names_page && !has_no_page) options.page = default_page;
  const std::vector<std::string> known = names_of_stops();
  for (const std::string& name : options.only)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw usage_error(
          fmt::format("unknown stop '{}'; the stops are {}", name, fmt::join(known, ", ")));
  const fs::path folder = fs::path(options.page).parent_path();
  if (!folder.empty() && !fs::is_directory(folder))
    throw usage_error(
        fmt::format("cannot write {}: there is no folder {}", options.page, folder.string()));
  if (fs::is_directory(options.page))
    throw usage_error(fmt::format("--html: {} is a folder", options.page));
  return options;
}

// Where tables go: not to standard output if the page goes there.
std::FILE* tables_of(const tour_options& options) {
  const bool page_is_printed = !options.page.empty() && files::is_standard_output(options.page);
  return page_is_printed ? stderr : stdout;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

std::string machine_text(const machine& here) {
  std::string text = here.processor.empty() ? here.system : here.processor;
  text += fmt::format(", {} core{}", here.cores, here.cores == 1 ? "" : "s");
  if (!here.compiler.version.empty()) text += "; " + here.compiler.version;
  if (!here.nvcc.version.empty()) text += "; nvcc " + here.nvcc.version;
  if (!here.driver_version.empty()) text += "; driver " + here.driver_version;
  return text;
}

// On a terminal one changing line; elsewhere a line for each new step.
class tour_progress {
 public:
  void show(const std::string& what) {
    const std::string text = line_.is_silent() ? what : fmt::format("{}, {:.0f} s", what, passed());
    if (text == last_) return;
    last_ = text;
    if (line_.is_silent())
      fmt::print(stderr, "heddle: {}\n", text);
    else
      line_.show(text);
  }
  void clear() { line_.clear(); }
  [[nodiscard]] double passed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  progress_line line_;
  std::string last_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class tour {
 public:
  tour(const tour_options& options, tour_environment where)
      : options_(options), where_(std::move(where)), stops_(plan_tour(where_)) {
    std::erase_if(stops_, [&](const planned_stop& stop) {
      return !options_.only.empty() && std::find(options_.only.begin(), options_.only.end(),
                                                 stop.result.name) == options_.only.end();
    });
  }

  // False if a signal ended it.
  bool run() {
    if (!run_jobs() || !run_measured()) return false;
    for (planned_stop& stop : stops_) finish(stop);
    return true;
  }

  [[nodiscard]] tour_report report() const {
    tour_report made;
    made.device = where_.device.reason;
    made.machine = machine_text(where_.here);
    made.date = today();
    made.is_quick = options_.is_quick;
    made.seconds = progress_.passed();
    for (const planned_stop& stop : stops_) made.stops.push_back(stop.result);
    return made;
  }

 private:
  // Builds, and runs that measure no time, use all cores.
  bool run_jobs() {
    std::vector<side_job*> jobs;
    for (planned_stop& stop : stops_)
      for (side_job& job : stop.jobs) jobs.push_back(&job);
    // Start the longest jobs first.
    std::stable_sort(jobs.begin(), jobs.end(), [](const side_job* one, const side_job* other) {
      return one->command[0].ends_with("nvcc") && !other->command[0].ends_with("nvcc");
    });
    return run_side_jobs(
        jobs, std::max(1u, where_.here.cores), where_.scratch, [&](std::size_t done) {
          progress_.show(
              fmt::format("building and counting: {} of {} programs", done, jobs.size()));
        });
  }

  bool run_measured() {
    for (planned_stop& stop : stops_) {
      const bool is_built = std::none_of(
          stop.jobs.begin(), stop.jobs.end(),
          [](const side_job& job) { return job.command[0].ends_with("nvcc") && !job.is_done(); });
      for (side_job& job : stop.measured) {
        if (!is_built) break;
        const auto show = [&](std::size_t) {
          progress_.show("measuring on the GPU: " + stop.result.name);
        };
        if (!run_side_jobs({&job}, 1, where_.scratch, show)) return false;
      }
    }
    return true;
  }

  void finish(planned_stop& stop) {
    progress_.show("evaluating " + stop.result.name);
    for (const auto* jobs : {&stop.jobs, &stop.measured})
      for (const side_job& job : *jobs) stop.result.seconds += job.seconds;
    stop.finish(stop);
    progress_.clear();
    fmt::print(tables_of(options_), "{}", text_of(stop.result));
    std::fflush(tables_of(options_));
  }

  const tour_options& options_;
  const tour_environment where_;
  std::vector<planned_stop> stops_;
  tour_progress progress_;
};

// Writes the page where the user asked for it, or else to a temporary folder. Returns its path;
// empty if it could not be written.
std::string write_page(const tour_options& options, const tour_report& report) {
  const std::string page = html_of(report, HEDDLE_VERSION);
  try {
    files::write(options.page, page);
    return options.page;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "heddle: {}\n", failure.what());
  }
  try {
    // A private folder: others may have planted links in the shared one.
    frontend::scratch_folder folder(fs::temp_directory_path(), "heddle-tour-page");
    const fs::path other = folder.path() / default_page;
    files::write(other, page);
    folder.keep();
    fmt::print(stderr, "heddle: wrote {} instead\n", other.string());
    return other.string();
  } catch (const std::exception& failure) {
    fmt::print(stderr, "heddle: {}; no page was written\n", failure.what());
    return "";
  }
}

tour_environment inspect_environment(const tour_options& options, const fs::path& scratch) {
  const frontend::installation home = frontend::find_installation();
  tour_environment where;
  where.here = inspect_machine();
  where.device = choose_device(where.here);
  if (where.device.is_gpu && options.avoids_gpu)
    where.device = {false, "kernels run on the CPU because of --cpu", false};
  if (where.here.compiler.path.empty())
    throw usage_error("no C++ compiler found; install g++, or set HEDDLE_CXX to a compiler");
  where.is_quick = options.is_quick;
  where.self = fs::read_symlink("/proc/self/exe");
  where.share = home.debugger_script.parent_path();
  where.include = home.include;
  where.scratch = scratch;
  if (!fs::exists(where.share / "examples/ladder/ladder.cu"))
    throw usage_error(fmt::format("{}/examples is missing; reinstall heddle, or build it again",
                                  where.share.string()));
  return where;
}

int take_tour(const tour_options& options) {
  const frontend::scratch_folder scratch(fs::temp_directory_path(), "heddle-tour");
  const tour_environment where = inspect_environment(options, scratch.path());
  watch_for_interruption();
  fmt::print(stderr, "heddle: {}{}\n", where.device.has_unusable_gpu ? "note: " : "",
             where.device.reason);
  tour going(options, where);
  if (!going.run()) return 128 + interruption();
  const tour_report report = going.report();
  std::FILE* const tables = tables_of(options);
  fmt::print(tables, "{}", summary_of(report));
  bool is_printed = std::fflush(tables) == 0 && std::ferror(tables) == 0;
  if (!is_printed) fmt::print(stderr, "heddle: cannot write the tables to standard output\n");
  if (!options.page.empty()) {
    const std::string page = write_page(options, report);
    is_printed = is_printed && !page.empty() && (page == options.page || !options.names_page);
    const bool is_file = !page.empty() && !files::is_stream(page);
    if (is_file && page == options.page) fmt::print(stderr, "heddle: wrote {}\n", page);
    if (is_file && !heddle_report::pages_have_plots())
      fmt::print(stderr,
                 "heddle: the page has no plots; install libjs-chart.js and build heddle again\n");
  }
  if (!is_printed) return 2;
  return report.is_all_right() ? 0 : 1;
}

}  // namespace

int tour_command(const std::vector<std::string>& arguments) {
  try {
    const tour_options options = parse_command_line(arguments);
    if (options.asks_help) return fmt::print("{}", help_text), 0;
    return take_tour(options);
  } catch (const usage_error& failure) {
    fmt::print(stderr, "heddle: {}; see `heddle tour --help`\n", failure.what());
  } catch (const CLI::ParseError& failure) {
    fmt::print(stderr, "heddle: {}; see `heddle tour --help`\n", failure.what());
  } catch (const std::exception& failure) {
    fmt::print(stderr, "heddle: {}\n", failure.what());
  }
  return 2;
}

}  // namespace heddle::cli
