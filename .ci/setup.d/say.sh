# shellcheck shell=bash
# How set-up talks, runs a command, and fails.

# Filled by the other parts: what a thing is called, and the Debian packages that bring it.
declare -A name=() debian=()
# The thing being installed, for messages, and what was last tried for it.
current=
tried=

say() { printf 'set-up: %s\n' "$*"; }

names_of() {
  local thing text=
  for thing in "$@"; do text+="${text:+, }${name[$thing]}"; done
  printf '%s' "$text"
}

begin() {
  current=$1
  tried=
  rm -f "$(log_of "$1")"
  say "${name[$1]} …"
}

log_of() { printf '%s/log/%s.log' "$EMQ_TOOLS" "$1"; }

# fail WHY: names the one thing that could not be had, what was tried and how that ended.
fail() {
  local log
  log=$(log_of "$current")
  {
    say "could not install ${name[$current]}: $1"
    [ -z "$tried" ] || say "tried: $tried"
    if [ -s "$log" ]; then
      say "its last lines (all of them: $log):"
      tail -n 12 "$log" | cut -c 1-240 | sed 's/^/    /'
    fi
  } >&2
  exit 1
}

# attempt COMMAND…: runs it with its output in the log of the current thing, and fails as it fails.
attempt() { try "$@" || fail "the command ended with code $?"; }

# try COMMAND…: the same, and returns the code.
try() {
  local log beat code=0
  log=$(log_of "$current")
  tried="$*"
  printf '$ %s\n' "$tried" >"$log"
  exec {beat}> >(heartbeat "$log")
  "$@" >>"$log" 2>&1 </dev/null {beat}>&- || code=$?
  exec {beat}>&-
  return "$code"
}

# Says every half minute that work goes on and where it is. It waits on its input, which ends when set-up does:
# so nothing is left behind, however set-up ends.
heartbeat() {
  local code seconds=0
  while read -rt 30 && code=0 || code=$?; [ "$code" -gt 128 ]; do
    seconds=$((seconds + 30))
    say "${name[$current]}: $seconds s so far; $(tail -n 1 "$1" | tr -d '\r' | cut -c 1-100)"
  done
}

# at_least VERSION MINIMUM
at_least() { [ -n "$1" ] && [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# What must appear whole or not at all is made in a folder of this run, and then moved into place. The lock is held:
# what other runs left of theirs can go.
scratch=
prepare_scratch() {
  rm -rf "$EMQ_TOOLS"/tmp.*
  scratch=$(mktemp -d "$EMQ_TOOLS/tmp.XXXXXX")
}

move_into_place() {
  rm -rf "$2"
  mv "$1" "$2"
}

clean_up() {
  allow_services
  [ -z "$scratch" ] || rm -rf "$scratch"
}
trap clean_up EXIT
# A command that was interrupted need not say so by its code: without this, it would be taken for one that failed.
trap 'say "stopped; the next run goes on from here" >&2; exit 130' INT TERM
