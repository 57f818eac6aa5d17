// What the frontend writes in place of inline PTX, as far as it needs no other stand-in: one
// function for each supported instruction.
#pragma once
#include <heddle_host/ptx_memory.hpp>
#include <heddle_host/ptx_registers.hpp>
#include <heddle_host/ptx_values.hpp>
#include <heddle_host/ptx_warp.hpp>
#include <heddle_host/stop.hpp>
