// Runs stream work on a host thread that lets all other threads go first.
#include "checker/streams/stream_server.hpp"

#include <pthread.h>
#include <unistd.h>

#include <heddle_host/lane.hpp>
#include <heddle_host/stream_work.hpp>

#include "checker/hooks/thread_hooks.hpp"
#include "checker/schedule/quiet_section.hpp"

namespace heddle_checker {
namespace {

pid_t server_of = 0;  // the process; a forked copy has only one thread
const char work_arrives = 0;

void* serve(void*) {
  for (;;) {
    threads_in_force->wait_until(&work_arrives, {}, heddle_host::is_stream_work_left);
    threads_in_force->step_back();
    const quiet_section inside;
    heddle_host::do_stream_work();
  }
}

}  // namespace

void let_streams_get_on() {
  if (threads_in_force == nullptr || heddle_host::in_lane() || quiet_section::depth() != 0 ||
      !threads_in_force->is_taking_part() || !heddle_host::is_stream_work_left()) {
    return;
  }
  if (server_of == getpid()) return;
  server_of = getpid();
  pthread_t server;
  if (pthread_create(&server, nullptr, serve, nullptr) == 0) pthread_detach(server);
}

void streams_may_have_work() {
  if (threads_in_force == nullptr || !threads_in_force->are_several()) return;
  if (!heddle_host::is_stream_work_left()) return;
  let_streams_get_on();  // another thread may wait already
  wake_by_turns(&work_arrives);
}

}  // namespace heddle_checker
