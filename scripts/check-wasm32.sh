#!/usr/bin/env bash
# Proves that mojika builds for wasm32, with and without its vector instructions (simd128) and without the standard
# library, and that it converts a few strings there: scripts/wasm-smoke exports the converters, and node calls them. Then
# the quick tests run in node, as programs for WASI with simd128: every operation of its registers, every kernel with every
# cut and every room, the Web platform's cases and the rules of the Standard.
#
# Usage: scripts/check-wasm32.sh [--all]
#   --all  run every test of the library
# Takes about 4 minutes on two cores the first time, then 2. Needs node, and installs what else it needs when run as root on
# Debian: where the active toolchain lacks the target, Debian's `rustc-web` with its source. The tests need rustup's target
# wasm32-wasip1 and are left out where it is not to be had.
. "$(dirname "$0")/common.sh"
parse_options "$@"

TARGET=wasm32-unknown-unknown
need node nodejs
# Debian's toolchain has no linker for wasm; the active one does.
LINKER=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/rust-lld
if [ ! -x "$LINKER" ]; then
    need wasm-ld lld
    LINKER=wasm-ld
fi
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$LINKER
use_toolchain_for "$TARGET"
if [ ${#BUILD_STD[@]} != 0 ]; then BUILD_STD=(-Zbuild-std=std,panic_abort); fi

for features in '' +simd128; do
    kind="wasm32${features:+ with simd128}"
    export CARGO_TARGET_DIR=$TARGET_ROOT/$NAME${features/+/-}
    export RUSTFLAGS=${features:+-Ctarget-feature=$features}

    step "building the library for $kind without std"
    "$CARGO" build "${BUILD_STD[@]}" --target "$TARGET" -p mojika --no-default-features
    "$CARGO" build "${BUILD_STD[@]}" --target "$TARGET" -p mojika --no-default-features --features alloc

    step "building and running the smoke test for $kind"
    "$CARGO" build "${BUILD_STD[@]}" --target "$TARGET" --manifest-path scripts/wasm-smoke/Cargo.toml
    node scripts/wasm-smoke/run.mjs "$CARGO_TARGET_DIR/$TARGET/debug/wasm_smoke.wasm"
done

WASI=wasm32-wasip1
if [ "$CARGO" != cargo ] || ! rustup target add "$WASI" 2> /dev/null; then
    finish "wasm32 builds and converts, with and without simd128; the tests are left out, as $WASI is not to be had"
    exit
fi
step "building and running $(which_tests) for $WASI with simd128"
export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/scripts/wasm-smoke/wasi.mjs"
# Those with a panic to catch need unwinding, which this target has not.
# shellcheck disable=SC2046 # The choice is words.
"$CARGO" test --target "$WASI" -p mojika $(test_choice) -- -q --skip a_panic
finish "wasm32 builds and converts, with and without simd128, and $(which_tests) passed in node"
