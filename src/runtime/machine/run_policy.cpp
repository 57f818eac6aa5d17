// Keeps the policy of this program.
#include <heddle_host/run_policy.hpp>

namespace heddle_host {
namespace {
run_policy in_force;
}  // namespace

const run_policy& policy() { return in_force; }
void set_policy(const run_policy& wanted) { in_force = wanted; }

}  // namespace heddle_host
