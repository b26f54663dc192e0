#!/usr/bin/env bash
# Runs the test suites of programs that use encoding_rs, with `bindings/encoding_rs` in its place, by the lines that its
# README gives. What fails must fail with the published crate too, which is then run to show it.
#
# Usage: scripts/check-clients.sh [CLIENT...]
#        scripts/check-clients.sh --bench [FOLDER]
# Clients are encoding_rs_io, chardetng, quick-xml and ripgrep; all, unless some are named. Takes about 10 minutes on
# two cores, and the registry of cargo for the clients' sources.
#
# --bench builds ripgrep with both crates and times searches of large Shift_JIS and UTF-16LE files: user CPU time,
# median of RUNS (7) by turns. The text is 8 MB of the bench's made Japanese, or that of FOLDER (UTF-8), its lines shuffled;
# it is repeated to MEGABYTES (300) of each encoding.
. "$(dirname "$0")/common.sh"

REPOSITORY=$PWD
PUBLISHED=$(sed -n 's/^version = "\(.*\)+mojika"$/\1/p' bindings/encoding_rs/Cargo.toml)
[ -n "$PUBLISHED" ] || die 'bindings/encoding_rs states no version'
# Exact versions: a client's next release must not turn this red.
declare -A VERSIONS=([encoding_rs_io]=0.1.8 [chardetng]=1.0.0 [quick-xml]=0.42.0 [ripgrep]=15.2.0)
declare -A FEATURES=([quick-xml]=encoding)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# `fetch CLIENT`: its source, by a package that depends on it.
fetch() {
    local client=$1 from=$WORK/fetch-$1
    [ -n "${VERSIONS[$client]:-}" ] || die "no client $client; there are ${!VERSIONS[*]}"
    mkdir -p "$from/src"
    touch "$from/src/lib.rs"
    printf '[package]\nname = "fetch"\nedition = "2021"\n[workspace]\n[dependencies]\n"%s" = "=%s"\n' \
        "$client" "${VERSIONS[$client]}" > "$from/Cargo.toml"
    (cd "$from" && cargo vendor --quiet --versioned-dirs vendor > /dev/null 2>&1) ||
        die "cargo cannot fetch $client ${VERSIONS[$client]}"
    SOURCE=$from/vendor/$client-${VERSIONS[$client]}
    [ -d "$SOURCE" ] || die "the source of $client is not where cargo vendor puts it"
}

# The encoding_rs that the package in the current directory uses.
in_use() { cargo tree --quiet --all-features --invert encoding_rs --depth 0 2> /dev/null | head -n 1; }

# `set_up CLIENT ours|published`: a copy of the client's source with that crate, in PACKAGE.
set_up() {
    local client=$1 which=$2 expected="encoding_rs v$PUBLISHED"
    PACKAGE=$WORK/$which/$client
    mkdir -p "$WORK/$which"
    cp -r "$SOURCE" "$PACKAGE"
    pushd "$PACKAGE" > /dev/null
    grep -q '^\[workspace\]' Cargo.toml || printf '\n[workspace]\n' >> Cargo.toml
    if [ "$which" = ours ]; then
        expected="$expected+mojika"
        printf '\n[patch.crates-io]\nencoding_rs = { path = "%s/bindings/encoding_rs" }\n' "$REPOSITORY" >> Cargo.toml
        cargo update --quiet encoding_rs
        # A lock file may hold what this crate uses itself at too old a version: then cargo leaves the patch aside.
        case "$(in_use) " in "$expected "*) ;; *) cargo update --quiet ;; esac
    else
        cargo update --quiet encoding_rs --precise "$PUBLISHED"
    fi
    case "$(in_use) " in
        "$expected "*) echo "$client uses $expected" ;;
        *) die "$client does not use $expected but $(in_use)" ;;
    esac
    popd > /dev/null
}

# `suite CLIENT ours|published`: the client's own tests.
suite() {
    set_up "$1" "$2"
    (cd "$PACKAGE" && CARGO_TARGET_DIR=$TARGET_ROOT/$NAME/$2 \
        cargo test --no-fail-fast ${FEATURES[$1]:+--features ${FEATURES[$1]}})
}

check() {
    local client failed=()
    for client; do
        step "$client ${VERSIONS[$client]:-} with bindings/encoding_rs"
        fetch "$client"
        if suite "$client" ours 2>&1 | tee "$WORK/log"; then continue; fi
        step "$client fails; the same with the published crate"
        sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$WORK/log" | sort > "$WORK/failed-ours"
        suite "$client" published 2>&1 | tee "$WORK/log" || true
        sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$WORK/log" | sort > "$WORK/failed-published"
        # Nothing but tests that fail with the published crate as well is no fault of ours.
        if [ -s "$WORK/failed-ours" ] && [ -z "$(comm -23 "$WORK/failed-ours" "$WORK/failed-published")" ]; then
            echo "$client: all that failed fails with the published crate too:"
            cat "$WORK/failed-ours"
        else
            failed+=("$client")
        fi
    done
    [ ${#failed[@]} = 0 ] || die "fail with bindings/encoding_rs and not with the published crate: ${failed[*]}"
    finish "the suites of $*"
}

# `repeated FILE MEGABYTES`: FILE again and again.
repeated() {
    local size
    size=$(wc -c < "$1")
    for ((done = 0; done < $2 * 1000000; done += size)); do cat "$1"; done
}

bench() {
    local folder=${1:-} megabytes=${MEGABYTES:-300} runs=${RUNS:-7} which form label
    fetch ripgrep
    for which in published ours; do
        step "building ripgrep with ${which/ours/compat\/encoding_rs}"
        set_up ripgrep "$which"
        (cd "$PACKAGE" && CARGO_TARGET_DIR=$TARGET_ROOT/$NAME/$which cargo build --quiet --release)
    done
    step 'building the command, to make the files'
    cargo build --quiet --release -p mojika-cli
    local mojika=$TARGET_ROOT/release/mojika
    if [ -z "$folder" ]; then
        folder=$WORK/made
        cargo run --quiet --release -p mojika-benches --example made_text -- ja 8000000 > "$folder"
    fi
    # Lines in another order each time they come, so that no branch predictor knows the text; 8 MB, then repeated.
    find "$folder" -type f -exec cat {} + | LC_ALL=C awk '
        length > 0 { line[n++] = $0 }
        END { srand(1); while (size < 8000000) { s = line[int(rand() * n)]; print s; size += length(s) + 1 } }
    ' > "$WORK/text"
    for label in shift_jis utf-16le; do
        # What an encoding lacks becomes a reference.
        "$mojika" convert --from utf-8 --to "$label" --errors html -o "$WORK/piece" "$WORK/text" || true
        repeated "$WORK/piece" "$megabytes" > "$WORK/$label"
    done
    local pattern=${PATTERN:-文字化けxyz}
    printf '\n| ripgrep, %s MB | published, s | bindings/encoding_rs, s | ratio |\n|---|---|---|---|\n' "$megabytes"
    for label in shift_jis utf-16le; do
        rm -f "$WORK"/times-*
        for ((run = 0; run < runs; run++)); do
            for which in published ours; do
                local rg=$TARGET_ROOT/$NAME/$which/release/rg
                # Nothing is found: the time is that of decoding and searching.
                {
                    TIMEFORMAT=%U
                    time "$rg" --encoding "$label" --count "$pattern" "$WORK/$label" > "$WORK/found-$which"
                } 2>> "$WORK/times-$which" || [ $? = 1 ] || die "$rg fails: $(tail -n 2 "$WORK/times-$which")"
            done
            cmp -s "$WORK/found-published" "$WORK/found-ours" || die "searches of $label find different lines"
        done
        for which in published ours; do
            sort -n "$WORK/times-$which" | sed -n "$((runs / 2 + 1))p" > "$WORK/median-$which"
        done
        awk -v label="$label" '{ print "| " label " | " $1 " | " $2 " | " sprintf("%.2f", $1 / $2) " |" }' \
            <(paste "$WORK/median-published" "$WORK/median-ours")
    done
}

if [ "${1:-}" = --bench ]; then
    [ $# -le 2 ] || die '--bench takes one folder at most'
    bench "${2:-}"
else
    for client; do [ -n "${VERSIONS[$client]:-}" ] || die "no client $client; there are ${!VERSIONS[*]}"; done
    if [ $# = 0 ]; then set -- encoding_rs_io chardetng quick-xml ripgrep; fi
    check "$@"
fi
