#!/usr/bin/env bash
# Counts the instructions that conversions take on 64-bit ARM, under qemu: by mojika's portable code, by its NEON kernels,
# and by encoding_rs. For machines without such a processor: the counts say little more of speed than which code does less,
# as the cost of a mispredicted branch is no instruction.
#
# Usage: scripts/count-aarch64.sh
# Takes about 2 minutes. Installs what it needs when run as root on Debian: qemu, a C compiler, a cross linker and, where
# the active toolchain lacks the target, Debian's `rustc-web` with its source.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

need cc gcc libc6-dev
prepare_foreign aarch64 qemu-aarch64 qemu-user

step 'building'
"$CARGO" build -q "${BUILD_STD[@]}" --release --target "$TARGET" --manifest-path scripts/aarch64-count/Cargo.toml
cc -O2 -shared -fPIC -o "$CARGO_TARGET_DIR/count.so" scripts/aarch64-count/count.c

step 'instructions for each byte that is read'
qemu-aarch64 -L "$LIBRARIES" -plugin "$CARGO_TARGET_DIR/count.so" \
    "$CARGO_TARGET_DIR/$TARGET/release/aarch64-count" \
    > "$CARGO_TARGET_DIR/names" 2> "$CARGO_TARGET_DIR/counts"
# Four counts a name.
paste -d '\t' "$CARGO_TARGET_DIR/names" <(paste -d '\t' - - - - < "$CARGO_TARGET_DIR/counts") | awk -F '\t' '
    BEGIN { printf "%-36s %9s %9s %9s  %s\n", "", "portable", "NEON", "theirs", "theirs/NEON" }
    { printf "%-36s %9.2f %9.2f %9.2f  %.2f\n", $1, ($4 - $3) / $2, ($5 - $4) / $2, ($6 - $5) / $2, ($6 - $5) / ($5 - $4) }'

finish 'counted'
