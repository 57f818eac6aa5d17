// What row norms cost in several shapes of launch, against copy speed and PyTorch.
#include "norm/norm_cases.cuh"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

// Lines {"case": "rms_norm 8192x4096", "peer": "…", "us": 46.0} as norm_peer.py writes them.
std::map<std::string, double> read_peers(const char* path) {
  std::ifstream file(path);
  heddle_bench::check(file.good(), "the file of --peers cannot be read");
  std::map<std::string, double> peers;
  for (std::string line; std::getline(file, line);) {
    const std::size_t name = line.find("\"case\": \""), time = line.find("\"us\": ");
    if (name == std::string::npos || time == std::string::npos) continue;
    const std::size_t begin = name + 9;
    peers[line.substr(begin, line.find('"', begin) - begin)] =
        std::strtod(line.c_str() + time + 6, nullptr);
  }
  return peers;
}

}  // namespace

// Takes `--peers FILE` besides what all benches of this kind take.
int main(int count, char** arguments) {
  std::map<std::string, double> peers;
  std::vector<char*> others;
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(arguments[i], "--peers") == 0 && i + 1 < count) {
      peers = read_peers(arguments[++i]);
    } else {
      others.push_back(arguments[i]);
    }
  }
  heddle_bench::device_report rows(static_cast<int>(others.size()), others.data());
  heddle_bench::device_contest contest(rows);
  heddle_bench::norm_cases(contest, rows, peers);
  rows.foot();
}
