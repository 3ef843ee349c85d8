# `make run` and `make test` install what they need, once per machine (see .ci/setup), and everything else follows.
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help setup run demo test page embed gallery capture fleet flaw commands bench fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install everything that the other targets need
	@.ci/setup test

run: ## probe a private Valkey, then serve the course page with that capture until Ctrl-C
	@.ci/setup run
	@.ci/demo

demo: ## the same, but fetch the page once and end
	@.ci/setup run
	@.ci/demo check

test: ## all that continuous integration runs
	@.ci/setup test
	@.ci/test

page: ## build the course page into dist/
	@.ci/setup page
	@.ci/page

embed: ## build the figures for pages of other authors into dist-embed/
	@.ci/setup page
	@.ci/embed

gallery: ## build pages with the figures in them, to copy from, into dist-gallery/
	@.ci/setup gallery
	@.ci/embed
	@.ci/gallery

capture: ## take fixtures/captures/payments.json again, from a private Valkey
	@.ci/setup native
	@mkdir -p fixtures/captures
	cargo run --locked --release --quiet --bin emq-conform -- probe --record fixtures/captures/payments.json

fleet: ## run the fleet of the page again, with stock BullMQ, and record it in fixtures/fleet/recorded
	@.ci/setup test
	EMQ_BLESS=1 cargo test --locked --quiet --test testsuite a_fresh_run_differs

flaw: ## ask real servers about the v1 flaw again, and record what they say in fixtures/flaw
	@.ci/setup test
	EMQ_BLESS=1 cargo test --locked --quiet --test testsuite a_fresh_recording_differs

commands: ## make the command table again, from the oldest and the newest Valkey
	@.ci/setup test
	@.ci/commands

bench: ## run the benchmarks
	@.ci/setup native
	cargo bench --locked --bench '*'

fmt: ## format the Rust code
	cargo fmt

clean: ## remove what was built here; the tools stay
	cargo clean
	rm -rf dist dist-embed dist-gallery tests/browser/node_modules tests/embed/pages/node_modules
