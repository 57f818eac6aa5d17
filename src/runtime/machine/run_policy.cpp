// Keeps the policy of this program.
#include <heddle_host/run_policy.hpp>

namespace heddle_host {

run_policy detail::policy_in_force;

void set_policy(const run_policy& wanted) { detail::policy_in_force = wanted; }

}  // namespace heddle_host
