// Asks the loader where the program's modules keep their variables.
#include "checker/memory/other_memory.hpp"

#include <link.h>

namespace heddle_checker {

using heddle_host::address_range;

void other_memory::look() {
  variables_.clear();
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* into) {
        for (int i = 0; i < module->dlpi_phnum; ++i) {
          const auto& segment = module->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;  // constants may lie next to code
          static_cast<std::vector<address_range>*>(into)->push_back(
              {module->dlpi_addr + segment.p_vaddr, segment.p_memsz});
        }
        return 0;
      },
      &variables_);
}

__thread address_range other_memory::of_thread_;

// Finds the program's own block of this thread and ignores those of libraries.
void other_memory::look_at_thread() {
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t size, void* into) {
        if (size < offsetof(dl_phdr_info, dlpi_tls_data) + sizeof module->dlpi_tls_data) return 1;
        for (int i = 0; i < module->dlpi_phnum; ++i) {
          const auto& segment = module->dlpi_phdr[i];
          if (segment.p_type != PT_TLS || module->dlpi_tls_data == nullptr) continue;
          *static_cast<address_range*>(into) = {
              reinterpret_cast<std::uintptr_t>(module->dlpi_tls_data), segment.p_memsz};
          return 1;  // the first module is the program itself
        }
        return 1;
      },
      &of_thread_);
  if (of_thread_.bytes == 0) of_thread_.bytes = 1;
}

}  // namespace heddle_checker
