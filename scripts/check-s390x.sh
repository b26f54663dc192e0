#!/usr/bin/env bash
# Proves that mojika gives the same results on a big-endian processor (s390x), by running its tests under qemu: UTF-16 in
# memory, the tables' byte order and the portable kernels. A test checks that the portable level is the one in use.
#
# Usage: scripts/check-s390x.sh [--all]
# Takes about 7 minutes on two cores the first time, most of it building the standard library, then about 2; `--all`
# takes much longer. Installs what it needs when run as root on Debian: qemu, a cross linker and, where the active
# toolchain lacks the target, Debian's `rustc-web` with its source.
. "$(dirname "$0")/common.sh"
parse_options "$@"

export MOJIKA_EXPECTED_LEVEL=portable
test_foreign s390x qemu-s390x-static

finish "$(which_tests) on s390x, big-endian"
