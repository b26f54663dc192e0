#!/usr/bin/env bash
# Proves that mojika needs no newer Rust than the `rust-version` of Cargo.toml says. With rustup and that toolchain, by
# compiling with it; without, by clippy's `incompatible_msrv` lint over every feature set, which knows since when each
# item of the standard library is stable, but not since when the language has each construct.
#
# Usage: scripts/check-msrv.sh
# Takes about 1 minute on two cores.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

MSRV=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
[ -n "$MSRV" ] || die 'Cargo.toml states no rust-version'
echo "the stated minimum is Rust $MSRV"
FEATURE_SETS=('' '--no-default-features' '--no-default-features --features alloc')

if rustc "+$MSRV" --version > /dev/null 2>&1; then
    export CARGO_TARGET_DIR=$TARGET_ROOT/$NAME
    for features in "${FEATURE_SETS[@]}"; do
        step "Rust $MSRV compiles mojika ${features:-with default features}"
        # shellcheck disable=SC2086 # Words.
        cargo "+$MSRV" check -p mojika --lib $features
    done
    finish "Rust $MSRV compiles the library"
    exit
fi

echo "Rust $MSRV is not installed (rustup toolchain install $MSRV): the check is clippy's incompatible_msrv instead"
cargo clippy --version > /dev/null 2>&1 || die 'missing: clippy (rustup component add clippy)'

step 'the lint can fail here: an item that is newer than the minimum'
CANARY=$(mktemp -d)
trap 'rm -rf "$CANARY"' EXIT
mkdir "$CANARY/src"
printf '[package]\nname = "canary"\nedition = "2024"\nrust-version = "1.85"\n[workspace]\n' > "$CANARY/Cargo.toml"
# `is_multiple_of` came with Rust 1.87.
printf 'pub fn even(n: u32) -> bool {\n    n.is_multiple_of(2)\n}\n' > "$CANARY/src/lib.rs"
if cargo clippy -q --manifest-path "$CANARY/Cargo.toml" -- -D clippy::incompatible_msrv 2> "$CANARY/report"; then
    die 'clippy does not notice an item that is too new'
fi
grep -q incompatible_msrv "$CANARY/report" || die 'clippy failed for another reason'

for features in "${FEATURE_SETS[@]}"; do
    step "clippy::incompatible_msrv over mojika ${features:-with default features}"
    # shellcheck disable=SC2086 # Words.
    cargo clippy -p mojika --lib $features -- -D clippy::incompatible_msrv
done

finish "nothing that clippy knows is newer than Rust $MSRV (no compiler of that version was run)"
