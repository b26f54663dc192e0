#!/usr/bin/env bash
# Builds the C libraries to target/c/PROFILE, laid out as they are installed: lib, include, lib/pkgconfig.
#
# One archive has all functions, and each shared library is linked from it with the symbols that its list in capi/symbols
# names. cargo-c makes one library of a crate, under the names that its functions have in Rust; here several are made, and
# `iconv_open` must exist in one of them alone.
#
# Usage: scripts/build-capi.sh [--profile NAME] [--prefix DIRECTORY]
#   --profile NAME       the profile of cargo to build with: `capi`, which is the default, or `dev`, which is quick
#   --prefix DIRECTORY   the prefix in the pkg-config files, /usr/local by default
. "$(dirname "$0")/common.sh"

PROFILE=capi PREFIX=/usr/local
while [ $# -gt 0 ]; do
    case $1 in
        --profile) PROFILE=$2 ;;
        --prefix) PREFIX=$2 ;;
        *) die "unknown option $1" ;;
    esac
    shift 2
done
CC=${CC:-cc}
VERSION=$(sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' Cargo.toml)
OUT=$TARGET_ROOT/c/$PROFILE
case $PROFILE in dev) BUILT=debug ;; *) BUILT=$PROFILE ;; esac

cargo build --quiet --profile "$PROFILE" -p mojika-capi --lib
ARCHIVE=$TARGET_ROOT/$BUILT/libmojika_c.a
rm -rf "$OUT"
mkdir -p "$OUT/lib/pkgconfig" "$OUT/include" "$OUT/scripts"

# `link FILE SONAME NAME`: links the shared library FILE from the archive, with the symbols of capi/symbols/NAME.txt. A line
# of that list is a symbol, or `symbol=function` where the function has another name in the archive.
link() {
    local file=$OUT/lib/$1 soname=$2 name=$3 script=$OUT/scripts/$3 symbol function
    {
        echo "{ global:"
        while IFS='=' read -r symbol function; do
            case $symbol in '' | '#'*) continue ;; esac
            echo "$symbol;" >&3
            if [ -n "$function" ]; then
                echo "-Wl,-u,$function -Wl,--defsym=$symbol=$function" >&4
            else
                echo "-Wl,-u,$symbol" >&4
            fi
        done 3>&1 4> "$script.options" < "capi/symbols/$name.txt"
        echo "local: *; };"
    } > "$script.map"
    local soname_option=()
    if [ -n "$soname" ]; then soname_option=("-Wl,-soname,$soname"); fi
    # shellcheck disable=SC2046,SC2086 # They are words.
    "$CC" -shared -o "$file" "${soname_option[@]}" -Wl,--version-script="$script.map" $(cat "$script.options") \
        "$ARCHIVE" -Wl,--gc-sections -Wl,-z,relro,-z,now -Wl,-z,defs $CAPI_SYSTEM
    if [ "$PROFILE" = capi ]; then strip --strip-unneeded "$file"; fi
}

# `name LIBRARY VERSION`: the name under which linkers look for LIBRARY.so.VERSION.
name() {
    ln -sf "$1.so.$2" "$OUT/lib/$1.so"
}

link "libmojika.so.$VERSION" libmojika.so.0 libmojika
ln -sf "libmojika.so.$VERSION" "$OUT/lib/libmojika.so.0"
name libmojika 0
link libmojika_encoding_c.so.0 libmojika_encoding_c.so.0 libmojika_encoding_c
name libmojika_encoding_c 0
link libuchardet.so.0 libuchardet.so.0 libuchardet
name libuchardet 0
link libiconv.so.2 libiconv.so.2 libiconv
name libiconv 2
link preloadable_mojika_iconv.so '' preloadable_mojika_iconv
cp "$ARCHIVE" "$OUT/lib/libmojika.a"
cp -r capi/include/* "$OUT/include/"
cat > "$OUT/lib/pkgconfig/mojika.pc" << PC
prefix=$PREFIX
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: mojika
Description: Text in every encoding of the WHATWG Encoding Standard, and in others
Version: $VERSION
Libs: -L\${libdir} -lmojika
Libs.private: $CAPI_SYSTEM
Cflags: -I\${includedir}
PC
rm -r "$OUT/scripts"
