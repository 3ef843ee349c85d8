#!/usr/bin/env bash
# How long linters keep a processor busy with the same 5 MB of scripts: user and system time, in seconds.
# Usage: benches/lint.sh [EMQ_CONFORM] [SELENE] [LUACHECK] [ROUNDS].
#
# The scripts are those that `tests/testsuite/lint/packages` fetches, in as many copies as make 5 MB. What is found goes nowhere.
# `cargo bench --bench lint` sets the analysis beside the parser alone.
set -euo pipefail

tool=$(realpath "${1:-target/release/emq-conform}") selene=${2:-selene} luacheck=${3:-luacheck} rounds=${4:-3}
scripts=${XDG_CACHE_HOME:-$HOME/.cache}/echomq-conformance/packages
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

size() { find "$folder" -name '*.lua' -exec cat {} + | wc -c; }

until [ "$(size)" -ge 5000000 ]; do cp -r "$scripts" "$(mktemp -d -p "$folder")"; done
printf 'std = "lua51"\n' >"$folder/selene.toml"
echo "$(size) bytes of scripts"
cd "$folder"

busy() {
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>&1 || true; } 2>&1 | awk -v name="$(basename "$1")" '{ printf "%-12s %.2f\n", name, $1 + $2 }'
}

for ((round = 1; round <= rounds; round++)); do
  busy "$tool" lint --no-ignore .
  busy "$selene" .
  busy "$luacheck" -q .
done
