#!/usr/bin/env bash
# Runs the Web platform's tests of encodings through the npm package, in node, and tests of common mistakes.
#
# Usage: scripts/check-wpt.sh DIR [MISTAKES]
#   DIR       a checkout of web-platform-tests; js/wpt.mjs says which tests need no browser
#   MISTAKES  tests/encoding/mistakes.test.js of a checkout of ExodusOSS/bytes
# Needs js/mojika.wasm, which scripts/build-js.sh builds.
. "$(dirname "$0")/common.sh"
[ $# = 1 ] || [ $# = 2 ] || die 'name a checkout of web-platform-tests, and at most a file of tests of mistakes'
[ -e js/mojika.wasm ] || scripts/build-js.sh

step "$1"
node js/wpt.mjs "$1"

if [ $# = 2 ]; then
    step "$2"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/node_modules/@exodus/bytes"
    cp "$2" "$work/mistakes.test.mjs"
    # The module that the tests import is this package.
    echo '{"name": "@exodus/bytes", "type": "module"}' > "$work/node_modules/@exodus/bytes/package.json"
    printf 'export * from "%s/js/lib/node.js";\n' "$PWD" > "$work/node_modules/@exodus/bytes/encoding.js"
    node --test "$work/mistakes.test.mjs" > "$work/log" || { cat "$work/log"; exit 1; }
    tail -n 8 "$work/log"
fi
finish 'the package passes'
