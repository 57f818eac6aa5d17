// A table of options: their names and what each does.
#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

class option_table {
 public:
  struct option {
    bool takes_value;
    std::function<void(const std::string&)> act;
  };

  void flag(std::initializer_list<const char*> names, const std::function<void()>& act) {
    for (const char* name : names) all_[name] = {false, [act](const std::string&) { act(); }};
  }
  void value(std::initializer_list<const char*> names,
             const std::function<void(const std::string&)>& act) {
    for (const char* name : names) all_[name] = {true, act};
  }
  void also_called(const std::string& name, const std::string& known) {
    all_[name] = all_.at(known);
  }
  [[nodiscard]] const option* find(const std::string& name) const {
    const auto found = all_.find(name);
    return found == all_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, option> all_;
};

// Splits a value at any of the separators; `\\,` is a literal comma.
std::vector<std::string> split(const std::string& text, std::string_view separators);

}  // namespace heddle::frontend
