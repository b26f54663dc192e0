#!/usr/bin/env bash
# Prints how long `mojika convert` takes for one large file, beside a bare copy of its bytes, iconv and uconv.
#
# usage: scripts/measure-convert.sh [MEGABYTES [FOLDER]]
#
# The file is made of the samples, 200 MB by default, and lies in FOLDER (default: /dev/shm, which is memory, so that no
# disk is measured). The floor is dd with buffers of 1 MB. Each figure is the least of 5 runs, in seconds: processor time,
# user and system, for one job, which other work on the machine disturbs little; wall time for one job and two.
# One job is one core (taskset); two jobs are two.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
megabytes=${1:-200}
folder=$(mktemp -d "${2:-/dev/shm}/mojika-measure.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cargo build -q --release -p mojika-cli
mojika=${CARGO_TARGET_DIR:-target}/release/mojika

# Least wall and processor seconds of 5 runs of a command; "-" if it is not installed.
least() {
    command -v "$1" >/dev/null || { echo '- -'; return; }
    local TIMEFORMAT='%R %U %S' times=
    for _ in 1 2 3 4 5; do
        times+=$({ time "$@" >/dev/null 2>&1; } 2>&1)$'\n'
    done
    awk 'NF == 3 { c = $2 + $3; if (!n || $1 < wall) wall = $1; if (!n || c < cpu) cpu = c; n = 1 }
        END { printf "%.3f %.3f\n", wall, cpu }' <<<"$times"
}

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { if (a == "-" || b == "-") print "-"; else printf "%.2f", a / b }'
}

printf '%-14s %7s %7s %7s %7s  %s  %7s %7s %s\n' encoding floor 'one job' iconv uconv \
    'floor/one iconv/one uconv/one' 'wall: one' two 'one/two'
for sample in samples/ja.shift_jis.txt samples/zh-hans.gb18030.txt samples/ru.windows-1251.txt; do
    [ -e "$sample" ] || { echo "no $sample" >&2; exit 1; }
    label=${sample%.txt}
    label=${label##*.}
    # Doubled until it is large enough, then cut at a line's end.
    cp "$sample" "$folder/in"
    while [ "$(stat -c %s "$folder/in")" -lt $((megabytes << 20)) ]; do
        cat "$folder/in" "$folder/in" >"$folder/twice"
        mv "$folder/twice" "$folder/in"
    done
    head -c $((megabytes << 20)) "$folder/in" | sed '$d' >"$folder/cut" 2>/dev/null
    mv "$folder/cut" "$folder/in"
    read -r _ floor < <(least dd if="$folder/in" of="$folder/out" bs=1M)
    read -r wall one < <(least taskset -c 0 "$mojika" convert -f "$label" "$folder/in" -o "$folder/out")
    read -r two _ < <(least taskset -c 0,1 "$mojika" convert -f "$label" "$folder/in" -o "$folder/out")
    read -r _ iconv < <(least iconv -f "$label" -t utf-8 -o "$folder/out" "$folder/in")
    read -r _ uconv < <(least uconv -f "$label" -t utf-8 -o "$folder/out" "$folder/in")
    printf '%-14s %7s %7s %7s %7s  %9s %9s %9s  %9s %7s %s\n' "$label" "$floor" "$one" "$iconv" "$uconv" \
        "$(ratio "$floor" "$one")" "$(ratio "$iconv" "$one")" "$(ratio "$uconv" "$one")" "$wall" "$two" \
        "$(ratio "$wall" "$two")"
done
