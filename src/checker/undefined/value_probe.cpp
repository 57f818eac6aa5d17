// Runs copies of the process with other bytes, and sends their results back.
#include "checker/undefined/value_probe.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include <heddle_host/ran_code.hpp>
#include <heddle_host/schedule.hpp>

#include "checker/memory/poisons.hpp"
#include "checker/undefined/line.hpp"

namespace heddle_checker {
namespace {

constexpr unsigned most_tries = 4;       // for each site, each in another grid
constexpr std::size_t most_at_once = 8;  // sites of one grid
constexpr std::uint64_t steps_for_another_way = 1'000'000;
// Only for a copy that waits for a host thread, which it does not have.
constexpr unsigned seconds_of_copy = 120;

std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdu;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53u;
  return value ^ value >> 33;
}

void wait_for_end(pid_t child, int& status) {
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

void silence_output() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

}  // namespace

bool value_probe::is_open(const void* site) const {
  if (is_rerun_ || reserves_.size() == most_at_once) return false;
  const auto is_its = [&](const reserve& one) { return one.site == site; };
  if (std::any_of(reserves_.begin(), reserves_.end(), is_its)) return false;
  const auto tried = tries_.find(site);
  return tried == tries_.end() || tried->second < most_tries;
}

void value_probe::count(const void* site) {
  for (reserve& one : reserves_) {
    if (one.site == site) ++one.about.count;
  }
}

bool value_probe::replaces(const void* site) const {
  return is_rerun_ && site == site_ && poison_ != first_poison;
}

void value_probe::prepare_byte(const void* site, std::uintptr_t address) {
  const auto [known, is_new] =
      replaced_.try_emplace(address, static_cast<std::uint8_t>(load_word(address, 1)));
  undefined_.set(known->second);
  store_word(address, 1, replaces(site) ? poison_ : known->second);
}

void value_probe::restore_bytes() {
  for (const auto& [address, before] : replaced_) {
    if (load_word(address, 1) == (poison_ & 0xff)) store_word(address, 1, before);
  }
}

void value_probe::ask(const void* site, bool copies_matter, heddle_host::finding about) {
  copies_matter_ = copies_matter;
  path_matters_ = true;
  make_reserve(site, std::move(about), {other_poisons.begin(), other_poisons.end()});
}

void value_probe::ask_for_result(const void* site, std::uint64_t other,
                                 heddle_host::finding about) {
  copies_matter_ = true;
  path_matters_ = false;
  make_reserve(site, std::move(about), {other});
}

void value_probe::make_reserve(const void* site, heddle_host::finding about,
                               std::vector<std::uint64_t> values) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  std::fflush(stdout);  // so that only one process prints what is buffered
  follows_ = true;
  const pid_t copy = heddle_host::copy_process();
  if (copy != 0) {
    close(ends[1]);
    if (copy > 0) {
      reserves_.push_back({site, std::move(about), ends[0], copy, std::move(values)});
    } else {
      close(ends[0]);
    }
    return;
  }
  close(ends[0]);
  for (const reserve& other : reserves_) close(other.line);
  reserves_.clear();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  site_ = site;
  line_ = ends[1];
  wait_in_reserve();
}

// Returns only in the copies that continue.
void value_probe::wait_in_reserve() {
  receive_effects();
  while (receive_value(line_, poison_)) {
    const pid_t copy = heddle_host::copy_process();
    if (copy == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      alarm(seconds_of_copy);
      silence_output();
      is_rerun_ = true;
      heddle_host::forget_ran_code();
      return;
    }
    int status = 1;
    if (copy > 0) wait_for_end(copy, status);
    // A copy that could not answer has crashed, unlike the program.
    if (status != 0) send_value(line_, answer{copy > 0, 0});
  }
  _exit(0);
}

void value_probe::add_step(std::uint64_t hash) {
  ++done_.steps;
  done_.path += mixed(hash);
  // A copy that takes this much longer counts as different.
  const std::uint64_t most =
      path_matters_ ? expected_.steps : expected_.steps * 2 + steps_for_another_way;
  if (is_rerun_ && done_.steps > most) differ();
}

void value_probe::follow(std::uint64_t lane, std::uintptr_t address, std::size_t bytes, bool writes,
                         const void* code) {
  add_step(mixed(lane) ^ mixed(address) ^ reinterpret_cast<std::uintptr_t>(code) << 8);
  if (!writes) return;
  written_.note(address, bytes);
  // From now on these bytes hold what the lane has stored.
  replaced_.erase(replaced_.lower_bound(address), replaced_.lower_bound(address + bytes));
}

void value_probe::follow_text(std::uint64_t lane, const char* text, std::size_t bytes) {
  const std::uint64_t hash = mixed(lane) ^ std::hash<std::string_view>()({text, bytes});
  add_step(hash);
  done_.texts += mixed(hash);
}

void value_probe::send_effects(int line, const visible_bytes& visible) const {
  send_value(line, done_);
  for (const auto& [begin, page] : written_.all()) {
    written_words::page now;
    bool has_any = false;
    for (std::size_t word = 0; word < written_words::words_per_page; ++word) {
      const std::uintptr_t address = begin + word * 8;
      if (!page.has(word) || visible(address) == 0) continue;
      now.bits[word / 64] |= std::uint64_t{1} << word % 64;
      now.words[word] = load_word(address, 8);
      has_any = true;
    }
    if (has_any && !(send_value(line, begin) && send_value(line, now))) return;
  }
  send_value(line, std::uintptr_t{0});
}

void value_probe::receive_effects() {
  bool goes_on = receive_value(line_, expected_);
  std::uintptr_t begin = 0;
  while (goes_on && receive_value(line_, begin) && begin != 0) {
    goes_on = receive_value(line_, expected_words_[begin]);
  }
  if (!goes_on || begin != 0) _exit(0);  // the program has exited, or does not want an answer
}

value_probe::answer value_probe::try_poison(int line, std::uint64_t poison,
                                            std::vector<copied_word>& copies) {
  answer got{false, 0};
  copies.clear();
  if (!send_value(line, poison) || !receive_value(line, got)) return {false, 0};
  copies.resize(got.copies);
  if (!receive_bytes(line, copies.data(), copies.size() * sizeof(copied_word))) copies.clear();
  return got;
}

// A byte that was only copied holds each poison in turn; one that happens to equal a poison does
// not. A grid that reads the time or waits for a host thread may differ from run to run. So it also
// runs with its own bytes: if that differs too, the value does not count as used.
value_probe::verdict value_probe::judge(reserve& one) const {
  verdict answer{std::move(one.about), false, {}};
  bool differs = try_poison(one.line, one.values[0], answer.copies).differs;
  for (std::size_t i = 1; i < one.values.size() && !differs; ++i) {
    std::vector<copied_word> copies;
    differs = try_poison(one.line, one.values[i], copies).differs || copies != answer.copies;
  }
  if (!differs) return answer;
  answer.copies.clear();
  std::vector<copied_word> ignored;
  answer.matters = !try_poison(one.line, first_poison, ignored).differs;
  return answer;
}

std::vector<value_probe::verdict> value_probe::end_grid(int error, const visible_bytes& visible) {
  if (!follows_) return {};
  done_.error = error;
  if (is_rerun_) {
    restore_bytes();
    compare(visible);
  }
  std::vector<verdict> verdicts;
  for (reserve& one : reserves_) {
    send_effects(one.line, visible);
    verdicts.push_back(judge(one));
    unsigned& tries = tries_[one.site];
    tries = verdicts.back().matters ? most_tries : tries + 1;
    close(one.line);
    int status = 0;
    wait_for_end(one.process, status);
  }
  reserves_.clear();
  written_.clear();
  done_ = {};
  follows_ = false;
  return verdicts;
}

void value_probe::differ() const {
  send_value(line_, answer{true, 0});
  _exit(0);
}

// Whether the byte was only copied: here and in the program, it is what the load returned.
bool value_probe::is_copied(std::uint8_t in_program, std::uint8_t here) const {
  return !copies_matter_ && undefined_.test(in_program) && here == (poison_ & 0xff);
}

void value_probe::compare(const visible_bytes& visible) const {
  const bool goes_another_way = done_.steps != expected_.steps || done_.path != expected_.path;
  if ((path_matters_ && goes_another_way) || done_.texts != expected_.texts ||
      done_.error != expected_.error) {
    differ();
  }
  std::vector<copied_word> copies;
  const auto compare_word = [&](std::uintptr_t address, std::uint64_t in_program) {
    const std::uint8_t seen = visible(address);
    const std::uint64_t here = seen == 0 ? in_program : load_word(address, 8);
    if (here == in_program) return;
    copied_word copied{address, 0};
    for (unsigned i = 0; i < 8; ++i) {
      const auto one = static_cast<std::uint8_t>(in_program >> i * 8);
      const auto other = static_cast<std::uint8_t>(here >> i * 8);
      if (one == other || (seen >> i & 1) == 0) continue;
      if (!is_copied(one, other)) differ();
      copied.bytes = static_cast<std::uint8_t>(copied.bytes | 1u << i);
    }
    if (copied.bytes != 0) copies.push_back(copied);
  };
  for_each_word(expected_words_, compare_word);
  // Words that the program has not written still hold what they held before this copy wrote them.
  for_each_word(written_.all(), [&](std::uintptr_t address, std::uint64_t before) {
    const auto in = expected_words_.find(address & ~(written_words::page_bytes - 1));
    const std::size_t word = address % written_words::page_bytes / 8;
    if (in == expected_words_.end() || !in->second.has(word)) compare_word(address, before);
  });
  std::sort(copies.begin(), copies.end());
  send_value(line_, answer{false, copies.size()});
  send_bytes(line_, copies.data(), copies.size() * sizeof(copied_word));
  _exit(0);
}

}  // namespace heddle_checker
