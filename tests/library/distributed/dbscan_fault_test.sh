#!/usr/bin/env bash
# What happens to the other ranks when one is lost in a phase of distributed::dbscan.
# Usage: dbscan_fault_test.sh PROGRAM MPIEXEC PHASE
set -uo pipefail
program=$1 mpiexec=$2 phase=$3
export HEDDLE_RANK_TIMEOUT=1
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

lose() { # rank, signal
  messages=$(timeout 60 "$mpiexec" -n 3 "$program" "$1" "$phase" "$2" 2>&1) && status=0 || status=$?
  ((status != 124)) || fail "in $phase, without rank $1 by signal $2: the others still wait after a minute"
  [[ $messages != *clusters* ]] || fail "in $phase, without rank $1: they went on: $messages"
}
expect_sentence() { # a rank that is left tells
  [[ $messages =~ rank\ [0-2]\ of\ 3:\ [a-z_]+:\ waited\ 1.0\ s\ for ]] || fail "in $phase, $1: no sentence in: $messages"
}

# With all ranks: the program itself works.
messages=$("$mpiexec" -n 3 "$program" -1 "$phase" 9 2>&1) || fail "with all ranks: $messages"
[[ $messages == *clusters* ]] || fail "with all ranks: $messages"

# Killed; mpirun ends the others.
lose 1 9
((status != 0)) || fail "in $phase, killed: status 0"
# Killed; mpirun lets the others find out.
OMPI_MCA_orte_enable_recovery=1 lose 2 9
expect_sentence "killed"
# Alive, but not responding.
lose 0 19
((status != 0)) || fail "in $phase, stopped: status 0"
expect_sentence "stopped"

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
