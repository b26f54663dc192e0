# Sourced by run and full: steps with their times, which are printed at the end, whether or not all are green.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# What is built once gains nothing from it, and runs slower.
export CARGO_INCREMENTAL=0
TARGET=${CARGO_TARGET_DIR:-target}
mkdir -p "$TARGET"
TIMES=$(mktemp)

end_step() {
    if [ -n "${STEP-}" ]; then printf '%5d s  %s%s\n' "$((SECONDS - BEGAN))" "$STEP" "${BESIDE-}" >> "$TIMES"; fi
    STEP=
}
step() {
    end_step
    STEP=$1 BEGAN=$SECONDS
    printf '\n== %s (after %d s)\n' "$1" "$SECONDS"
}

# `beside FUNCTION`: runs a function of steps while the others go on.
beside() {
    (
        BESIDE=' (beside the others)'
        "$1"
        end_step
    ) > "$TARGET/beside.log" 2>&1 &
    LANE=$!
}
# Waits for it, and prints what it said.
join_beside() {
    end_step
    local status=0
    wait "$LANE" || status=$?
    LANE=
    cat "$TARGET/beside.log"
    return "$status"
}

at_exit() {
    local status=$?
    if [ -n "${LANE-}" ]; then kill "$LANE" 2> /dev/null || true; fi
    end_step
    printf '\n'
    cat "$TIMES"
    rm -f "$TIMES"
    if [ "$status" = 0 ]; then
        printf '== all green after %d s\n' "$SECONDS"
    else
        printf '== FAILED in the last step above after %d s\n' "$SECONDS"
    fi
}
trap at_exit EXIT
