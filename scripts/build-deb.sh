#!/usr/bin/env bash
# Builds the Debian package of the command, with man pages and completions, to target/debian.
#
# Usage: scripts/build-deb.sh
# Needs cargo-deb (cargo install cargo-deb), which it installs below target if there is none.
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

if ! cargo deb --version > /dev/null 2>&1; then
    step 'installing cargo-deb'
    cargo install --quiet --locked --debug --root "$TARGET_ROOT/tools" cargo-deb
    PATH=$TARGET_ROOT/tools/bin:$PATH
fi

step 'the command, its man pages and completions'
cargo build --release -p mojika-cli
rm -rf target/package target/debian
"$TARGET_ROOT/release/mojika" completions --install --prefix target/package

step 'the package'
cargo deb --quiet -p mojika-cli --no-build --output target/debian/
finish "$(ls target/debian/*.deb)"
