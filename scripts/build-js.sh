#!/usr/bin/env bash
# Builds the npm package `mojika`: the WebAssembly modules of js/, and target/build-js/package, a folder for `npm pack`. Makes
# the page of bindings/js/page, too: target/build-js/page/index.html, for a browser to open.
#
# The entry `mojika/small` is a module of its own, of single bytes and UTF alone ("Small builds" in the library's
# documentation), with the same scripts.
#
# Usage: scripts/build-js.sh
# Takes about a minute. Needs Rust with the target wasm32-unknown-unknown, which rustup adds, and node for the page. The
# module is also put at bindings/js/mojika.wasm, for the tests there. `mojika/small` is made smaller by wasm-opt and terser from npm;
# where npm reaches no registry, it stays as it is, with a message.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

TARGET=wasm32-unknown-unknown
SHRINKERS=(binaryen@132.0.0 terser@5.51.4)
[ -d "$(rustc --print target-libdir --target "$TARGET" 2> /dev/null)" ] || rustup target add "$TARGET" ||
    die "the standard library for $TARGET is missing, and rustup does not add it"
folder=$TARGET_ROOT/$NAME
step 'building the modules'
(
    cd bindings/js
    unset CARGO_BUILD_TARGET
    # Messages of panics name source files, but not where they lie on the machine that builds.
    export RUSTFLAGS="-Ctarget-feature=+simd128 --remap-path-prefix=$OLDPWD/= --remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust/=
        --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src/="
    cargo build --release --locked --target "$TARGET" --target-dir "$folder/cargo"
    # Size counts more than speed; the kernels stay vectors.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=s RUSTFLAGS="$RUSTFLAGS --cfg mojika_small" \
        cargo build --release --locked --target "$TARGET" --target-dir "$folder/cargo-small"
)
module=$folder/cargo/$TARGET/release/mojika_js.wasm small=$folder/cargo-small/$TARGET/release/mojika_js.wasm
if command -v node > /dev/null; then
    node bindings/js/pack.mjs "$module" "$module.packed"
    module=$module.packed
fi
cp "$module" bindings/js/mojika.wasm

step 'putting the package together'
rm -rf "$folder/package"
mkdir -p "$folder/package"
cp -r bindings/js/lib bindings/js/package.json bindings/js/README.md bindings/js/mojika.wasm LICENSE-MIT LICENSE-APACHE LICENSE-WHATWG "$folder/package"
if command -v node > /dev/null; then node bindings/js/inline.mjs "$module" "$folder/package/lib/inline.js"; fi
mkdir -p "$folder/package/small/lib"
cp bindings/js/lib/*.js "$folder/package/small/lib"
cp bindings/js/small/* "$folder/package/small/lib"
# Without comments, for those who load it as it is.
sed -i '/^ *\/\//d; /^ *\/\*\*.*\*\/$/d; /^ *\/\*\*/,/\*\//d' "$folder"/package/small/lib/*.js
rm "$folder"/package/small/lib/{ask,init,sniff}.js
cp "$small" "$folder/package/small/mojika.wasm"
tools=$folder/tools
mkdir -p "$tools"
echo '{"private": true}' > "$tools/package.json"
if command -v npm > /dev/null && (cd "$tools" && npm install --silent --no-audit --no-fund --no-save "${SHRINKERS[@]}"); then
    step 'making mojika/small smaller'
    "$tools/node_modules/.bin/wasm-opt" -Oz --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int \
        --enable-sign-ext --enable-mutable-globals --strip-debug --strip-producers "$small" \
        -o "$folder/package/small/mojika.wasm"
    for script in "$folder"/package/small/lib/*.js; do
        "$tools/node_modules/.bin/terser" "$script" --module --compress --mangle --output "$script"
    done
    most=60000
else
    most=65536
    echo 'build-js: mojika/small is left as it is, as npm reaches no registry for wasm-opt and terser'
fi
if command -v node > /dev/null; then
    node bindings/js/size.mjs "$folder/package" $most
    step 'making the page'
    node bindings/js/page/build.mjs "$folder/page/index.html"
fi
finish "the package is in $folder/package"
