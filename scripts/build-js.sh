#!/usr/bin/env bash
# Builds the npm package `mojika`: the WebAssembly modules of js/, and target/build-js/package, a folder for `npm pack`. Makes
# the page of js/page, too: target/build-js/page/index.html, for a browser to open.
#
# The entry `mojika/small` is a module of its own, of single bytes and UTF alone ("Small builds" in the library's
# documentation), with the same scripts.
#
# Usage: scripts/build-js.sh
# Takes about a minute. Needs Rust with the target wasm32-unknown-unknown, which rustup adds, and node for the page. The
# module is also put at js/mojika.wasm, for the tests there.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

TARGET=wasm32-unknown-unknown
[ -d "$(rustc --print target-libdir --target "$TARGET" 2> /dev/null)" ] || rustup target add "$TARGET" ||
    die "the standard library for $TARGET is missing, and rustup does not add it"
folder=$TARGET_ROOT/$NAME
step 'building the modules'
(
    cd js
    # What js/.cargo/config.toml says, where the environment says something else.
    unset RUSTFLAGS CARGO_BUILD_TARGET
    cargo build --release --locked --target "$TARGET" --target-dir "$folder/cargo"
    # Size counts more than speed; the kernels stay vectors.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=s RUSTFLAGS='-Ctarget-feature=+simd128 --cfg mojika_small' \
        cargo build --release --locked --target "$TARGET" --target-dir "$folder/cargo-small"
)
module=$folder/cargo/$TARGET/release/mojika_js.wasm small=$folder/cargo-small/$TARGET/release/mojika_js.wasm
if command -v node > /dev/null; then
    node js/pack.mjs "$module" "$module.packed"
    module=$module.packed
fi
cp "$module" js/mojika.wasm

step 'putting the package together'
rm -rf "$folder/package"
mkdir -p "$folder/package"
cp -r js/lib js/package.json js/README.md js/mojika.wasm LICENSE-MIT LICENSE-APACHE LICENSE-WHATWG "$folder/package"
mkdir -p "$folder/package/small/lib"
cp js/lib/*.js "$folder/package/small/lib"
cp js/small/* "$folder/package/small/lib"
# Without comments, for those who load it as it is.
sed -i '/^ *\/\//d; /^ *\/\*\*.*\*\/$/d; /^ *\/\*\*/,/\*\//d' "$folder"/package/small/lib/*.js
rm "$folder"/package/small/lib/{ask,sniff}.js
cp "$small" "$folder/package/small/mojika.wasm"
if command -v node > /dev/null; then
    node js/size.mjs "$folder/package" --check
    step 'making the page'
    node js/page/build.mjs "$folder/page/index.html"
fi
finish "the package is in $folder/package"
