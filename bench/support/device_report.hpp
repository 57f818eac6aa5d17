// Rows of a device-wide bench: microseconds, ratio and share of the copy limit.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "support/machine.hpp"
#include "support/report.hpp"

namespace heddle_bench {

class device_report {
 public:
  // Takes `--json`, `--only TEXT`, `--sweep` and `--alone`; prints the usage and exits on anything
  // else. `peers` describes peers that were measured elsewhere.
  device_report(int count, char** arguments, std::string bench, std::string peers = {})
      : bench_(std::move(bench)), peers_(std::move(peers)) {
    for (int i = 1; i < count; ++i) {
      if (std::strcmp(arguments[i], "--json") == 0) {
        is_json_ = true;
      } else if (std::strcmp(arguments[i], "--sweep") == 0) {
        is_sweep_ = true;
      } else if (std::strcmp(arguments[i], "--alone") == 0) {
        is_alone_ = true;
      } else if (std::strcmp(arguments[i], "--only") == 0 && i + 1 < count) {
        only_ = arguments[++i];
      } else {
        std::fprintf(stderr, "usage: %s [--json] [--sweep] [--only TEXT] [--alone]\n",
                     arguments[0]);
        std::exit(2);
      }
    }
  }

  // True if --only selects the rows of this case.
  bool wants(const std::string& what) const { return what.find(only_) != std::string::npos; }
  // True for --sweep: many sizes, instead of those that have a target.
  bool is_sweep() const { return is_sweep_; }
  // True for --alone: nothing is timed; our code runs a few times, for a profiler.
  bool is_alone() const { return is_alone_; }

  void head(const machine& here, double copy_limit) {
    copy_limit_ = copy_limit;
    char copy[64];
    std::snprintf(copy, sizeof copy, ", \"copy_gb_per_s\": %.0f", copy_limit);
    print_machine(here, bench_ + (is_sweep_ ? " sweep" : ""), is_json_,
                  copy + (peers_.empty() ? "" : ", \"peers\": \"" + peers_ + "\""));
    if (is_json_) return;
    std::printf("a copy of 2 GiB reads and writes %.0f GB/s\n", copy_limit);
    std::printf(
        "us: per call in a replayed CUDA graph, median, ours and peers in turns; inputs "
        "come from memory\n");
    std::printf("share: throughput relative to the copy; goal: for the ratio, or for our time\n");
    std::printf("%-38s %-34s %10s %10s %6s %7s   %s\n", "ours", "peer", "us", "peer", "ratio",
                "share", "goal");
  }

  // One row. `bytes` is what a call must move; a target or goal of 0 means none. `wrong` names the
  // side whose result was wrong.
  void row(const std::string& ours, const std::string& peer, double our_us, double peer_us,
           double bytes, double target_us, double goal, const std::string& wrong = {}) {
    const double ratio = our_us / peer_us;
    const double share = bytes / our_us * 1e-3 / copy_limit_;
    // Two runs of the same code differ by up to two percent.
    const bool is_missed = !wrong.empty() || (target_us > 0 && our_us > target_us * 1.02) ||
                           (goal > 0 && ratio > goal * 1.02);
    missed_ += is_missed;
    if (is_json_) {
      std::printf(
          "{\"case\": \"%s\", \"peer\": \"%s\", \"ours_us\": %.5g, \"peer_us\": %.5g, "
          "\"ratio\": %.4g, \"share_of_copy\": %.4g, \"target_us\": %.4g, "
          "\"goal\": %.4g, \"wrong\": \"%s\"}\n",
          ours.c_str(), peer.c_str(), our_us, peer_us, ratio, share, target_us, goal,
          wrong.c_str());
    } else {
      std::string wanted;
      char text[40];
      if (goal > 0) {
        std::snprintf(text, sizeof text, "<= %.2f  ", goal);
        wanted += text;
      }
      if (target_us > 0) {
        std::snprintf(text, sizeof text, "<= %.4g us", target_us);
        wanted += text;
      }
      std::printf("%-38s %-34s %10.2f %10.2f %6.2f %6.1f%%   %s%s%s\n", ours.c_str(), peer.c_str(),
                  our_us, peer_us, ratio, 100 * share, wanted.c_str(), is_missed ? "  missed" : "",
                  wrong.empty() ? "" : ("  WRONG: " + wrong).c_str());
    }
    std::fflush(stdout);
  }

  void foot() const {
    if (!is_json_) std::printf("%d goals missed\n", missed_);
  }

 private:
  std::string bench_;
  std::string peers_;
  bool is_json_ = false;
  bool is_sweep_ = false;
  bool is_alone_ = false;
  std::string only_;
  double copy_limit_ = 1;
  int missed_ = 0;
};

}  // namespace heddle_bench
