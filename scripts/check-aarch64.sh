#!/usr/bin/env bash
# Proves that mojika builds for 64-bit ARM and that its NEON kernels give the same results there, by running its tests
# under qemu; a test checks that the NEON level is the one in use.
#
# Usage: scripts/check-aarch64.sh [--all]
# Takes about 7 minutes on two cores the first time, most of it building the standard library, then about 2; `--all`
# takes much longer. Installs what it needs when run as root on Debian: qemu, a cross linker and, where the active
# toolchain lacks the target, Debian's `rustc-web` with its source.
. "$(dirname "$0")/common.sh"
parse_options "$@"

export MOJIKA_EXPECTED_LEVEL=neon
test_foreign aarch64 qemu-aarch64-static

finish "$(which_tests) on aarch64 at neon"
