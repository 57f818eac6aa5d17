// NVTX under the name that it had before version 3.
#pragma once
#include <nvtx3/nvToolsExt.h>
