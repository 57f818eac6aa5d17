# Cross-builds for x86-64 on another processor; qemu-x86_64 runs the programs.
#
# The environment variable HEDDLE_X86_64_ROOT names a folder with Debian's amd64 packages, unpacked. `heddle cc`
# compiles the .cu files for x86-64 if HEDDLE_CXX names the same compiler.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)

set(CMAKE_FIND_ROOT_PATH "$ENV{HEDDLE_X86_64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
foreach(folder IN ITEMS lib usr/lib)
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT
    " -Wl,-rpath-link,$ENV{HEDDLE_X86_64_ROOT}/${folder}/x86_64-linux-gnu")
endforeach()

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64 -L "$ENV{HEDDLE_X86_64_ROOT}")
