#!/usr/bin/env bash
# Builds the C libraries to target/c/PROFILE, laid out as they are installed: lib, include, lib/pkgconfig.
#
# One archive has all functions, and each shared library is linked from it with the symbols that its list in bindings/c/symbols
# names. cargo-c makes one library of a crate, under the names that its functions have in Rust; here several are made, and
# `iconv_open` must exist in one of them alone.
#
# Usage: scripts/build-capi.sh [--profile NAME] [--prefix DIRECTORY] [--install DIRECTORY] [--small]
#   --profile NAME       the profile of cargo to build with: `capi`, which is the default, or `dev`, which is quick
#   --prefix DIRECTORY   the prefix in the pkg-config files; by default, it is relative to those files, which can be moved
#   --install DIRECTORY  copies lib and include to this prefix, such as /usr/local, too, except for what would take the place of the
#                        iconv and the uchardet of programs that do not ask for it: these go to lib/mojika and include/mojika
#   --small              libmojika_small instead, with single bytes and UTF alone, to target/c/small
. "$(dirname "$0")/common.sh"

PROFILE=capi PREFIX='${pcfiledir}/../..' INSTALL= SMALL=no
while [ $# -gt 0 ]; do
    case $1 in
        --profile) PROFILE=$2 ;;
        --prefix) PREFIX=$2 ;;
        --install) INSTALL=$2 ;;
        --small) SMALL=yes; shift; continue ;;
        *) die "unknown option $1" ;;
    esac
    shift 2
done
CC=${CC:-cc}
VERSION=$(sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"/\1/p' Cargo.toml)
OUT=$TARGET_ROOT/c/$PROFILE
case $PROFILE in dev) BUILT=debug ;; *) BUILT=$PROFILE ;; esac

# A twentieth of the library otherwise; the dynamic linker must know them, as glibc does from 2.36 on.
PACKED=() CARGO=(build) CRATE=()
if [[ $("$CC" -Wl,--help 2>&1) = *pack-relative-relocs* ]]; then PACKED=(-Wl,-z,pack-relative-relocs); fi
# Segments share pages.
PACKED+=(-Wl,-z,noseparate-code)
BASE=libmojika BUILD_ROOT=$TARGET_ROOT DESCRIPTION='Text in every encoding of the WHATWG Encoding Standard, and in others'
if [ "$SMALL" = yes ]; then
    BASE=libmojika_small BUILD_ROOT=$TARGET_ROOT/small OUT=$TARGET_ROOT/c/small
    DESCRIPTION='Text in the encodings of single bytes of the WHATWG Encoding Standard, in others, and in UTF'
    export RUSTFLAGS="${RUSTFLAGS:-} --cfg mojika_small -Cforce-unwind-tables=no" CARGO_PROFILE_CAPI_OPT_LEVEL=s
    # Of the archive alone: where cargo makes a Rust library, too, it optimises each crate for itself, and all of what the linker
    # cannot tell is unused stays. The larger libraries would be a twentieth smaller so, and windows-1251 and -1252 half as fast.
    CARGO=(rustc) CRATE=(--crate-type staticlib)
    PACKED+=(-Wl,--no-eh-frame-hdr)
fi
if [ "$PROFILE" = capi ]; then
    # Messages of panics name source files, but not where they lie on the machine that builds.
    export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=registry"
fi
cargo "${CARGO[@]}" --quiet --profile "$PROFILE" -p mojika-capi --lib "${CRATE[@]}" --target-dir "$BUILD_ROOT"
ARCHIVE=$BUILD_ROOT/$BUILT/libmojika_c.a
rm -rf "$OUT"
mkdir -p "$OUT/lib/pkgconfig" "$OUT/include" "$OUT/scripts"
# What no thread is cancelled in, and what calls nobody back, needs no tables for unwinding. iconv opens converters of the C
# library, which a thread may be cancelled in, and calls hooks.
LINKED=$ARCHIVE
if [ "$PROFILE" = capi ]; then
    LINKED=$OUT/scripts/linked.a
    objcopy --remove-section=.eh_frame "$ARCHIVE" "$LINKED"
fi

# `link FILE SONAME NAME`: links the shared library FILE from the archive, with the symbols of bindings/c/symbols/NAME.txt. A line
# of that list is a symbol, or `symbol=function` where the function has another name in the archive.
link() {
    local file=$OUT/lib/$1 soname=$2 name=$3 script=$OUT/scripts/$3 symbol function linked=$LINKED
    if [[ $name = *iconv ]]; then linked=$ARCHIVE; fi
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
        done 3>&1 4> "$script.options" < "bindings/c/symbols/$name.txt"
        echo "local: *; };"
    } > "$script.map"
    local soname_option=()
    if [ -n "$soname" ]; then soname_option=("-Wl,-soname,$soname"); fi
    # shellcheck disable=SC2046,SC2086 # They are words.
    "$CC" -shared -o "$file" "${soname_option[@]}" -Wl,--version-script="$script.map" $(cat "$script.options") \
        "$linked" -Wl,--gc-sections -Wl,-z,relro,-z,now -Wl,-z,defs "${PACKED[@]}" $CAPI_SYSTEM
    if [ "$PROFILE" = capi ]; then strip --strip-unneeded "$file"; fi
}

# `name LIBRARY VERSION`: the name under which linkers look for LIBRARY.so.VERSION.
name() {
    ln -sf "$1.so.$2" "$OUT/lib/$1.so"
}

link "$BASE.so.$VERSION" "$BASE.so.0" libmojika
ln -sf "$BASE.so.$VERSION" "$OUT/lib/$BASE.so.0"
name "$BASE" 0
if [ "$SMALL" = no ]; then
    link libmojika_encoding_c.so.0 libmojika_encoding_c.so.0 libmojika_encoding_c
    name libmojika_encoding_c 0
    link libuchardet.so.0 libuchardet.so.0 libuchardet
    name libuchardet 0
    link libiconv.so.2 libiconv.so.2 libiconv
    name libiconv 2
    link preloadable_mojika_iconv.so '' preloadable_mojika_iconv
    cp -r bindings/c/include/* "$OUT/include/"
else
    cp bindings/c/include/mojika.h bindings/c/include/mojika.hpp "$OUT/include/"
fi
cp "$ARCHIVE" "$OUT/lib/$BASE.a"
# `describe NAME LIBRARY VERSION HEADERS DESCRIPTION`: writes a pkg-config file. HEADERS is a folder below include.
describe() {
    cat > "$OUT/lib/pkgconfig/$1.pc" << PC
prefix=$PREFIX
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: $1
Description: $5
Version: $3
Libs: -L\${libdir} -l$2
Cflags: -I\${includedir}$4
PC
}
describe "${BASE#lib}" "${BASE#lib}" "$VERSION" '' "$DESCRIPTION"
# The archive has the functions of this library alone under their names.
echo "Libs.private: $CAPI_SYSTEM" >> "$OUT/lib/pkgconfig/${BASE#lib}.pc"
if [ "$SMALL" = no ]; then
    describe mojika_encoding_c mojika_encoding_c "$VERSION" '' 'The functions of encoding_c and encoding_c_mem'
    # Programs ask for a version of uchardet.
    describe uchardet uchardet 0.0.8 /uchardet 'The functions of uchardet over the detection of mojika'
fi
rm -r "$OUT/scripts"

if [ -n "$INSTALL" ]; then
    mkdir -p "$INSTALL"/{lib/pkgconfig,lib/mojika/pkgconfig,include/mojika}
    cp -P "$OUT"/lib/libmojika* "$INSTALL/lib/"
    cp "$OUT"/lib/pkgconfig/mojika*.pc "$INSTALL/lib/pkgconfig/"
    cp "$OUT"/include/*.h* "$INSTALL/include/"
    if [ "$SMALL" = no ]; then
        cp -P "$OUT"/lib/{libiconv,libuchardet,preloadable}* "$INSTALL/lib/mojika/"
        cp -r "$OUT"/include/{libiconv,uchardet} "$INSTALL/include/mojika/"
        sed 's|^prefix=.*|prefix=${pcfiledir}/../../..|; s|^libdir=.*|&/mojika|; s|^includedir=.*|&/mojika|' \
            "$OUT/lib/pkgconfig/uchardet.pc" > "$INSTALL/lib/mojika/pkgconfig/uchardet.pc"
    fi
fi
