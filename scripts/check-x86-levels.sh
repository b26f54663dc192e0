#!/usr/bin/env bash
# Proves that mojika gives the same results on x86-64 processors that lack newer instructions, down to SSE2 alone: the
# tests run natively compiled under qemu as three processors, and a test checks that each is taken for the level meant.
# qemu has no AVX-512: that level is tested by running the tests natively on a processor that has it.
#
# Usage: scripts/check-x86-levels.sh [--all]
# Takes about 2 minutes for the quick tests on two cores, with `--all` (which adds the whole of mojika-proof's tests,
# where that package is present) much longer. Needs qemu-x86_64-static, which it installs when run as root on Debian.
. "$(dirname "$0")/common.sh"
parse_options "$@"

need qemu-x86_64-static qemu-user-static
export CARGO_TARGET_DIR=$TARGET_ROOT/$NAME

step 'building'
build_tests test -p mojika
MOJIKA=("${BUILT[@]}")
PROOF=()
if [ "$ALL" = yes ] && [ -f tests/proof/Cargo.toml ]; then
    build_tests test -p mojika-proof
    PROOF=("${BUILT[@]}")
fi

# `on CPU LEVEL`: runs the tests as that processor, which is to be taken for that level.
on() {
    step "$1, which has $2: $(which_tests)"
    export MOJIKA_EXPECTED_LEVEL=$2
    BUILT=("${MOJIKA[@]}" "${PROOF[@]}")
    run_built qemu-x86_64-static -cpu "$1"
}

on qemu64 sse2
on Nehalem sse2
on Haswell,-rtm avx2

finish "$(which_tests) at sse2 (two processors) and avx2"
