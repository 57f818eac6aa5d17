// CUDA's requirements on the host compiler: none here.
#pragma once
#define __HOST_CONFIG_H__  // programs test for it
