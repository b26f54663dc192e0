#!/usr/bin/env bash
# Builds the Python wheel, with the command in it, to target/wheels.
#
# Usage: scripts/build-wheel.sh [--dev] [PYTHON]
# --dev: little optimised, which builds faster, to target/wheels-dev. PYTHON: the interpreter that has maturin; python3 if left out.
. "$(dirname "$0")/common.sh"
profile=(--release) folder=release wheels=target/wheels
if [ "${1-}" = --dev ]; then
    profile=() folder=debug wheels=target/wheels-dev
    shift
fi
python=${1-python3}
"$python" -m maturin --version > /dev/null 2>&1 || die "missing: maturin ($python -m pip install maturin)"

step 'the command'
cargo build -p mojika-cli "${profile[@]}"
mkdir -p python/mojika/bin
built=${CARGO_TARGET_DIR:-target}/$folder
cp "$built"/mojika python/mojika/bin/mojika
strip --strip-debug python/mojika/bin/mojika 2> /dev/null || true

step 'the wheel'
if [ "$folder" = release ]; then
    "$python" -m maturin build --release -m python/Cargo.toml -i "$python" -o "$wheels"
else
    "$python" -m maturin build --profile dev -m python/Cargo.toml -i "$python" -o "$wheels"
fi
finish "the wheel is in $wheels"
