#!/usr/bin/env bash
# Checks that no kernel calls an intrinsic in place of having it in line. The compiler does that where a function, or a
# closure, is not compiled for the instruction set whose intrinsics it uses: results stay right, at a fraction of the speed.
# Looks at the command, built in the release profile.
#
# Usage: scripts/check-inlined.sh
. "$(dirname "$0")/common.sh"
[ $# = 0 ] || die 'takes no option'

step 'building'
# With the symbols that the profile leaves out; everything but the last link is what other release builds have.
cargo rustc -q --release -p mojika-cli --bin mojika -- -C strip=none
# Names that only mention a type of core_arch, as aho-corasick's do, are no intrinsics.
# Detection asks the operating system for the registers that it saves, by a call.
symbols=$(nm -C "$TARGET_ROOT/release/mojika")
[ -n "$symbols" ] || die 'the command has no symbols to look at'
called=$(grep -E '^[0-9a-f]+ . core::core_arch::' <<< "$symbols" | grep -v '::_xgetbv$' || true)
[ -z "$called" ] || die "kernels call intrinsics:
$called"

finish 'every intrinsic is in line'
