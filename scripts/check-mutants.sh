#!/usr/bin/env bash
# Plants faults in a copy of the sources and says which of them no test notices: a sample of what cargo-mutants finds to
# change, by a seed.
#
# Usage: scripts/check-mutants.sh [AREA] [SEED] [COUNT] [--fast]
# AREA is sniff (the default), detect, codec, extended, offsets, io, edit, api, engine, job, command, archives, archivist, all,
# or files and lines of files with commas between them, as src/bom.rs,crates/convert/src/repair/mod.rs:74; SEED (1) chooses the sample;
# COUNT (20) is its size. For a change: AREA may be a file with a diff, all of whose mutants are tried, each built for itself,
# about two minutes each on two cores.
# A sample is built once, with a run-time switch for each mutant (scripts/mutants.py): five minutes on two cores, and
# then the time that the tests take to notice each, or all of them for one that is missed. --fast stops after the area's own
# tests. Not a part of .ci/run. It needs cargo-mutants 27 (cargo install cargo-mutants --version ^27), and leaves what it
# makes in target/mutants, or in the folder that MOJIKA_MUTANTS names: one sample at a time is in it.
set -euo pipefail
cd "$(dirname "$0")/.."

area=${1:-sniff} seed=${2:-1} count=${3:-20}
command -v cargo-mutants > /dev/null || { echo 'check-mutants: needs cargo install cargo-mutants --version ^27'; exit 2; }
work=${MOJIKA_MUTANTS:-target/mutants}
mkdir -p "$work"
if [ -f "$area" ] && [[ $area != *.rs ]]; then
    # Run-time is what counts: optimised as in tests, without the debug information that each link would write.
    CARGO_PROFILE_DEV_DEBUG=0 exec cargo mutants --in-diff "$area" --output "$work" --no-shuffle
fi
python=$work/venv/bin/python
if ! "$python" -c 'import tree_sitter, tree_sitter_rust' 2> /dev/null; then
    python3 -m venv "$work/venv"
    "$python" -m pip -q install 'tree-sitter==0.26.*' 'tree-sitter-rust==0.24.*'
fi
exec "$python" scripts/mutants.py "$area" "$seed" "$count" "${@:4}"
