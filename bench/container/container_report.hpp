// Rows of the container benches: operations per second, latencies and conflicts.
#pragma once
#include <cstdio>
#include <string>
#include <utility>

#include "support/asked_rows.hpp"
#include "support/machine.hpp"

namespace heddle_bench {

// Cycles per operation, over all lanes.
struct latency {
  double median = 0, most = 0, longest = 0;  // `most`: the 99th percentile
};

class container_report : public asked_rows {
 public:
  container_report(int count, char** arguments, std::string bench)
      : asked_rows(count, arguments), bench_(std::move(bench)) {}

  void head(const machine& here, const char* explanation) const {
    print_machine(here, bench_, is_json_);
    if (!is_json_) std::printf("%s\n", explanation);
  }
  void title(const char* columns) const {
    if (!is_json_) std::printf("\n%s\n", columns);
  }

  // Millions of operations per second, ours and the peer's (a peer of "" means none). Ours must
  // reach `target`, and `goal` times the peer's; 0 means no such goal.
  void speed(const std::string& ours, const std::string& peer, double our_speed, double peer_speed,
             double target, double goal, const std::string& wrong = {}) {
    const double ratio = peer.empty() ? 0 : our_speed / peer_speed;
    // Two runs of the same code differ by up to two percent.
    const bool is_missed = !wrong.empty() || our_speed < target / 1.02 || ratio < goal / 1.02;
    missed_ += is_missed;
    if (is_json_) {
      std::printf(
          "{\"case\": \"%s\", \"peer\": \"%s\", \"ours_mops\": %.5g, \"peer_mops\": %.5g, "
          "\"ratio\": %.4g, \"target_mops\": %.5g, \"goal\": %.4g, \"wrong\": \"%s\"}\n",
          ours.c_str(), peer.c_str(), our_speed, peer_speed, ratio, target, goal, wrong.c_str());
    } else {
      std::string wanted;
      char text[40];
      if (target > 0) {
        std::snprintf(text, sizeof text, ">= %.0f  ", target);
        wanted += text;
      }
      if (goal > 0) {
        std::snprintf(text, sizeof text, ">= %.1f times  ", goal);
        wanted += text;
      }
      if (peer.empty()) {
        std::printf("%-66s %-22s %10.2f %10s %8s   %s%s%s\n", ours.c_str(), "", our_speed, "", "",
                    wanted.c_str(), is_missed ? "missed" : "", words_for(wrong).c_str());
      } else {
        std::printf("%-66s %-22s %10.2f %10.2f %8.2f   %s%s%s\n", ours.c_str(), peer.c_str(),
                    our_speed, peer_speed, ratio, wanted.c_str(), is_missed ? "missed" : "",
                    words_for(wrong).c_str());
      }
    }
    std::fflush(stdout);
  }

  void latencies(const std::string& ours, const std::string& peer, const latency& our,
                 const latency& peers) const {
    if (is_json_) {
      std::printf(
          "{\"case\": \"%s\", \"peer\": \"%s\", \"ours_p50_cycles\": %.0f, "
          "\"ours_p99_cycles\": %.0f, \"ours_max_cycles\": %.0f, \"peer_p50_cycles\": %.0f, "
          "\"peer_p99_cycles\": %.0f, \"peer_max_cycles\": %.0f}\n",
          ours.c_str(), peer.c_str(), our.median, our.most, our.longest, peers.median, peers.most,
          peers.longest);
    } else {
      std::printf("%-66s %-22s %9.0f %9.0f %10.0f   %9.0f %9.0f %11.0f\n", ours.c_str(),
                  peer.c_str(), our.median, our.most, our.longest, peers.median, peers.most,
                  peers.longest);
    }
    std::fflush(stdout);
  }

  // Per operation: exchanges, failed exchanges, and tickets that were not used.
  void conflicts(const std::string& what, double exchanges, double failures, double idle_tickets,
                 const std::string& wrong = {}) {
    missed_ += !wrong.empty();
    if (is_json_) {
      std::printf(
          "{\"case\": \"%s\", \"exchanges\": %.4g, \"failed\": %.4g, \"idle_tickets\": %.4g, "
          "\"wrong\": \"%s\"}\n",
          what.c_str(), exchanges, failures, idle_tickets, wrong.c_str());
    } else {
      std::printf("%-66s %10.3f %10.3f %10.3f   %s\n", what.c_str(), exchanges, failures,
                  idle_tickets, words_for(wrong).c_str());
    }
    std::fflush(stdout);
  }

  void foot() const {
    if (!is_json_) std::printf("%d goals missed\n", missed_);
  }

 private:
  static std::string words_for(const std::string& wrong) {
    return wrong.empty() ? "" : "  WRONG: " + wrong;
  }

  std::string bench_;
  int missed_ = 0;
};

}  // namespace heddle_bench
