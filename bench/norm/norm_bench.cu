// What row norms cost with several launch shapes, against copy speed and PyTorch.
#include "norm/norm_cases.cuh"
#include "norm/norm_sweep.cuh"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

// What norm_peer.py measured: the peer's name, and microseconds by case.
struct peer_figures {
  std::map<std::string, double> microseconds;
  std::string name;
};

// The text after `key` in a line of JSON, up to the next quotation mark; empty if there is no key.
std::string text_after(const std::string& line, const std::string& key) {
  const std::size_t found = line.find(key);
  if (found == std::string::npos) return {};
  const std::size_t begin = found + key.size();
  return line.substr(begin, line.find('"', begin) - begin);
}

// Lines {"case": "rms_norm 8192x4096", "peer": "…", "us": 46.0} as norm_peer.py writes them.
peer_figures read_peers(const char* path) {
  std::ifstream file(path);
  heddle_bench::check(file.good(), "cannot read the file given with --peers");
  peer_figures peers;
  for (std::string line; std::getline(file, line);) {
    const std::string name = text_after(line, "\"case\": \"");
    const std::size_t time = line.find("\"us\": ");
    if (name.empty() || time == std::string::npos) continue;
    peers.microseconds[name] = std::strtod(line.c_str() + time + 6, nullptr);
    peers.name = text_after(line, "\"peer\": \"");
  }
  return peers;
}

}  // namespace

// Takes `--peers FILE` in addition to the options of all device-wide benches.
int main(int count, char** arguments) {
  peer_figures peers;
  std::vector<char*> others;
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(arguments[i], "--peers") == 0 && i + 1 < count) {
      peers = read_peers(arguments[++i]);
    } else {
      others.push_back(arguments[i]);
    }
  }
  heddle_bench::device_report rows(static_cast<int>(others.size()), others.data(), "norm",
                                   peers.name);
  heddle_bench::device_contest contest(rows);
  if (rows.is_sweep()) {
    heddle_bench::norm_sweep(contest, rows, peers.microseconds);
  } else {
    heddle_bench::norm_cases(contest, rows, peers.microseconds);
  }
  rows.foot();
}
