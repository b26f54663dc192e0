#!/usr/bin/env bash
# Counts the instructions that conversions take on 64-bit ARM, under qemu: by mojika's portable code, by its NEON kernels,
# and by encoding_rs. For machines that are no such processor: of speed that says little more than which code does less, as
# what a branch costs that is not foreseen is no instruction.
#
# Usage: scripts/count-aarch64.sh
# Takes about 2 minutes. Installs what it needs when run as root on Debian: qemu, a C compiler, a cross linker and, where
# the active toolchain lacks the target, Debian's `rustc-web` with its source.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

TARGET=aarch64-unknown-linux-gnu
need qemu-aarch64 qemu-user
need cc gcc libc6-dev
need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
install_packages libc6-dev-arm64-cross
use_toolchain_for "$TARGET"
export CARGO_TARGET_DIR=$TARGET_ROOT/$NAME
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
libc=$(dpkg -L libc6-arm64-cross | grep '/lib/libc.so.6$') || die 'no C library in libc6-arm64-cross'

step 'building'
"$CARGO" build -q "${BUILD_STD[@]}" --release --target "$TARGET" --manifest-path scripts/aarch64-count/Cargo.toml
cc -O2 -shared -fPIC -o "$CARGO_TARGET_DIR/count.so" scripts/aarch64-count/count.c

step 'instructions for each byte that is read'
qemu-aarch64 -L "${libc%/lib/libc.so.6}" -plugin "$CARGO_TARGET_DIR/count.so" \
    "$CARGO_TARGET_DIR/$TARGET/release/aarch64-count" \
    > "$CARGO_TARGET_DIR/names" 2> "$CARGO_TARGET_DIR/counts"
# Four counts a name.
paste -d '\t' "$CARGO_TARGET_DIR/names" <(paste -d '\t' - - - - < "$CARGO_TARGET_DIR/counts") | awk -F '\t' '
    BEGIN { printf "%-36s %9s %9s %9s  %s\n", "", "portable", "NEON", "theirs", "theirs/NEON" }
    { printf "%-36s %9.2f %9.2f %9.2f  %.2f\n", $1, ($4 - $3) / $2, ($5 - $4) / $2, ($6 - $5) / $2, ($6 - $5) / ($5 - $4) }'

finish 'counted'
