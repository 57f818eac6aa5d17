// Watches the workers: takes the processor from lanes that keep it, ends grids that never end.
#pragma once
#include <cstdint>

namespace heddle_host {

class grid_state;

// The calling thread is watched while it runs blocks of the grid.
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
