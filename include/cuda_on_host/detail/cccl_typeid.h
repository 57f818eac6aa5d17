// Gives both sides of a program CCCL's host version of typeid. CCCL after 3.0 defines the class
// behind it differently for devices, but the merged text of both sides can have only one
// definition, and the host's functions would not compile with the device's.
//
// Two headers choose the version by __CUDA_ARCH__. They are read here without that macro, and the
// headers that they include before them, with it. The host's pass reads this, too, so that both
// passes read all headers in the same order.
#pragma once
#if __has_include(<cuda/std/__cccl/rtti.h>) && __has_include(<cuda/std/__utility/typeid.h>)
#include <cuda/std/__cccl/builtin.h>

#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__
#include <cuda/std/__cccl/rtti.h>
#pragma pop_macro("__CUDA_ARCH__")

#if __has_include(<cuda/std/compare>)
#include <cuda/std/compare>
#endif
#if __has_include(<cuda/std/__string/string_view.h>)
#include <cuda/std/__string/string_view.h>
#endif
#if __has_include(<cuda/std/__type_traits/is_member_function_pointer.h>)
#include <cuda/std/__type_traits/is_member_function_pointer.h>
#endif
#include <typeinfo>

#include <cuda/std/__cccl/preprocessor.h>
#include <cuda/std/__type_traits/enable_if.h>
#include <cuda/std/__type_traits/integral_constant.h>
#include <cuda/std/__type_traits/is_function.h>
#include <cuda/std/__type_traits/remove_cv.h>
#include <cuda/std/__type_traits/remove_pointer.h>
#include <cuda/std/__utility/integer_sequence.h>
#include <cuda/std/cstddef>

#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__
#include <cuda/std/__utility/typeid.h>
#pragma pop_macro("__CUDA_ARCH__")
#endif
