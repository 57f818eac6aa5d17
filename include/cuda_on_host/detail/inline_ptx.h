// What translated inline PTX calls: heddle_host::ptx, as far as the runtime has it, and the
// instructions that need other stand-ins.
#pragma once
#include <heddle_host/ptx.hpp>

#include "ptx_atomics.h"
#include "ptx_bits.h"
#include "ptx_conversions.h"
#include "ptx_copies.h"
#include "ptx_float.h"
#include "ptx_integer.h"
