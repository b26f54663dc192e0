#!/usr/bin/env bash
# Builds the Debian packages of the C libraries, libmojika0 and libmojika-dev, to target/debian.
#
# Usage: scripts/build-capi-deb.sh [--try ROOT]
#   --try ROOT   an empty root of Debian, as debootstrap makes it, with gcc and pkg-config: the packages are installed there,
#                and the C example of docs/C.md is compiled and run as it is printed
. "$(dirname "$0")/common.sh"

ROOT=
while [ $# -gt 0 ]; do
    case $1 in
        --try) ROOT=$2 ;;
        *) die "unknown option $1" ;;
    esac
    shift 2
done
need dpkg-deb dpkg

step 'the libraries'
TRIPLET=$(cc -dumpmachine | sed 's/x86_64-pc/x86_64/')
scripts/build-capi.sh --prefix /usr
BUILT=$TARGET_ROOT/c/capi
OUT=$TARGET_ROOT/debian
VERSION=$(sed -n 's/^Version: //p' "$BUILT/lib/pkgconfig/mojika.pc")
ARCHITECTURE=$(dpkg --print-architecture)
STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
chmod 755 "$STAGE"

# `package NAME DEPENDS DESCRIPTION`: builds the package of what is in its stage. The long description is its input.
package() {
    local stage=$STAGE/$1 file="$OUT/$1_${VERSION}_$ARCHITECTURE.deb"
    mkdir -p "$stage/DEBIAN" "$stage/usr/share/doc/$1"
    cp LICENSE-APACHE LICENSE-MIT LICENSE-WHATWG "$stage/usr/share/doc/$1/"
    {
        echo "Package: $1"
        echo "Version: $VERSION"
        echo "Architecture: $ARCHITECTURE"
        echo "Maintainer: the mojika authors <mojika@users.noreply.github.com>"
        echo "Depends: $2"
        echo "Section: libs"
        echo "Priority: optional"
        echo "Multi-Arch: same"
        echo "Installed-Size: $(du -sk "$stage" | cut -f 1)"
        echo "Description: $3"
        sed 's/^/ /'
    } > "$stage/DEBIAN/control"
    if [ "$1" = libmojika0 ]; then echo 'activate-noawait ldconfig' > "$stage/DEBIAN/triggers"; fi
    dpkg-deb --root-owner-group --build "$stage" "$file" > /dev/null
    echo "$file"
}

step 'the packages'
mkdir -p "$OUT"
LIB=$STAGE/libmojika0/usr/lib/$TRIPLET
mkdir -p "$LIB/mojika"
cp -P "$BUILT"/lib/libmojika.so.* "$BUILT"/lib/libmojika_encoding_c.so.* "$LIB/"
# Under names that other packages have: for LD_PRELOAD and LD_LIBRARY_PATH, not for every program.
cp -P "$BUILT"/lib/preloadable_mojika_iconv.so "$BUILT"/lib/libuchardet.so.* "$BUILT"/lib/libiconv.so.* "$LIB/mojika/"
package libmojika0 'libc6 (>= 2.34), libgcc-s1' 'text in every encoding of the WHATWG Encoding Standard, and others' << 'TEXT'
Decodes, encodes, sniffs and detects encodings. With iconv to preload, the
functions of encoding_c, and those of uchardet and of GNU libiconv.
TEXT

DEV=$STAGE/libmojika-dev/usr
mkdir -p "$DEV/lib/$TRIPLET/pkgconfig" "$DEV/lib/$TRIPLET/mojika" "$DEV/include/mojika"
cp -P "$BUILT/lib/libmojika.so" "$BUILT/lib/libmojika_encoding_c.so" "$BUILT/lib/libmojika.a" "$DEV/lib/$TRIPLET/"
# For -L/usr/lib/…/mojika.
cp -P "$BUILT/lib/libuchardet.so" "$BUILT/lib/libiconv.so" "$DEV/lib/$TRIPLET/mojika/"
sed "s|^libdir=.*|libdir=\${prefix}/lib/$TRIPLET|" "$BUILT/lib/pkgconfig/mojika.pc" > "$DEV/lib/$TRIPLET/pkgconfig/mojika.pc"
sed "s|^libdir=.*|libdir=\${prefix}/lib/$TRIPLET|; s|^includedir=.*|&/mojika|" "$BUILT/lib/pkgconfig/mojika_encoding_c.pc" \
    > "$DEV/lib/$TRIPLET/pkgconfig/mojika_encoding_c.pc"
cp "$BUILT/include/mojika.h" "$BUILT/include/mojika.hpp" "$DEV/include/"
cp "$BUILT"/include/encoding_rs*.h "$DEV/include/mojika/"
cp -r "$BUILT/include/libiconv" "$BUILT/include/uchardet" "$DEV/include/mojika/"
package libmojika-dev "libmojika0 (= $VERSION), libc6-dev" 'headers of libmojika, for C and C++' << 'TEXT'
Headers, the archive for static linking, and pkg-config's file.
TEXT

if [ -n "$ROOT" ]; then
    step "in $ROOT"
    cp "$OUT/libmojika0_${VERSION}_$ARCHITECTURE.deb" "$OUT/libmojika-dev_${VERSION}_$ARCHITECTURE.deb" "$ROOT/tmp/"
    # The first block of C in the guide.
    awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' docs/C.md > "$ROOT/tmp/example.c"
    chroot "$ROOT" sh -ec "
        apt-get install --yes --no-install-recommends /tmp/libmojika0_*.deb /tmp/libmojika-dev_*.deb > /dev/null
        cd /tmp
        $(sed -n 's/^\(cc example.c .*\)/\1/p' docs/C.md | head -n 1)
        printf '\225\266\216\232\211\273\n' | ./example shift_jis
        printf '\225\266\216\232\211\273\n' > sjis
        LD_PRELOAD=/usr/lib/$TRIPLET/mojika/preloadable_mojika_iconv.so perl -e 1
        printf '#include <iconv.h>\n#include <uchardet.h>\nint main(void) { uchardet_delete(uchardet_new()); return iconv_close(iconv_open(\"UTF-8\", \"SJIS\")); }\n' > shims.c
        cc shims.c -o shims -I/usr/include/mojika/uchardet -I/usr/include/mojika/libiconv -L/usr/lib/$TRIPLET/mojika -liconv -luchardet
        LD_LIBRARY_PATH=/usr/lib/$TRIPLET/mojika ./shims
    "
fi
finish "$(ls "$OUT"/libmojika*.deb | tr '\n' ' ')"
