#!/usr/bin/env bash
# Proves, as far as the tests reach, that the unsafe code reads and writes inside its buffers only: the tests run
# natively, at every instruction set of this machine, under LLVM's address sanitizer.
#
# Usage: scripts/check-asan.sh [--all]
# Takes about 6 minutes for the quick tests on two cores, `--all` longer. Needs a nightly toolchain of rustup.
. "$(dirname "$0")/common.sh"
parse_options "$@"

rustc +nightly --version > /dev/null 2>&1 || die 'missing: a nightly toolchain (rustup toolchain install nightly)'
HOST=$(rustc +nightly -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=$TARGET_ROOT/$NAME
# A target is named so that build scripts and macros are not instrumented.
export RUSTFLAGS=-Zsanitizer=address

step "a sanitized program can fail here: a read past a heap buffer"
CANARY=$(mktemp -d)
trap 'rm -rf "$CANARY"' EXIT
cat > "$CANARY/canary.rs" << 'RUST'
fn main() {
    let bytes = vec![0_u8; std::env::args().count() * 16];
    println!("{}", unsafe { std::hint::black_box(bytes.as_ptr()).add(bytes.len()).read_volatile() });
}
RUST
rustc +nightly $RUSTFLAGS --target "$HOST" -o "$CANARY/canary" "$CANARY/canary.rs"
if "$CANARY/canary" > /dev/null 2> "$CANARY/report"; then die 'the sanitizer does not notice a bad read'; fi
grep -q heap-buffer-overflow "$CANARY/report" || die 'the sanitizer gives no report'

step 'building'
build_tests +nightly test --target "$HOST" -p mojika

# `MOJIKA_SIMD` caps the level that conversions use; tests that choose levels themselves run them all each time.
LEVELS='portable sse2 avx2 avx512'
case $HOST in aarch64-*) LEVELS='portable neon' ;; esac
for level in $LEVELS; do
    step "at most $level, $(which_tests)"
    export MOJIKA_SIMD=$level
    run_built
done

finish "$(which_tests) under the address sanitizer, capped at each of: $LEVELS"
