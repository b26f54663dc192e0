#!/usr/bin/env bash
# Runs the tests of the C libraries under AddressSanitizer, the libraries and the programs instrumented.
#
# Usage: scripts/check-c-asan.sh
# Needs Rust's nightly toolchain and gcc's sanitizers.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

CC=${CC:-cc}
TARGET=$(rustc -vV | sed -n 's/^host: //p')
WORK=$TARGET_ROOT/asan/c
mkdir -p "$WORK"

step 'the archive'
RUSTFLAGS=-Zsanitizer=address cargo +nightly build --quiet --target "$TARGET" --target-dir "$TARGET_ROOT/asan" -p mojika-capi --lib
ARCHIVE=$TARGET_ROOT/asan/$TARGET/debug/libmojika_c.a

# `names LIST`: the linker's options that give functions of the archive the names of LIST.
names() { awk -F= 'NF == 2 { print "-Wl,--defsym=" $1 "=" $2 " -Wl,-u," $2 }' "bindings/c/symbols/$1.txt"; }

# `run NAME LIST`: builds and runs the C test NAME, with the names of LIST.
run() {
    # shellcheck disable=SC2046,SC2086 # They are words.
    "$CC" -std=c11 -D_POSIX_C_SOURCE=200809L -g -fsanitize=address,undefined -Ibindings/c/include -Ibindings/c/include/libiconv "bindings/c/tests/$1.c" -o "$WORK/$1" \
        $(names "$2") "$ARCHIVE" $CAPI_SYSTEM
    "$WORK/$1"
}

step 'programs'
run library libmojika
run encoding_c libmojika_encoding_c
run uchardet libuchardet
run libiconv libiconv

step 'iconv call by call against the C library'
# shellcheck disable=SC2046,SC2086 # They are words.
"$CC" -shared -fsanitize=address -o "$WORK/iconv.so" -Wl,-Bsymbolic $(names preloadable_mojika_iconv) "$ARCHIVE" $CAPI_SYSTEM
"$CC" -std=c99 -g -fsanitize=address,undefined bindings/c/tests/iconv_differential.c -o "$WORK/iconv_differential" -ldl
"$WORK/iconv_differential" "$WORK/iconv.so" 15 | tail -n 1
finish 'the C libraries under AddressSanitizer'
