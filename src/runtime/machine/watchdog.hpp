// Watches the workers: preempts lanes that run too long, and ends grids that make no progress.
#pragma once
#include <cstdint>

namespace heddle_host {

class grid_state;

// The calling thread is watched while this object lives.
class watched_worker {
 public:
  explicit watched_worker(grid_state& grid);
  ~watched_worker();
  watched_worker(const watched_worker&) = delete;
  watched_worker& operator=(const watched_worker&) = delete;

 private:
  grid_state& grid_;
};

}  // namespace heddle_host
