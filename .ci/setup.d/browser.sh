# shellcheck shell=bash
# What drives the page in the tests.

name[chromium]="Chromium"
debian[chromium]=chromium
have_chromium() { command -v chromium >/dev/null; }
install_chromium() { apt_install "${debian[chromium]}"; }

name[chromedriver]="ChromeDriver"
debian[chromedriver]=chromium-driver
have_chromedriver() { command -v chromedriver >/dev/null; }
install_chromedriver() { apt_install "${debian[chromedriver]}"; }
