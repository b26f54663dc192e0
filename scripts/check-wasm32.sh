#!/usr/bin/env bash
# Proves that mojika builds for wasm32, with and without its vector instructions (simd128) and without the standard
# library, and that it converts a few strings there: scripts/wasm-smoke exports the converters, and node calls them.
#
# Usage: scripts/check-wasm32.sh
# Takes about 2 minutes on two cores the first time, most of it building the standard library, then seconds. Needs node,
# and installs what else it needs when run as root on Debian: where the active toolchain lacks the target, Debian's
# `rustc-web` with its source.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

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

finish 'wasm32 builds and converts, with and without simd128'
