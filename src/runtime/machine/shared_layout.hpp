// Where each shared variable of the program lies in a block's shared memory.
#pragma once
#include <cstddef>
#include <vector>

namespace heddle_host {

// Bytes of all functions' shared variables together, in every block.
std::size_t static_shared_bytes();

// Whether the address is in this thread's copy of a shared variable at namespace scope.
bool is_block_variable(const void* address);

// Shared variables at namespace scope live in thread-local memory. These load a block's values
// there, and save them while another block runs on the thread. In a checked program the variables
// live in the block's shared memory; then the references to them are set.
void load_block_variables(const std::vector<unsigned char>& kept, unsigned char* shared,
                          void* dynamic_shared);
void save_block_variables(std::vector<unsigned char>& kept);

}  // namespace heddle_host
