# shellcheck shell=bash
# Debian's packages: who may install them, and how.

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
can_be_root() { [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }; }

# Says at once, and for everything, what the owner has to install, where set-up cannot do it.
refuse_without_root() {
  local thing packages=() lacking=()
  for thing in "$@"; do
    [ -n "${debian[$thing]:-}" ] || continue
    lacking+=("$thing")
    read -ra packages <<<"${packages[*]} ${debian[$thing]}"
  done
  [ ${#lacking[@]} -gt 0 ] || return 0
  local why=
  if ! command -v apt-get >/dev/null; then why="this system has no apt-get"
  elif ! can_be_root; then why="you are neither root nor allowed sudo without a password"; fi
  [ -n "$why" ] || return 0
  {
    say "these are missing, and cannot be installed from here, since $why:"
    for thing in "${lacking[@]}"; do say "  ${name[$thing]} (Debian: ${debian[$thing]})"; done
    ! command -v apt-get >/dev/null || say "as root: apt-get update && apt-get install ${packages[*]}"
    [[ " ${lacking[*]} " != *" valkey "* ]] || say "on Debian 12, valkey-server is in bookworm-backports"
    say "then run this again; the rest it installs by itself, without root"
  } >&2
  exit 3
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qy "$@"; }

apt_is_fresh=
apt_update() {
  [ -z "$apt_is_fresh" ] || return 0
  attempt apt update
  apt_is_fresh=1
}

# apt_install "PACKAGE…"
apt_install() {
  local packages
  read -ra packages <<<"$1"
  apt_update
  # An installation that was cut short must be finished before apt takes another.
  [ -z "$(dpkg --audit)" ] || attempt as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a
  attempt apt install --no-install-recommends "${packages[@]}"
}

# The probe starts its own server and stops it: none is to run on its own because of us. Debian asks this file before
# it starts a service; one that is there already is somebody else's and stays.
policy=/usr/sbin/policy-rc.d
policy_mark='# Written by the set-up of echomq-conformance, which removes it again.'
forbid_services() {
  [ ! -e "$policy" ] || return 0
  printf '#!/bin/sh\n%s\nexit 101\n' "$policy_mark" | as_root tee "$policy" >/dev/null
  as_root chmod 755 "$policy"
}
allow_services() {
  ! grep -qsF "$policy_mark" "$policy" || as_root rm -f "$policy"
}
