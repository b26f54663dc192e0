#!/usr/bin/env bash
# Builds the Python wheel to target/wheels.
#
# Usage: scripts/build-wheel.sh [--dev] [PYTHON]
# --dev: little optimised, which builds faster, to target/wheels-dev. PYTHON: the interpreter that has maturin; python3 if left out.
. "$(dirname "$0")/common.sh"
profile=(--release) wheels=target/wheels
if [ "${1-}" = --dev ]; then
    profile=(--profile dev) wheels=target/wheels-dev
    shift
fi
python=${1-python3}
"$python" -m maturin --version > /dev/null 2>&1 || die "missing: maturin ($python -m pip install maturin)"

step 'the wheel'
"$python" -m maturin build "${profile[@]}" -m python/Cargo.toml -i "$python" -o "$wheels"
finish "the wheel is in $wheels"
