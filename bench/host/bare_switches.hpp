// The bare cost of switching fibers: the lower bound for every meeting.
#pragma once

// Nanoseconds for one round through a ring of `fibers` fibers, each of which switches once.
double bare_round_nanoseconds(int fibers);
