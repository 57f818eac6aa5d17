// Plays the reader's own host code where the README says `helpers.cpp`.
int expected_sum(int size) { return size * (size - 1) / 2; }
