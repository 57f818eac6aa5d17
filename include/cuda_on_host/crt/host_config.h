// CUDA's requirements on the host compiler, under the name that its own headers include.
#pragma once
#include <host_config.h>
