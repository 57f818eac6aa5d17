// Finds kernels whose lanes need no other lane, and prepares their bodies to run as a loop.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/rewrite/code_reader.hpp"
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

class independent_lanes {
 public:
  // Lanes that stride over memory take turns, unless their loop is split; those are taken from
  // `strides`. With separate compilation, functions may be defined in other files.
  independent_lanes(const structure& shape, std::set<std::size_t>& strides, bool is_relocatable);

  struct known_lanes {
    std::string traits;     // what the runtime must know
    std::string parameter;  // of the closure
  };
  // Rewrites the kernel's body for loops over its lanes. If the lanes may need each other in other
  // ways than at barriers, changes nothing and returns nullopt.
  std::optional<known_lanes> rewrite(const scope& kernel, edits& changes);

 private:
  std::optional<code_verdict> judge_functions(std::string_view name);
  code_verdict judge_function(const scope& function);
  std::optional<code_verdict> judge_kernel(const scope& kernel, code_reader& reader,
                                           std::vector<std::string>& types) const;
  std::string plain_types(const code_reader& reader, const std::vector<std::string>& types) const;
  bool strides(const scope& function) const;
  bool has_plain_head(const scope& function, code_reader& reader,
                      std::vector<std::string>* types) const;

  const structure& shape_;
  std::set<std::size_t>& strides_;
  bool is_relocatable_;
  bool has_operators_ = false;  // the program defines operators
  std::multimap<std::string_view, const scope*> functions_;
  std::map<std::string_view, code_verdict> judged_;
};

}  // namespace heddle::frontend
