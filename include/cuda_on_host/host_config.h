// What CUDA asks of the host compiler: nothing here.
#pragma once
#define __HOST_CONFIG_H__  // programs ask for it
