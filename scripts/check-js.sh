#!/usr/bin/env bash
# Builds the npm package and checks it: the crate's format and lint, the tests in bindings/js/test with node's runner (every encoding
# against the transliteration of the Standard, at every split), the packed package installed in an empty project, its examples,
# mojika/small, and its types.
#
# Usage: scripts/check-js.sh [--smoke | --all]
#        scripts/check-js.sh --suite DIR
#  --smoke  without lint and types, as in .ci/run
#   --all  also the tests in other versions of Node, the example in Bun and Deno, and the page in headless Chromium, which is
#          Debian's package chromium
#  --suite DIR  instead, the tests of a checkout of iconv-lite or whatwg-encoding, over the functions of that name in bindings/js/test:
#         says which fail, as docs/JAVASCRIPT.md explains
# Takes about a minute on two cores. Left out, with a message, where there is no Node >= 18 with npm or no standard library for
# wasm32; the types are left out where npm reaches no registry.
. "$(dirname "$0")/common.sh"
SUITE='' SMOKE=no
if [ "${1:-}" = --smoke ] && [ $# = 1 ]; then
    SMOKE=yes
elif [ "${1:-}" = --suite ] && [ $# = 2 ]; then
    SUITE=$2
else
    parse_options "$@"
fi

TYPESCRIPT=typescript@5.9.3
BUNDLERS=(esbuild@0.28.2 vite@8.4.0 webpack@5.113.0 webpack-cli@7.3.1)
# Packages that have the programs in them.
NODES=(node@18.20.8 node@24.21.0)
BUN=bun@1.4.5
DENO=deno@2.9.6
leave_out() { echo "check-js: left out, as $1"; exit 0; }
command -v npm > /dev/null && node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || leave_out 'there is no Node >= 18 with npm'
TARGET=wasm32-unknown-unknown
[ -d "$(rustc --print target-libdir --target "$TARGET" 2> /dev/null)" ] || rustup target add "$TARGET" ||
    leave_out "the standard library for $TARGET is not to be had"

if [ -n "$SUITE" ]; then
    if [ -f "$SUITE/lib/whatwg-encoding.js" ]; then
        over=whatwg-encoding
    elif [ -d "$SUITE/encodings" ] && [ -d "$SUITE/test" ]; then
        over=iconv-lite
    else
        die "$SUITE is no checkout of iconv-lite or whatwg-encoding"
    fi
    [ -e bindings/js/mojika.wasm ] || scripts/build-js.sh
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # Some tests read the suite's own tables.
    find "$SUITE" -mindepth 1 -maxdepth 1 ! -name node_modules ! -name '.*' -exec cp -r {} "$work" \;
    mkdir -p "$work/node_modules"
    ln -s "$PWD/bindings/js" "$work/node_modules/mojika"
    cp "bindings/js/test/$over.cjs" "$work/index.js"
    echo '{"private": true}' > "$work/package.json"
    cd "$work"
    npm install --silent --no-audit --no-fund --no-save "${NODES[1]}" mocha@10.8.2 unorm safer-buffer
    ln -sfn "$OLDPWD/bindings/js" node_modules/mojika
    if [ $over = whatwg-encoding ]; then
        node_modules/.bin/node --test test/tests.js || true
        finish "the tests of $SUITE have run"
        exit
    fi
    # Those that compare with the native module iconv need it.
    read -r -a files <<< "$(grep -L '^\(var\|const\) .*require("iconv")' test/*[-.]test.js | tr '\n' ' ')"
    echo "left out: $(ls test/*[-.]test.js | grep -vxF "$(printf '%s\n' "${files[@]}")" | tr '\n' ' ')"
    node_modules/.bin/node node_modules/mocha/bin/_mocha --reporter dot "${files[@]}" || true
    finish "the tests of $SUITE have run"
    exit
fi
scripts/build-js.sh
package=$TARGET_ROOT/build-js/package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step 'format and lint of the crate'
(
    cd bindings/js
    unset RUSTFLAGS CARGO_BUILD_TARGET
    cargo fmt --check
    if [ "$SMOKE" = yes ]; then exit; fi
    cargo clippy --release --locked --target "$TARGET" --target-dir "$TARGET_ROOT/build-js/cargo" -- -D warnings
    RUSTFLAGS='-Ctarget-feature=+simd128 --cfg mojika_small' \
        cargo clippy --release --locked --target "$TARGET" --target-dir "$TARGET_ROOT/build-js/cargo-small" -- -D warnings
)

step 'tests'
cargo run -q -p mojika-spec --example vectors > "$work/vectors.jsonl"
# mojika/small is tested in the package.
tests=(bindings/js/test/semantics.test.js bindings/js/test/vectors.test.js)
MOJIKA_VECTORS=$work/vectors.jsonl node --test "${tests[@]}" > "$work/tests" || { cat "$work/tests"; exit 1; }
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
    # That of the guide, too.
    sed -n '/^```js$/,/^```$/p' "$OLDPWD/docs/JAVASCRIPT.md" | sed '/^```/d' > guide.mjs
    node guide.mjs
    cp "$OLDPWD/bindings/js/test/small.test.js" .
    MOJIKA_VECTORS=$work/vectors.jsonl node --test small.test.js > "$work/tests" || { cat "$work/tests"; exit 1; }
    tail -n 8 "$work/tests"
    # The entries that need no file beside them.
    cat > entries.mjs << 'JS'
import { readFileSync } from "node:fs";
const inline = await import("mojika/inline");
const late = await import("mojika/init");
const module = readFileSync(new URL(import.meta.resolve("mojika/mojika.wasm")));
for (const source of [module, new WebAssembly.Module(module), new Response(module), Promise.resolve(new Response(module))]) {
  await late.init(source);
}
late.initSync(module);
const failed = await late.init(new Response("", { status: 404 })).catch((error) => error.message);
if (!failed.includes("404")) throw new Error(failed);
for (const { decode } of [inline, late]) {
  if (decode(Uint8Array.of(0x95, 0xb6), "shift_jis") !== "文") throw new Error("decodes otherwise");
}
JS
    node entries.mjs
    printf 'the package has %s bytes, gzipped\n' "$(stat -c %s "../$(cat "$work/name")")"

    if [ "$SMOKE" = yes ]; then
        echo 'check-js: the types are left to the whole check'
    elif npm install --silent --no-audit --no-fund --no-save "$TYPESCRIPT" 2> /dev/null; then
        cp "$OLDPWD/bindings/js/test/types.ts" "$OLDPWD/bindings/js/tsconfig.json" .
        sed -i 's,test/types.ts,types.ts,' tsconfig.json
        npx --no-install tsc -p .
        echo 'the types are right'
    else
        echo 'check-js: the types are left out, as npm reaches no registry'
    fi
)
if [ "$SMOKE" = no ] && (cd "$work/project" && npm install --silent --no-audit --no-fund --no-save "${BUNDLERS[@]}" 2> /dev/null); then
    step 'the commands of docs/JAVASCRIPT.md for bundlers'
    (
        cd "$work/project"
        use='console.log(decode(Uint8Array.of(0x95, 0xb6), "shift_jis"));'
        printf 'import { decode } from "mojika";\n%s\n' "$use" > main.js
        printf 'import { decode } from "mojika/inline";\n%s\n' "$use" > inline.js
        printf 'import { decode, init } from "mojika/init";\nimport module from "mojika/mojika.wasm";\nawait init(module);\n%s\n' "$use" > init.js
        echo '<!doctype html><script type="module" src="/main.js"></script>' > index.html
        sed -n 's/^npx \(esbuild\|vite\|webpack\) /npx --no-install \1 /p' "$OLDPWD/docs/JAVASCRIPT.md" > commands
        [ "$(wc -l < commands)" = 5 ] || die 'the commands of docs/JAVASCRIPT.md for bundlers are not where they are looked for'
        sh -eu commands > "$work/log" 2>&1 || { tail -n 20 "$work/log"; die 'a bundler fails'; }
        # Bundles of one file run as they are; the others name the module that lies beside them.
        for bundle in out/inline.mjs out/init.mjs out/webpack-inline/main.js; do
            cp "$bundle" bundle.mjs
            [ "$(node bundle.mjs)" = 文 ] || die "$bundle writes something else"
        done
        for folder in out/webpack out/vite/assets; do
            cmp "$folder"/*.wasm node_modules/mojika/mojika.wasm
            grep -q "$(basename "$folder"/*.wasm)" "$folder"/*.js || die "$folder does not name its module"
        done
    )
else
    echo 'check-js: the bundlers are left out'
fi
if [ "$ALL" = yes ]; then
    # `get PACKAGE`: the folder of the programs of an npm package.
    get() {
        mkdir -p "$work/$1"
        echo '{"private": true}' > "$work/$1/package.json"
        (cd "$work/$1" && npm install --silent --no-audit --no-fund "$1" >&2)
        echo "$work/$1/node_modules/.bin"
    }
    for package in "${NODES[@]}"; do
        step "tests with $package"
        programs=$(get "$package")
        MOJIKA_VECTORS=$work/vectors.jsonl "$programs/node" --test "${tests[@]}" > "$work/tests" || { cat "$work/tests"; exit 1; }
        tail -n 8 "$work/tests"
    done
    step 'the example in Bun and Deno'
    bun=$(get "$BUN")/bun deno=$(get "$DENO")/deno
    (cd "$work/project" && "$bun" example.mjs && "$deno" run --allow-read example.mjs)

    step 'the page in Chromium'
    need chromium chromium
    get "$PUPPETEER" > /dev/null
    tests=$PWD/bindings/js/page/test.mjs page=$TARGET_ROOT/build-js/page/index.html
    (cd "$work/$PUPPETEER" && node "$tests" "$page" "$(command -v chromium)")
fi
finish 'the npm package is right'
