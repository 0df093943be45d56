# Counting: every job adds one line `name passed failed skipped seconds` to the tally.
# Sourced by ./dev. Jobs run side by side; each writes a log of its own and one line on the screen.
# A job that dies without a count is one failure: silence is never success.

tally_dir=build/test

tally_start() {
  rm -rf "$tally_dir"
  mkdir -p "$tally_dir/log"
  : > "$tally_dir/tally"
}

# Runs one job: its output goes to a log, its last words are read as a count.
# `reader` prints `passed failed skipped`, given the log and the job's exit status.
job() {   # name, reader, command…
  local name=$1 reader=$2 log=$tally_dir/log/$1.log status=0 begin=$EPOCHREALTIME counts seconds
  shift 2
  "$@" > "$log" 2>&1 < /dev/null || status=$?
  counts=$("$reader" "$log" "$status")
  seconds=$(seconds_since "$begin")
  echo "$name $counts $seconds" >> "$tally_dir/tally"
  show_job "$name" $counts "$seconds" "$log"
}

# Runs a step whose progress is worth seeing. It counts only when it fails.
step() {   # name, command…
  local name=$1 status=0 begin=$EPOCHREALTIME
  shift
  "$@" < /dev/null || status=1
  echo "$name 0 $status 0 $(seconds_since "$begin")" >> "$tally_dir/tally"
  [[ $status == 0 ]] || echo "FAIL  $name"
  return "$status"
}

seconds_since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'; }

show_job() {   # name, passed, failed, skipped, seconds, log
  local skipped=""
  [[ $4 == 0 ]] || skipped=", $4 skipped"
  if [[ $3 == 0 ]]; then
    printf 'ok    %-34s %6d passed%s  (%s s)\n' "$1" "$2" "$skipped" "$5"
  else
    printf 'FAIL  %-34s %6d passed, %d failed%s  (%s s), log in %s:\n%s\n' \
      "$1" "$2" "$3" "$skipped" "$5" "$6" "$(telling_lines "$6" | tail -n 60 | sed 's/^/      | /')"
  fi
}

# A log without the GoogleTest cases that passed; the last one begun stays, in case it crashed.
telling_lines() {   # log
  awk '
    /^\[ RUN      \]/ { begun = $0; next }
    /^\[       OK \]/ { begun = ""; next }
    /^\[-----/ { next }
    { if (begun != "") print begun; begun = ""; print }
    END { if (begun != "") print begun }' "$1"
}

# Starts a job beside others, at most `limit` at a time; wait_jobs waits for the last.
beside() {   # limit, job arguments…
  local limit=$1
  shift
  while (($(jobs -rp | wc -l) >= limit)); do wait -n || true; done
  job "$@" &
}
wait_jobs() { wait; }

# --- readers -----------------------------------------------------------------------------------

# One thing that holds or not.
read_status() {   # log, status
  if [[ $2 == 0 ]]; then echo "1 0 0"; else echo "0 1 0"; fi
}

# A program that ends with `N passed, N failed`, after `N skipped` where there is something to say;
# a bad exit without a failed case is one failure.
read_counts() {   # log, status
  tail -n 2 "$1" | awk -v status="$2" '
    { found = 0 }
    /^[0-9]+ skipped$/ { skipped = $1 }
    /^[0-9]+ passed, [0-9]+ failed$/ { passed = $1; failed = $3; found = 1 }
    END {
      if (!found || (status != 0 && failed == 0)) failed++
      print passed + 0, failed + 0, skipped + 0
    }'
}

# A GoogleTest program, by the XML report it was told to write beside the log.
read_gtest() {   # log, status
  local report=${1%.log}.xml
  if [[ ! -s $report ]]; then echo "0 1 0"; return; fi
  awk -v status="$2" '
    /<testcase / { tests++ }
    /<testcase .*(result="skipped"|status="notrun")/ { skipped++ }
    /<testcase / { open = 1 }
    /<failure / && open { failed++; open = 0 }
    END {
      if (status != 0 && failed == 0) { failed = 1; tests++ }
      print tests - failed - skipped, failed + 0, skipped + 0
    }' "$report"
}

# --- sums --------------------------------------------------------------------------------------

tally_total() {   # passed | failed | skipped
  local column=2
  [[ $1 == failed ]] && column=3
  [[ $1 == skipped ]] && column=4
  awk -v c="$column" '{ sum += $c } END { print sum + 0 }' "$tally_dir/tally"
}

# The last line of a test run, alone. A run that counted nothing proves nothing and fails.
tally_end() {
  local passed failed
  passed=$(tally_total passed)
  failed=$(tally_total failed)
  echo
  if ((failed > 0)); then
    echo "failed: $(awk '$3 > 0 { printf "%s ", $1 }' "$tally_dir/tally")"
  fi
  ((passed + failed > 0)) || failed=1
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
