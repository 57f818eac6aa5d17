// What CUDA asks of the host compiler: nothing here.
#pragma once
