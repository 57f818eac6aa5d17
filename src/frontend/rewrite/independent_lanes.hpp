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
  // Lanes that stride over memory take turns, so they do not run as a loop. With separate
  // compilation, functions may be defined in other files.
  independent_lanes(const structure& shape, const std::set<std::size_t>& strides,
                    bool is_relocatable);

  // Rewrites the kernel's body for a loop over its lanes, and returns what the runtime must know
  // about it. If the lanes may need each other, changes nothing and returns nullopt.
  std::optional<std::string> rewrite(const scope& kernel, edits& changes);

 private:
  std::optional<code_verdict> judge_functions(std::string_view name);
  code_verdict judge_function(const scope& function);
  bool strides(const scope& function) const;
  bool has_plain_head(const scope& function, code_reader& reader,
                      std::vector<std::string>* types) const;

  const structure& shape_;
  const std::set<std::size_t>& strides_;
  bool is_relocatable_;
  bool has_operators_ = false;  // the program defines operators
  std::multimap<std::string_view, const scope*> functions_;
  std::map<std::string_view, code_verdict> judged_;
};

}  // namespace heddle::frontend
