#!/usr/bin/env bash
# Measures what mojika adds to a program: how much larger a stripped binary is that decodes and encodes every encoding, to
# and from UTF-8 and UTF-16, than one that does not; and how long a clean build of the library takes; with default features,
# and with `alloc` alone. encoding_rs 0.8.44 (with `fast-legacy-encode`) is measured beside it, by a program of the same
# shape. Release profile, nothing else set.
#
# Usage: scripts/measure-size.sh
# Takes about 2 minutes. Needs the network once, for encoding_rs.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

ROOT=$PWD
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# `program NAME DEPENDENCY BODY`: a program whose input is not known when it is compiled.
program() {
    mkdir -p "$WORK/$1/src"
    cat > "$WORK/$1/Cargo.toml" << TOML
[package]
name = "$1"
version = "0.0.0"
edition = "2024"
[dependencies]
$2
[workspace]
TOML
    cat > "$WORK/$1/src/main.rs" << RUST
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&arguments[2]).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (label, mut out) = (arguments[1].as_str(), vec![0_u8; 4 * bytes.len() + 64]);
    println!("{label} {} {}", text.len(), out.len());
    $3
    println!("{out:?}");
}
RUST
}

program nothing '' '_ = &mut out;'
OURS='
    if let Some(encoding) = mojika::Encoding::for_label(label) {
        println!("{}", encoding.decode(&bytes).text);
        let mut units = vec![0_u16; 2 * bytes.len() + 64];
        let read = encoding.new_decoder().decode(&bytes, &mut units[..], true).written;
        let written = encoding.new_encoder().map(|mut e| e.encode_html(&units[..read], &mut out[..], true).written);
        println!("{:?} {:?}", written.ok(), encoding.encode_html(&text).map(|encoded| encoded.bytes.len()).ok());
    }'
program ours "mojika = { path = \"$ROOT\" }" "$OURS"
# A program of the standard library still, but mojika detects nothing at run time: the kernels that any x86-64 has.
program ours_alloc "mojika = { path = \"$ROOT\", default-features = false, features = [\"alloc\"] }" "$OURS"
program theirs 'encoding_rs = { version = "=0.8.44", features = ["fast-legacy-encode"] }' '
    if let Some(encoding) = encoding_rs::Encoding::for_label(label.as_bytes()) {
        println!("{}", encoding.decode(&bytes).0);
        let mut units = vec![0; 2 * bytes.len() + 64];
        let (_, _, read, _) = encoding.new_decoder().decode_to_utf16(&bytes, &mut units, true);
        let (_, _, written, _) = encoding.new_encoder().encode_from_utf16(&units[..read], &mut out, true);
        println!("{written} {}", encoding.encode(&text).0.len());
    }'

# `build NAME STRIP`: what cargo makes of a program.
build() {
    (cd "$WORK/$1" && CARGO_TARGET_DIR=$WORK/target CARGO_PROFILE_RELEASE_STRIP=$2 cargo build -q --release)
}

# Bytes of a program that is built and stripped.
stripped() {
    build "$1" true
    stat -c %s "$WORK/target/release/$1"
}

step 'sizes'
nothing=$(stripped nothing)
for name in ours ours_alloc theirs; do echo "$name adds $(($(stripped "$name") - nothing)) bytes"; done

step 'what of ours is named, by what it is for'
build ours false
nm -S -C --radix=d "$WORK/target/release/ours" | sort -u | awk '
    !/mojika|memchr::|simdutf8::/ || $2 !~ /^[0-9]+$/ { next }
    /mojika::tables::/ && $3 ~ /[rR]/ { part["indexes, ranges and labels"] += $2; next }
    /avx512/ { part["AVX-512 kernels"] += $2; next }
    /avx2|::v256::|shuffle/ { part["AVX2 kernels and their tables"] += $2; next }
    /mojika::simd/ { part["SSE2 and portable kernels"] += $2; next }
    /mojika/ { part["state machines, drivers, API"] += $2; next }
    { part["memchr and simdutf8"] += $2 }
    END { for (name in part) printf "%7d %s\n", part[name], name }' | sort -rn

step 'what only extended encodings need is not in ours'
! nm -C "$WORK/target/release/ours" | grep -E 'mojika::(simd::utf32|tables::(cns_11643|extended|sets)|extended|codec::(big5_hkscs|cesu_8|ebcdic_pairs|euc_tw|gb18030_2005|gsm|iso_2022|jis_x_0213|mixed|pure_pairs|shifted|table|two_bytes|utf_7))(::|$)' || die 'it is'

step 'processor time of a clean build'
for name in ours ours_alloc theirs; do
    (cd "$WORK/$name" && cargo fetch -q)
    TIMEFORMAT="$name takes %U s"
    time (cd "$WORK/$name" && CARGO_TARGET_DIR=$WORK/$name/target cargo build -q --release)
done

finish 'measured'
