// Runs all rewritings over one preprocessed file.
#include "rewrite.hpp"

#include "device_variables.hpp"
#include "kernel.hpp"
#include "launch.hpp"
#include "linkage.hpp"
#include "local_arrays.hpp"
#include "managed.hpp"
#include "not_offered.hpp"
#include "prepare.hpp"
#include "ptx.hpp"
#include "shared.hpp"
#include "structure.hpp"

namespace heddle::frontend {

rewrite_result rewrite(std::string preprocessed, const rewrite_options& options) {
  const token_list list(prepare(std::move(preprocessed), options.quiet_folders));
  const structure shape(list);
  edits changes(list);
  find_what_is_not_offered(shape, changes);
  remove_function_markers(shape, changes);
  if (!options.is_relocatable) give_linkage_to_headers(shape, changes);
  register_managed_variables(shape, changes);
  rewrite_kernels(shape, changes);
  rewrite_shared_variables(shape, changes, options.is_checked);
  if (options.is_checked) {
    declare_device_variables(shape, changes, true);
    rewrite_local_arrays(shape, changes);
  } else if (options.is_profiled) {
    declare_device_variables(shape, changes, false);
  }
  rewrite_ptx(shape, changes);
  rewrite_launches(shape, changes);
  if (!changes.diagnostics().empty()) return {"", changes.diagnostics()};
  return {changes.apply(), {}};
}

}  // namespace heddle::frontend
