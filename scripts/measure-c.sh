#!/usr/bin/env bash
# Measures the C libraries: their sizes, iconv against the C library's, and uchardet's functions against libuchardet's.
#
# Usage: scripts/measure-c.sh [--dev] [SECONDS]
#   --dev     builds the libraries with little optimisation, to see that the script runs
#   SECONDS   the time for each number, 0.3 by default
. "$(dirname "$0")/common.sh"

PROFILE=capi
if [ "${1-}" = --dev ]; then PROFILE=dev && shift; fi
SECONDS_EACH=${1:-0.3}
step 'the libraries'
scripts/build-capi.sh --profile "$PROFILE"
LIB=$TARGET_ROOT/c/$PROFILE/lib
WORK=$TARGET_ROOT/c/benches
mkdir -p "$WORK"
grep -m 1 'model name' /proc/cpuinfo
for file in "$LIB"/libmojika.so.0 "$LIB"/libmojika_encoding_c.so.0 "$LIB"/libuchardet.so.0 "$LIB"/preloadable_mojika_iconv.so; do
    printf '%s: %d kB\n' "$(basename "$file")" $(($(stat -L -c %s "$file") / 1000))
done

step 'iconv'
cc -std=c99 -O2 -Wall -Wextra -Werror bindings/c/benches/iconv.c -o "$WORK/iconv" -ldl -lm
"$WORK/iconv" "$LIB/preloadable_mojika_iconv.so" "$SECONDS_EACH"

# The texts of a directory next to the project, or the samples.
FILES=(../shared/corpora/*.txt ../shared/corpora/*.html)
[ -e "${FILES[0]}" ] || FILES=(samples/*/*)
OTHER=/usr/lib/$(cc -dumpmachine)/libuchardet.so.0
if [ -e "$OTHER" ]; then
    step 'uchardet'
    cc -std=c99 -O2 -Wall -Wextra -Werror bindings/c/benches/uchardet.c -o "$WORK/uchardet" -ldl -lm
    for file in "${FILES[@]}"; do
        name=$(basename "$file")
        case $name in
            sources.txt | README*) continue ;;
            ru.*) to=KOI8-R ;; el.*) to=ISO-8859-7 ;; ja.*) to=EUC-JP ;; ko.*) to=UHC ;; th.*) to=TIS-620 ;;
            zh_cn.* | zh-hans.*) to=GBK ;; zh_tw.* | zh-hant.*) to=BIG5 ;; de.* | fr.* | en.*) to=CP1252 ;; *) to=UTF-8 ;;
        esac
        iconv -c -f UTF-8 -t "$to" "$file" > "$WORK/${name%.*}.$to" || true
    done
    shopt -s nullglob
    "$WORK/uchardet" "$LIB/libuchardet.so.0" "$OTHER" "$WORK"/*.*-* "$WORK"/*.GBK "$WORK"/*.BIG5 "$WORK"/*.UHC "$WORK"/*.CP1252
fi
finish 'measured'
