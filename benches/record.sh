#!/usr/bin/env bash
# What recording costs a server: its throughput alone, under `valkey-cli monitor`, and under `emq-conform record`, in turn.
# Usage: benches/record.sh [EMQ_CONFORM] [ROUNDS] [COMMANDS]. Prints requests per second as valkey-benchmark gives them.
set -euo pipefail

tool=${1:-target/release/emq-conform} rounds=${2:-5} commands=${3:-1000000}
server=${EMQ_VALKEY_8:-valkey-server}
folder=$(mktemp -d) socket=$folder/v.sock
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT

"$server" --port 0 --unixsocket "$socket" --save '' --dir /proc >/dev/null &
pids=($!)
until valkey-cli -s "$socket" ping >/dev/null 2>&1; do sleep 0.05; done

throughput() {
  valkey-benchmark -s "$socket" -n "$commands" -P 50 -c 10 -d 100 -r 10000 --csv lpush 'emq:{q}:__rand_int__' value |
    awk -F '","' 'END { print int($2) }'
}

monitors() { valkey-cli -s "$socket" client list | grep -c cmd=monitor || true; }

quietly() { exec "$@" >/dev/null; }

# under NAME COMMAND…: the throughput while COMMAND listens.
under() {
  local name=$1
  shift
  valkey-cli -s "$socket" flushall >/dev/null
  "$@" &
  local listener=$!
  pids+=("$listener")
  until [ "$(monitors)" = 1 ]; do sleep 0.05; done
  printf '%s %s\n' "$name" "$(throughput)"
  kill -INT "$listener"
  wait "$listener" || true
}

for ((round = 0; round < rounds; round++)); do
  valkey-cli -s "$socket" flushall >/dev/null
  printf 'alone %s\n' "$(throughput)"
  under monitor quietly valkey-cli -s "$socket" monitor
  under record "$tool" record --url "unix://$socket" --out "$folder/traffic.json"
  ls -l "$folder/traffic.json" | awk '{ print "bytes", $5 }'
done
