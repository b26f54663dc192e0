#!/usr/bin/env bash
# Plants faults in the sources, one at a time, and says which of them no test notices: a sample of what cargo-mutants finds
# to change, by a seed.
#
# Usage: scripts/check-mutants.sh [AREA] [SEED] [COUNT]
# AREA is sniff (the default), detect, codec, extended, offsets, io, engine, job, command or archives; SEED (1) chooses the
# sample; COUNT (20) is its size. For a change: AREA may be a file with a diff, all of whose mutants are tried.
# Each mutant is built and tested in a copy of the tree: about two minutes each on two cores. Not a part of .ci/run. It needs
# cargo-mutants 27 (cargo install cargo-mutants --version ^27), and leaves its notes in target/mutants.
set -euo pipefail
cd "$(dirname "$0")/.."

area=${1:-sniff} seed=${2:-1} count=${3:-20}
command -v cargo-mutants > /dev/null || { echo 'check-mutants: needs cargo install cargo-mutants --version ^27'; exit 2; }

library=(-p mojika --features detect)
command=(-p mojika-cli)
case $area in
    sniff) package=("${library[@]}") files=('src/sniff/*.rs' 'src/sniff/html/**' 'src/sniff/xml/**' 'src/sniff/judge/**') tests=(--test sniff --test detect) ;;
    detect) package=("${library[@]}") files=('src/sniff/detect/**' 'src/sniff/detect.rs') tests=(--test detect) ;;
    codec) package=("${library[@]}") files=('src/codec/**' 'src/decoder/**' 'src/encoder.rs') tests=(--test codec --test rules) ;;
    extended) package=("${library[@]}") files=('src/extended/**') tests=(--test codec) ;;
    offsets) package=("${library[@]}") files=('src/offsets/**') tests=(--test codec) ;;
    io) package=(-p mojika --all-features) files=('src/io/**') tests=(--test io) ;;
    engine) package=("${command[@]}") files=('cli/src/engine/**') tests=(--lib --test command) ;;
    job) package=("${command[@]}") files=('cli/src/job/**') tests=(--lib --test command --test hostile --test words) ;;
    command) package=("${command[@]}") files=('cli/src/*.rs' 'cli/src/args/**' 'cli/src/bulk/**' 'cli/src/stream/**' 'cli/src/detect/**') tests=(--lib --test command --test sniff --test words) ;;
    archives) package=("${command[@]}") files=('cli/src/warc/**') tests=(--lib --test warc --test words) ;;
    *) [ -f "$area" ] || { sed -n '2,9s/^# //p' "$0"; exit 2; } ;;
esac

mkdir -p target/mutants
# Run-time is what counts: optimised as in tests, without the debug information that each link would write.
export CARGO_PROFILE_DEV_DEBUG=0
if [ -f "$area" ]; then
    exec cargo mutants --in-diff "$area" --output target/mutants --no-shuffle
fi
selection=()
for file in "${files[@]}"; do selection+=(--file "$file"); done
cargo mutants --list "${selection[@]}" > target/mutants/all
# By the seed alone, the same sample on every machine.
awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f\t%s\n", rand(), $0 }' target/mutants/all | sort | cut -f2- |
    head -n "$count" > target/mutants/sample
echo "$(wc -l < target/mutants/sample) of $(wc -l < target/mutants/all) mutants of $area, seed $seed"
chosen=()
while IFS= read -r mutant; do
    # The name as a regular expression.
    chosen+=(--re "^$(printf '%s' "$mutant" | sed 's/[][\.*^$(){}?+|/]/\\&/g')\$")
done < target/mutants/sample
status=0
cargo mutants "${selection[@]}" "${chosen[@]}" --output target/mutants --no-shuffle --timeout 600 --test-tool cargo \
    --cargo-arg=--quiet -- "${package[@]}" "${tests[@]}" || status=$?
for outcome in caught missed timeout unviable; do
    list=target/mutants/mutants.out/$outcome.txt
    printf '%-9s%4d\n' "$outcome" "$(wc -l < "$list")"
done
sed 's/^/missed: /' target/mutants/mutants.out/missed.txt
# 2: some were missed, which is for a person to judge; 3: a test ran too long, which counts as caught.
case $status in 0 | 2 | 3) exit 0 ;; *) exit "$status" ;; esac
