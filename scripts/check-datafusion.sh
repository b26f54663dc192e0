#!/usr/bin/env bash
# Checks bindings/arrow and bindings/datafusion: format, lint, tests in SQL, and the functions in DataFusion's Python module.
#
# Usage: scripts/check-datafusion.sh
# The first time it builds DataFusion, 10 CPU minutes; later it takes about one. CARGO_BUILD_JOBS=1 builds with little
# memory.
. "$(dirname "$0")/common.sh"
parse_options "$@"
cd bindings/datafusion

# The version of the Python module whose functions cross the border between two libraries.
PACKAGES=(datafusion==55.0.0 pyarrow==26.0.1 pytest==9.2.0 maturin==1.16.0)

step 'format and lint'
cargo fmt --all --check
cargo fmt --manifest-path ../arrow/Cargo.toml --check
cargo clippy -q --workspace --all-targets -- -D warnings
CARGO_TARGET_DIR=target cargo clippy -q --manifest-path ../arrow/Cargo.toml -- -D warnings

step 'tests'
cargo test --workspace
CARGO_TARGET_DIR=target cargo test --manifest-path ../arrow/Cargo.toml

step "DataFusion's Python module"
environment=target/environment
python3 -m venv "$environment"
"$environment"/bin/python -m pip install --quiet --disable-pip-version-check "${PACKAGES[@]}"
"$environment"/bin/python -m maturin build --profile dev -m python/Cargo.toml -i "$environment"/bin/python -o target/wheels
"$environment"/bin/python -m pip install --quiet --no-index --no-deps --force-reinstall target/wheels/mojika_datafusion-*.whl
"$environment"/bin/python -X utf8 -m pytest -q -p no:cacheprovider --import-mode=importlib --doctest-modules python/tests \
    --pyargs mojika_datafusion

finish 'SQL functions in Rust and in Python'
