#!/usr/bin/env bash
# Runs the Web platform's tests of encodings through the npm package, in node, and tests of common mistakes.
#
# Usage: scripts/check-wpt.sh [--chromium] DIR [MISTAKES]
#   --chromium  also in a page in headless Chromium, which is Debian's package chromium
#   DIR         a checkout of web-platform-tests; bindings/js/wpt/tests.mjs says which tests run without a document
#   MISTAKES    tests/encoding/mistakes.test.js of a checkout of ExodusOSS/bytes
# Needs bindings/js/mojika.wasm, which scripts/build-js.sh builds.
. "$(dirname "$0")/common.sh"
CHROMIUM=no
if [ "${1-}" = --chromium ]; then
    CHROMIUM=yes
    shift
fi
[ $# = 1 ] || [ $# = 2 ] || die 'name a checkout of web-platform-tests, and at most a file of tests of mistakes'
[ -e bindings/js/mojika.wasm ] || scripts/build-js.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step "$1, in node"
node bindings/js/wpt/node.mjs "$1"

if [ $CHROMIUM = yes ]; then
    step "$1, in Chromium"
    need chromium chromium
    echo '{"private": true}' > "$work/package.json"
    (cd "$work" && npm install --silent --no-audit --no-fund "$PUPPETEER")
    driver=$PWD/bindings/js/wpt/chromium.mjs tests=$(realpath "$1")
    (cd "$work" && node "$driver" "$tests" "$(command -v chromium)")
fi

if [ $# = 2 ]; then
    step "$2"
    mkdir -p "$work/node_modules/@exodus/bytes"
    cp "$2" "$work/mistakes.test.mjs"
    # The module that the tests import is this package.
    echo '{"name": "@exodus/bytes", "type": "module"}' > "$work/node_modules/@exodus/bytes/package.json"
    printf 'export * from "%s/bindings/js/lib/node.js";\n' "$PWD" > "$work/node_modules/@exodus/bytes/encoding.js"
    node --test "$work/mistakes.test.mjs" > "$work/log" || { cat "$work/log"; exit 1; }
    tail -n 8 "$work/log"
fi
finish 'the package passes'
