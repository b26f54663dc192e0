#!/usr/bin/env bash
# Checks the C libraries: their symbols against the lists in bindings/c/symbols and the headers, C and C++ programs with every
# warning as an error, and iconv call by call against the C library's.
#
# Usage: scripts/check-c.sh [--profile NAME] [--rounds N] [--gnu FILE] [--suite DIR]
#   --profile NAME   the profile of cargo to build with: `dev`, which is the default, or `capi`, that of the installed libraries
#   --rounds N       runs of iconv against the C library's for each encoding, 50 by default
#   --gnu FILE       GNU's libiconv.so.2, to compare libiconv with: says for each encoding how many runs differ
#   --suite DIR      instead, the tests of iconv in a checkout of gnulib, musl's libc-test or glib (whose version is that of the
#                    installed headers): each as it is, and with the library before the C library
. "$(dirname "$0")/common.sh"

PROFILE=dev ROUNDS=50 GNU= SUITE=
while [ $# -gt 0 ]; do
    case $1 in
        --profile) PROFILE=$2 ;;
        --rounds) ROUNDS=$2 ;;
        --gnu) GNU=$2 ;;
        --suite) SUITE=$2 ;;
        *) die "unknown option $1" ;;
    esac
    shift 2
done
CC=${CC:-cc} CXX=${CXX:-c++}
C_FLAGS='-std=c99 -D_POSIX_C_SOURCE=200809L -O1 -g -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror -pedantic'
CXX_FLAGS='-O1 -g -Wall -Wextra -Wshadow -Werror -pedantic -fno-exceptions -fno-rtti'

step 'the libraries'
OUT=$TARGET_ROOT/c/$PROFILE
rm -rf "$OUT/installed"
scripts/build-capi.sh --profile "$PROFILE" --install "$OUT/installed"
TESTS=$OUT/tests
mkdir -p "$TESTS"
export LD_LIBRARY_PATH=$OUT/lib

if [ -n "$SUITE" ]; then
    step "the tests of $SUITE"
    WORK=$TESTS/suite
    rm -rf "$WORK"
    mkdir -p "$WORK"
    # What the configuration of each project would make.
    printf '#define HAVE_ICONV 1\n#define ICONV_CONST\n#define _GNU_SOURCE 1\n#define _GL_UNUSED\n#define memeq(a, b, n) (memcmp(a, b, n) == 0)\n' > "$WORK/config.h"
    printf 'int t_printf(const char *, ...);\n#define t_error t_printf\nextern int t_status;\n#define rtrace_printf_init()\n%s\n' \
        '#define rtrace_printf_begin(...)
#define rtrace_printf(...)
#define rtrace_printf_end(...)' > "$WORK/test.h"
    cat > "$WORK/print.c" << 'C'
#include <stdarg.h>
#include <stdio.h>
int t_status;
int t_printf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    return t_status = 1;
}
C
    ran=0 differs=0
    # `suite SOURCE FLAG...`: one test.
    suite() {
        local source=$SUITE/$1 plain=0 ours=0
        [ -e "$source" ] || return 0
        shift
        # Their own directory would come first for #include "test.h".
        cp "$source" "$WORK/test.c"
        "$CC" -w "$WORK/test.c" -o "$WORK/test" -I"$WORK" "$@"
        "$WORK/test" > "$WORK/plain" 2>&1 || plain=$?
        LD_PRELOAD=$OUT/lib/preloadable_mojika_iconv.so "$WORK/test" > "$WORK/ours" 2>&1 || ours=$?
        echo "${source#"$SUITE"/}: the C library's iconv $plain, with the library $ours"
        ran=$((ran + 1))
        if [ "$plain" != "$ours" ]; then
            differs=$((differs + 1))
            cat "$WORK/ours"
        fi
    }
    suite tests/test-iconv.c -I"$SUITE/tests" -I"$SUITE/lib"
    suite tests/test-iconv-utf.c -I"$SUITE/tests" -I"$SUITE/lib"
    suite src/functional/iconv_open.c "$WORK/print.c"
    suite src/regression/iconv-roundtrips.c "$WORK/print.c"
    # shellcheck disable=SC2046 # The flags are words.
    if [ -e "$SUITE/glib/tests/convert.c" ]; then suite glib/tests/convert.c $(pkg-config --cflags --libs glib-2.0); fi
    [ "$ran" != 0 ] || die "$SUITE has none of the tests that are known"
    [ "$differs" = 0 ] || die 'tests end otherwise with the library'
    finish "$ran tests of $SUITE end alike"
    exit
fi

# `symbols FILE NAME`: what the library FILE defines is what bindings/c/symbols/NAME.txt lists.
symbols() {
    local listed
    listed=$(sed 's/=.*//; /^#/d; /^$/d' "bindings/c/symbols/$2.txt" | sort)
    diff <(nm -D --defined-only "$OUT/lib/$1" | awk '{ print $3 }' | sort) <(echo "$listed") \
        || die "$1 has other symbols (<) than bindings/c/symbols/$2.txt (>)"
}

# `c NAME LIBRARY...`: builds and runs the C test NAME.
c() {
    local name=$1
    shift
    # shellcheck disable=SC2086 # The flags are words.
    "$CC" $C_FLAGS -I"$OUT/include" "bindings/c/tests/$name.c" -o "$TESTS/$name" -L"$OUT/lib" "$@" -lpthread
    "$TESTS/$name"
}

step 'tests in Rust'
cargo test --quiet -p mojika-capi

step 'symbols'
symbols libmojika.so libmojika
symbols libmojika_encoding_c.so libmojika_encoding_c
symbols libuchardet.so libuchardet
symbols libiconv.so libiconv
symbols preloadable_mojika_iconv.so preloadable_mojika_iconv
declared=$(sed -n 's/.*[ *]\(mojika_[a-z0-9_]*\)(.*);$/\1/p; s/.*[ *]\(mojika_[a-z0-9_]*\)(.*,$/\1/p; s/^extern const .*const \(.*\);/\1/p' \
    bindings/c/include/mojika.h | sort -u)
diff <(echo "$declared") <(sort bindings/c/symbols/libmojika.txt) || die 'mojika.h (<) declares other symbols than libmojika has (>)'

step 'C99 and C++'
c library -lmojika
for standard in c++17 c++20; do
    # shellcheck disable=SC2086 # The flags are words.
    "$CXX" -std=$standard $CXX_FLAGS -I"$OUT/include" bindings/c/tests/library.cpp -o "$TESTS/$standard" -L"$OUT/lib" -lmojika
    "$TESTS/$standard"
done

step 'encoding_c'
# Its header has `char16_t`, which C has since 2011.
C_FLAGS=${C_FLAGS/c99/c11} c encoding_c -lmojika_encoding_c

step 'uchardet'
c uchardet -luchardet -I"$OUT/include/uchardet"
# As a program finds it that asks pkg-config, in the folder that was installed and then moved.
rm -rf "$TESTS/moved"
mv "$OUT/installed" "$TESTS/moved"
(
    export PKG_CONFIG_PATH=$TESTS/moved/lib/mojika/pkgconfig LD_LIBRARY_PATH=$TESTS/moved/lib/mojika
    pkg-config --atleast-version=0.0.8 uchardet
    # shellcheck disable=SC2046 # The flags are words.
    "$CC" bindings/c/tests/uchardet.c -o "$TESTS/uchardet-moved" $(pkg-config --cflags --libs uchardet)
    "$TESTS/uchardet-moved"
)

step 'the first commands of docs/C.md, in an empty folder'
need pkg-config pkg-config
(
    folder=$TESTS/empty
    rm -rf "$folder"
    mkdir "$folder"
    awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' docs/C.md > "$folder/example.c"
    unset LD_LIBRARY_PATH
    sed -n '/^export PKG_CONFIG_PATH=/,/^```/p' docs/C.md | sed "/^\`\`\`/d; s|^export PKG_CONFIG_PATH=.*|export PKG_CONFIG_PATH=$TESTS/moved/lib/pkgconfig|" \
        > "$folder/commands"
    cp samples/ja.shift_jis.txt "$folder/page.txt"
    cd "$folder"
    said=$(sh -eu commands)
    [ "$said" = "$(iconv -f cp932 -t utf-8 page.txt)" ] || die "the first example of docs/C.md writes: $said"
)

step 'the examples of docs/C.md'
EXAMPLES=$TESTS/examples
mkdir -p "$EXAMPLES"
export PKG_CONFIG_PATH=$OUT/lib/pkgconfig
# Each block of code to a file of its own, by language and number.
awk -v folder="$EXAMPLES" '
    /^```(c|cpp|go|php|python|csharp)$/ { language = substr($0, 4); file = folder "/" ++count[language] "." language; printf "" > file; next }
    /^```/ { language = "" }
    language { print > file }
' docs/C.md
printf '\225\266\216\232' > "$EXAMPLES/input"
# `example LANGUAGE-NUMBER COMMAND...`: the command writes the text that all examples write.
example() {
    local name=$1
    shift
    "$@" shift_jis < "$EXAMPLES/input" > "$EXAMPLES/output" || die "example $name of docs/C.md fails"
    grep -q "$EXPECTED" "$EXAMPLES/output" || die "example $name of docs/C.md writes: $(cat "$EXAMPLES/output")"
    echo "docs/C.md, example $name: $(head -n 1 "$EXAMPLES/output")"
}
read -r -a FLAGS <<< "$(pkg-config --cflags --libs mojika)"
for file in "$EXAMPLES"/*.c; do
    EXPECTED='文字\|Shift_JIS, by meta'
    "$CC" -Wall -Wextra -Werror -x c "$file" -o "$EXAMPLES/example" "${FLAGS[@]}" -lmojika_encoding_c
    example "$(basename "$file")" "$EXAMPLES/example"
done
EXPECTED=한글
"$CXX" -std=c++17 -Wall -Wextra -Werror -x c++ "$EXAMPLES/1.cpp" -o "$EXAMPLES/example" "${FLAGS[@]}"
example 1.cpp "$EXAMPLES/example"
EXPECTED=文字
if command -v go > /dev/null; then
    cp "$EXAMPLES/1.go" "$EXAMPLES/main.go"
    (cd "$EXAMPLES" && GO111MODULE=off GOFLAGS= go build -o go-example main.go)
    example 1.go "$EXAMPLES/go-example"
fi
if php -r 'exit(extension_loaded("ffi") ? 0 : 1);' 2> /dev/null; then example 1.php php -d ffi.enable=1 "$EXAMPLES/1.php"; fi
if command -v python3 > /dev/null; then example 1.python python3 "$EXAMPLES/1.python"; fi
if command -v mcs > /dev/null && command -v mono > /dev/null; then
    mcs -out:"$EXAMPLES/example.exe" "$EXAMPLES/1.csharp"
    example 1.csharp mono "$EXAMPLES/example.exe"
fi

step 'libiconv'
# shellcheck disable=SC2086 # The flags are words.
"$CC" $C_FLAGS -I"$OUT/include/libiconv" bindings/c/tests/libiconv.c -o "$TESTS/libiconv" -L"$OUT/lib" -liconv -lpthread
"$TESTS/libiconv"

step 'iconv before the C library'
PRELOAD=$OUT/lib/preloadable_mojika_iconv.so
# shellcheck disable=SC2086 # The flags are words.
"$CC" $C_FLAGS bindings/c/tests/iconv.c -o "$TESTS/iconv" -lpthread
# The C library itself passes, too: the test is of its contract.
"$TESTS/iconv"
LD_PRELOAD=$PRELOAD "$TESTS/iconv"
# dlsym gives functions as pointers to objects, which -pedantic refuses.
# shellcheck disable=SC2086 # The flags are words.
"$CC" ${C_FLAGS/-pedantic/} bindings/c/tests/iconv_differential.c -o "$TESTS/iconv_differential" -ldl
"$TESTS/iconv_differential" "$PRELOAD" "$ROUNDS" > "$TESTS/iconv_differential.log" || {
    grep -v ', 0 runs' "$TESTS/iconv_differential.log"
    die 'iconv differs from the C library'
}
tail -n 1 "$TESTS/iconv_differential.log"
if [ -n "$GNU" ]; then
    "$TESTS/iconv_differential" "$OUT/lib/libiconv.so.2" "$ROUNDS" '' "$GNU" > "$TESTS/libiconv_differential.log" || true
    grep -v ': chunk' "$TESTS/libiconv_differential.log"
fi
# shellcheck disable=SC2086 # The flags are words.
"$CC" $C_FLAGS -I"$OUT/include" bindings/c/tests/iconv_tables.c -o "$TESTS/iconv_tables" -L"$OUT/lib" -lmojika
"$TESTS/iconv_tables" | diff bindings/c/src/iconv/differences.txt - \
    || die 'bindings/c/src/iconv/differences.txt (<) is not what bindings/c/tests/iconv_tables.c finds (>)'

step 'the archive'
SYSTEM=$(sed -n 's/^Libs.private: //p' "$OUT/lib/pkgconfig/mojika.pc")
# shellcheck disable=SC2086 # The flags are words.
"$CC" $C_FLAGS -I"$OUT/include" bindings/c/tests/library.c -o "$TESTS/static" "$OUT/lib/libmojika.a" $SYSTEM
env -u LD_LIBRARY_PATH "$TESTS/static"

step 'libmojika_small'
(
    scripts/build-capi.sh --small
    SMALL=$TARGET_ROOT/c/small/lib
    diff <(nm -D --defined-only "$SMALL/libmojika_small.so" | awk '{ print $3 }' | sort) <(sort bindings/c/symbols/libmojika.txt) \
        || die 'libmojika_small.so has other symbols (<) than libmojika (>)'
    # shellcheck disable=SC2086 # The flags are words.
    "$CC" $C_FLAGS -Ibindings/c/include bindings/c/tests/library_small.c -o "$TESTS/library_small" -L"$SMALL" -lmojika_small
    LD_LIBRARY_PATH=$SMALL "$TESTS/library_small"
    # shellcheck disable=SC2086 # The flags are words.
    "$CC" $C_FLAGS -Ibindings/c/include bindings/c/tests/library_small.c -o "$TESTS/library_small" "$SMALL/libmojika_small.a"
    env -u LD_LIBRARY_PATH "$TESTS/library_small"
    bytes=$(stat -L -c %s "$SMALL/libmojika_small.so")
    echo "libmojika_small.so has $bytes bytes"
    [ "$bytes" -le 300000 ] || die 'libmojika_small.so is larger than 300 kB'
)

finish 'the C libraries'
