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
git --no-optional-locks diff --quiet HEAD -- ../src ../tables ../cli/src/warc 2> /dev/null || commit+=+

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo $toolchain run -q --no-default-features --example seeds --target-dir "$target_dir" -- "$work/seeds"

for target in "${targets[@]}"; do
    case $target in
        labels) dictionaries=(dict/labels.dict) ;;
        encode) dictionaries=(dict/text.dict) ;;
        sniff) dictionaries=(dict/sniff.dict dict/labels.dict) ;;
        warc) dictionaries=(dict/warc.dict) ;;
        bodies) dictionaries=(dict/warc.dict dict/sniff.dict) ;;
        streaming) dictionaries=(dict/bytes.dict dict/text.dict) ;;
        *) dictionaries=(dict/bytes.dict) ;;
    esac
    cat "${dictionaries[@]}" > "$work/dict"
    mkdir -p "corpus/$target"
    # Tracing comparisons costs half of the speed; the dictionaries know what is compared with.
    fuzz=(-s "$sanitizer" --no-trace-compares --fuzz-dir . --target-dir "$target_dir" "$target")
    cargo $toolchain fuzz build "${fuzz[@]}"

    # Without entropic scheduling there are half as many executions again, and as many features found.
    log=$work/log
    before=$(cut -d ' ' -f 16,17 /proc/$$/stat 2> /dev/null || echo 0 0)
    # Inputs of up to 400 bytes: filler makes them longer, and the transliteration is slow. A unit that takes 10 seconds
    # is an endless loop (fault class 3).
    if ! cargo $toolchain fuzz run "${fuzz[@]}" "corpus/$target" "$work/seeds/$target" -- \
        "$limit" -max_len=400 -timeout=10 -rss_limit_mb=2048 -entropic=0 -dict="$work/dict" -print_final_stats=1 \
        > "$log" 2>&1; then
        tail -n 60 "$log"
        exit 1
    fi
    after=$(cut -d ' ' -f 16,17 /proc/$$/stat 2> /dev/null || echo 0 0)
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    ticks=$(getconf CLK_TCK 2> /dev/null || echo 100)
    # User and system time of the children that have ended, in clock ticks.
    cpu=$(echo "$before $after $ticks" | awk '{ printf "%.0f", ($3 + $4 - $1 - $2) / $5 }')
    rate=$(echo "$runs $cpu" | awk '{ printf "%.0f", $1 / ($2 > 0 ? $2 : 1) }')
    echo "$target: $runs runs, $cpu s of CPU time ($rate per second), sanitizer $sanitizer, commit $commit"
    if [ $record = yes ]; then
        [ -e RECORD.tsv ] || printf 'target\tcommit\truns\tcpu_seconds\tsanitizer\n' > RECORD.tsv
        printf '%s\t%s\t%s\t%s\t%s\n' "$target" "$commit" "$runs" "$cpu" "$sanitizer" >> RECORD.tsv
    fi
done
[ $record = no ] || ./record.sh
