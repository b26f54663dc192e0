#!/usr/bin/env bash
# Builds the Python wheel to target/wheels.
#
# Usage: scripts/build-wheel.sh [--dev | --portable] [PYTHON]
# --dev: little optimised, which builds faster, to target/wheels-dev. --portable: for Linux with glibc 2.17 or later, which
# needs ziglang. PYTHON: the interpreter that has maturin; python3 if left out. A wheel is for that version of Python.
. "$(dirname "$0")/common.sh"
arguments=(--release) wheels=target/wheels
case ${1-} in
    --dev)
        arguments=(--profile dev) wheels=target/wheels-dev
        shift
        ;;
    --portable)
        arguments=(--release --zig --compatibility manylinux2014)
        shift
        ;;
esac
python=${1-python3}
"$python" -m maturin --version > /dev/null 2>&1 || die "missing: maturin ($python -m pip install maturin)"

# maturin looks for ziglang in the first python3.
PATH=$(dirname "$(command -v "$python")"):$PATH

step 'the wheel'
"$python" -m maturin build "${arguments[@]}" -m bindings/python/Cargo.toml -i "$python" -o "$wheels"
finish "the wheel is in $wheels"
