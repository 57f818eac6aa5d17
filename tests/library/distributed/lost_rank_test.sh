#!/usr/bin/env bash
# One rank of three is lost at a given place of a program; the others must end in time and say why.
# Usage: lost_rank_test.sh MPIRUN PROGRAM CALL NUMBER EXPECTED
#   EXPECTED   what one of the other ranks says, as a regular expression
set -uo pipefail
mpirun=$1 program=$2 call=$3 number=$4 expected=$5
export HEDDLE_RANK_TIMEOUT=2 HEDDLE_WORKERS=1
failed=0

# Runs the program and checks: it ends within 20 s (the machine may be busy), prints the message, and leaves no rank.
lose() { # way, sentence, mpirun's options…
  local way=$1 sentence=$2 began=$SECONDS output code
  shift 2
  output=$(timeout -s KILL 20 "$mpirun" "$@" -n 3 "$program" "$way" "$call" "$number" 2>&1)
  code=$?
  if ((SECONDS - began >= 20)); then
    echo "$way at $call $number: mpirun had to be ended itself"
    failed=1
  elif ! grep -qE "$sentence" <<<"$output"; then
    echo "$way at $call $number: nobody says '$sentence', but (code $code):"
    echo "$output"
    failed=1
  else
    echo "$way at $call $number: $(grep -m1 -E "$sentence" <<<"$output")"
  fi
}

# A rank that hangs: mpirun does not notice, the other ranks do.
lose stopped "$expected"
# A rank that is gone: mpirun ends the others at once,
lose killed 'exited on signal 9|signal 9 \(Killed\)|KILLED BY SIGNAL: 9'
# or, with --enable-recovery, they end themselves. Only Open MPI 4 has this option. Once a rank is gone, its
# MPI_Finalize no longer waits for it.
[[ $call == MPI_Finalize ]] && expected=
if "$mpirun" --version | grep -qE '(Open MPI|OpenRTE)\) 4'; then lose killed "$expected" --enable-recovery; fi
exit $failed
