#!/usr/bin/env bash
# Runs fuzz targets for a while, from the seeds, the corpus so far and the dictionaries.
#
#   fuzz/smoke.sh [-t SECONDS | -n RUNS] [-r] [-s] [TARGET...]
#
# -t  seconds for each target (default 20)      -n  executions for each target instead
# -r  append what was run to RECORD.tsv         -s  stable toolchain, no sanitizer
# Without targets, all of them.
#
# Installs cargo-fuzz if it is missing. Takes the nightly toolchain and AddressSanitizer if there is one, else stable
# without a sanitizer. CARGO_TARGET_DIR says where to build. Fails at the first finding, which stays in artifacts/.
set -euo pipefail
cd "$(dirname "$0")"

limit=-max_total_time=20
record=no
stable=no
while getopts t:n:rs option; do
    case $option in
        t) limit=-max_total_time=$OPTARG ;;
        n) limit=-runs=$OPTARG ;;
        r) record=yes ;;
        s) stable=yes ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    targets=(decode encode streaming labels bom sniff detect warc bodies edit)
fi

cargo fuzz --version > /dev/null 2>&1 || cargo install cargo-fuzz --locked
if [ $stable = no ] && rustc +nightly --version > /dev/null 2>&1; then
    toolchain=+nightly sanitizer=address
else
    toolchain=+stable sanitizer=none
    rustc +stable --version > /dev/null 2>&1 || toolchain=
fi
target_dir=${CARGO_TARGET_DIR:-$PWD/target}
commit=$(git --no-optional-locks rev-parse --short HEAD 2> /dev/null || echo unknown)
git --no-optional-locks diff --quiet HEAD -- ../src ../tables ../crates/warc/src 2> /dev/null || commit+=+

work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT
cargo $toolchain run -q --no-default-features --example seeds --target-dir "$target_dir" -- "$work/seeds"

# Tracing comparisons costs half of the speed; the dictionaries know what is compared with.
flags=(-s "$sanitizer" --no-trace-compares --fuzz-dir . --target-dir "$target_dir")
# All of them in one build, which has work for every core.
if [ ${#targets[@]} -gt 1 ]; then cargo $toolchain fuzz build "${flags[@]}"; fi

# `run TARGET`: runs it, and leaves in $work/TARGET what was run. If it finds anything, prints the end of its log and fails.
run() {
    local target=$1 dictionaries TIMEFORMAT='%U %S'
    case $target in
        labels) dictionaries=(dict/labels.dict) ;;
        encode) dictionaries=(dict/text.dict) ;;
        sniff) dictionaries=(dict/sniff.dict dict/labels.dict) ;;
        warc) dictionaries=(dict/warc.dict) ;;
        bodies) dictionaries=(dict/warc.dict dict/sniff.dict) ;;
        streaming) dictionaries=(dict/bytes.dict dict/text.dict) ;;
        *) dictionaries=(dict/bytes.dict) ;;
    esac
    cat "${dictionaries[@]}" > "$work/$target.dict"
    mkdir -p "corpus/$target"
    # Without the time that it takes to build.
    cargo $toolchain fuzz build "${flags[@]}" "$target"

    # Without entropic scheduling there are half as many executions again, and as many features found.
    # Inputs of up to 400 bytes: filler makes them longer, and the transliteration is slow. A unit that takes 10 seconds
    # is an endless loop (fault class 3).
    if ! { time cargo $toolchain fuzz run "${flags[@]}" "$target" "corpus/$target" "$work/seeds/$target" -- \
        "$limit" -max_len=400 -timeout=10 -rss_limit_mb=2048 -entropic=0 -dict="$work/$target.dict" -print_final_stats=1 \
        > "$work/$target.log" 2>&1; } 2> "$work/$target.time"; then
        tail -n 60 "$work/$target.log"
        return 1
    fi
    sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log" > "$work/$target"
    awk '{ printf "%.0f\n", $1 + $2 }' "$work/$target.time" >> "$work/$target"
}

# As many at once as there are cores: each runs on one.
cores=$(nproc) lanes=()
for ((lane = 0; lane < cores; lane++)); do
    for ((i = lane; i < ${#targets[@]}; i += cores)); do run "${targets[i]}"; done &
    lanes+=($!)
done
for lane in "${lanes[@]}"; do wait "$lane"; done

for target in "${targets[@]}"; do
    { read -r runs; read -r cpu; } < "$work/$target"
    rate=$((runs / (cpu > 0 ? cpu : 1)))
    echo "$target: $runs runs, $cpu s of CPU time ($rate per second), sanitizer $sanitizer, commit $commit"
    if [ $record = yes ]; then
        [ -e RECORD.tsv ] || printf 'target\tcommit\truns\tcpu_seconds\tsanitizer\n' > RECORD.tsv
        printf '%s\t%s\t%s\t%s\t%s\n' "$target" "$commit" "$runs" "$cpu" "$sanitizer" >> RECORD.tsv
    fi
done
[ $record = no ] || ./record.sh
