// The driver's functions: those that work on the CPU, and all others, which end the program.
#pragma once
#include <detail/driver_structures.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_DRIVER_CALL(version, name, parameters) CUresult name parameters;
#include <detail/driver_calls.inc>
#undef HEDDLE_DRIVER_CALL

// `noreturn` also prevents a tail call, after which the line of the call could not be reported.
#define HEDDLE_DRIVER_CALL(version, name, parameters) \
  CUresult name parameters __attribute__((__noreturn__));
#include <detail/driver_stops.inc>
#undef HEDDLE_DRIVER_CALL

#define cuGraphInstantiate cuGraphInstantiateWithFlags

#ifdef __cplusplus
}
#endif
