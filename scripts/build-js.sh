#!/usr/bin/env bash
# Builds the npm package `mojika`: the WebAssembly module of js/, and target/build-js/package, a folder for `npm pack`. Makes
# the page of js/page, too: target/build-js/page/index.html, for a browser to open.
#
# Usage: scripts/build-js.sh
# Takes about half a minute. Needs Rust with the target wasm32-unknown-unknown, which rustup adds, and node for the page. The
# module is also put at js/mojika.wasm, for the tests there.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

TARGET=wasm32-unknown-unknown
[ -d "$(rustc --print target-libdir --target "$TARGET" 2> /dev/null)" ] || rustup target add "$TARGET" ||
    die "the standard library for $TARGET is missing, and rustup does not add it"
folder=$TARGET_ROOT/$NAME
step 'building the module'
(
    cd js
    # What js/.cargo/config.toml says, where the environment says something else.
    unset RUSTFLAGS CARGO_BUILD_TARGET
    cargo build --release --locked --target "$TARGET" --target-dir "$folder/cargo"
)
cp "$folder/cargo/$TARGET/release/mojika_js.wasm" js/mojika.wasm

step 'putting the package together'
rm -rf "$folder/package"
mkdir -p "$folder/package"
cp -r js/lib js/package.json js/README.md js/mojika.wasm LICENSE-MIT LICENSE-APACHE LICENSE-WHATWG "$folder/package"
if command -v node > /dev/null; then
    node js/size.mjs
    step 'making the page'
    node js/page/build.mjs "$folder/page/index.html"
fi
finish "the package is in $folder/package"
