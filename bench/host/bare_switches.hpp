// The cost of switching fibers and nothing else: the floor under every meeting.
#pragma once

// Nanoseconds for one round through a ring of `fibers` fibers, each of which switches once.
double bare_round_nanoseconds(int fibers);
