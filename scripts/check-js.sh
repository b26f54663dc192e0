#!/usr/bin/env bash
# Builds the npm package and checks it: the crate's format and lint, the tests in js/test with node's runner (every encoding
# against the transliteration of the Standard, at every split), the packed package installed in an empty project, its example,
# and its types.
#
# Usage: scripts/check-js.sh
# Takes about a minute on two cores. Left out, with a message, where there is no Node >= 18 with npm or no standard library for
# wasm32; the types are left out where npm reaches no registry.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

# The version whose answers are compared.
TYPESCRIPT=typescript@5.9.3
leave_out() { echo "check-js: left out, as $1"; exit 0; }
command -v npm > /dev/null && node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || leave_out 'there is no Node >= 18 with npm'
TARGET=wasm32-unknown-unknown
[ -d "$(rustc --print target-libdir --target "$TARGET" 2> /dev/null)" ] || rustup target add "$TARGET" ||
    leave_out "the standard library for $TARGET is not to be had"

scripts/build-js.sh
package=$TARGET_ROOT/build-js/package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step 'format and lint of the crate'
(
    cd js
    unset RUSTFLAGS CARGO_BUILD_TARGET
    cargo fmt --check
    cargo clippy --release --locked --target "$TARGET" --target-dir "$TARGET_ROOT/build-js/cargo" -- -D warnings
)

step 'tests'
cargo run -q -p mojika-spec --example vectors > "$work/vectors.jsonl"
MOJIKA_VECTORS=$work/vectors.jsonl node --expose-gc --test js/test/ > "$work/tests" || { cat "$work/tests"; exit 1; }
tail -n 8 "$work/tests"

step 'the package in an empty project'
npm pack --silent --pack-destination "$work" "$package" > "$work/name"
mkdir "$work/project"
(
    cd "$work/project"
    echo '{"private": true, "type": "module"}' > package.json
    npm install --silent --offline --no-audit --no-fund "../$(cat "$work/name")"
    # The example of its README.
    sed -n '/^```js$/,/^```$/p' node_modules/mojika/README.md | sed '/^```/d' > example.mjs
    node example.mjs
    printf 'the package has %s bytes, gzipped\n' "$(stat -c %s "../$(cat "$work/name")")"

    if npm install --silent --no-audit --no-fund --no-save "$TYPESCRIPT" 2> /dev/null; then
        cp "$OLDPWD/js/test/types.ts" "$OLDPWD/js/tsconfig.json" .
        sed -i 's,test/types.ts,types.ts,' tsconfig.json
        npx --no-install tsc -p .
        echo 'the types are right'
    else
        echo 'check-js: the types are left out, as npm reaches no registry'
    fi
)
finish 'the npm package is right'
