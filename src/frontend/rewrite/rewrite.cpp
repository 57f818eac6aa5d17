// Runs all rewriting passes over one preprocessed file.
#include "frontend/rewrite/rewrite.hpp"

#include "frontend/driver/prepare.hpp"
#include "frontend/ptx/ptx.hpp"
#include "frontend/rewrite/columns.hpp"
#include "frontend/rewrite/device_variables.hpp"
#include "frontend/rewrite/dialect.hpp"
#include "frontend/rewrite/kernel.hpp"
#include "frontend/rewrite/launch.hpp"
#include "frontend/rewrite/linkage.hpp"
#include "frontend/rewrite/local_arrays.hpp"
#include "frontend/rewrite/managed.hpp"
#include "frontend/rewrite/operation_list.hpp"
#include "frontend/rewrite/shared.hpp"
#include "frontend/rewrite/shifts.hpp"
#include "frontend/rewrite/structure.hpp"
#include "frontend/rewrite/turns.hpp"
#include "frontend/rewrite/unsupported.hpp"

namespace heddle::frontend {

namespace {

// Embeds a gdb script in the object; the linker keeps one copy per program.
std::string section_with(const std::string& debugger_script) {
  if (debugger_script.empty()) return "";
  // 4: a Python script as inline text, preceded by its name.
  return "\nasm(\".pushsection \\\".debug_gdb_scripts\\\", \\\"MS\\\", %progbits, 1\\n\"\n"
         "    \".byte 4\\n.ascii \\\"heddle_kernels\\\\n\\\"\\n\"\n"
         "    \".incbin \\\"" +
         debugger_script + "\\\"\\n.byte 0\\n.popsection\");\n";
}

}  // namespace

rewrite_result rewrite(std::string preprocessed, const rewrite_options& options) {
  token_list list(prepare(std::move(preprocessed), options.quiet_folders));
  if (options.read_source) restore_columns(list, options.read_source);
  const structure shape(list);
  edits changes(list);
  find_removed_functions(shape, changes);
  note_stops(shape, changes);
  remove_function_markers(shape, changes);
  remove_repeated_inline(shape, changes);
  remove_global_qualification(shape, changes);
  name_redefined_classes(shape, changes);
  add_template_keywords(shape, changes);
  if (!options.is_relocatable) give_linkage_to_headers(shape, changes);
  register_managed_variables(shape, changes);
  refuse_unread_kernels(shape, changes);
  // A debugger shows threadIdx, tools observe each lane, and a report needs each kernel's function.
  const bool is_for_speed = !options.is_checked && !options.is_profiled &&
                            options.debugger_script.empty() && !options.lists_operations &&
                            !options.keeps_lanes_apart;
  if (is_for_speed) {
    std::set<std::size_t> strides = find_strides(shape);
    independent_lanes lanes(shape, strides, options.is_relocatable);
    rewrite_kernels(shape, changes, &lanes);
    count_iterations(shape, strides, changes);
  } else {
    rewrite_kernels(shape, changes, nullptr);
  }
  rewrite_shared_variables(shape, changes, options.is_checked);
  if (options.is_checked) {
    declare_device_variables(shape, changes, true);
    rewrite_local_arrays(shape, changes);
  } else if (options.is_profiled) {
    declare_device_variables(shape, changes, false);
  }
  rewrite_ptx(shape, changes);
  rewrite_launches(shape, changes);
  rewrite_shifts(shape, changes);
  if (!changes.diagnostics().empty()) return {"", changes.diagnostics(), {}};
  std::string more = section_with(options.debugger_script);
  if (options.lists_operations) more += section_of(changes.operations(), options.gpu_options);
  return {changes.apply() + more, {}, changes.notes()};
}

}  // namespace heddle::frontend
