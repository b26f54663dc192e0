#!/usr/bin/env bash
# Builds the Python wheel and checks it with the engines at pinned versions: the module's format, lint, tests and doctests,
# the Python blocks of docs/ENGINES.md, and the wheel alone in an empty environment.
#
# Usage: scripts/check-python.sh [--all]
# Takes 2 to 4 minutes on two cores. --all: an optimised wheel, and also pandas 2 and Spark (which needs Java 17).
# Left out, with a message, where there is no Python >= 3.9 with venv, or where pip reaches no index.
. "$(dirname "$0")/common.sh"
parse_options "$@"

# The versions that docs/ENGINES.md names; those of the engines ask for Python 3.11.
TOOLS=(pytest==8.4.2 maturin==1.16.0)
ENGINES=(pandas==3.1.1 pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.0 fsspec==2026.9.0)
OLDER=(pandas==2.3.3 pyarrow==26.0.1 pyspark==4.3.0 warcio==1.8.1 fsspec==2026.9.0)

leave_out() { echo "check-python: left out, as $1"; exit 0; }

if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2> /dev/null; then
    leave_out 'there is no Python >= 3.9 with venv'
fi

folder=$PWD/$TARGET_ROOT/$NAME
case $TARGET_ROOT in /*) folder=$TARGET_ROOT/$NAME ;; esac
mkdir -p "$folder"
work=$(mktemp -d "$folder/run.XXXXXX")
trap 'rm -rf "$work"' EXIT

# `pip_install PYTHON PACKAGE...`: those are not looked for in an index if they are installed.
pip_install() {
    local python=$1
    shift
    if "$python" -m pip install --quiet --disable-pip-version-check "$@"; then return; fi
    if ! "$python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work/probe" "${TOOLS[0]}"; then
        leave_out 'pip reaches no index of packages'
    fi
    die "pip does not install $*"
}

# `install_wheel PYTHON`: the wheel, without an index.
install_wheel() {
    "$1" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
}

step 'the environment'
python3 -m venv "$folder/venv"
python=$folder/venv/bin/python
pip_install "$python" "${TOOLS[@]}"
has_engines=yes
if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    pip_install "$python" "${ENGINES[@]}"
else
    has_engines=no
    echo 'check-python: the engines are left out, as their pinned versions ask for Python 3.11'
fi

step 'format and lint'
cargo fmt --manifest-path python/Cargo.toml --check
PYO3_PYTHON=$python cargo clippy -q --manifest-path python/Cargo.toml -- -D warnings

profile=(--dev) wheels=target/wheels-dev
if [ "$ALL" = yes ]; then profile=() wheels=target/wheels; fi
scripts/build-wheel.sh "${profile[@]}" "$python"
wheel=$(find "$wheels" -name 'mojika-*.whl' -newer "$work" | head -n 1)
[ -n "$wheel" ] || die "no new wheel in $wheels"

step 'the wheel in an empty environment'
python3 -m venv "$work/empty"
install_wheel "$work/empty/bin/python"
said=$(cd "$work" && empty/bin/python -m mojika --version)
[[ $said == "mojika "[0-9]* ]] || die "python -m mojika --version says: $said"
(cd "$work" && empty/bin/python -c 'import mojika; assert mojika.decode(b"\x95\xb6", "shift_jis") == "文"')

step 'tests and doctests'
install_wheel "$python"
# `run_tests PYTHON FILE...`: away from the sources, so that the wheel is what is imported.
run_tests() {
    (cd "$work" && "$1" -X utf8 -m pytest -q -rs -p no:cacheprovider "${@:2}") | tee "$work/log"
    if [ "$has_engines" = yes ] && grep -q '^SKIPPED' "$work/log"; then die 'a test was left out'; fi
}
cp -r python/tests "$work/tests"
run_tests "$python" tests
run_tests "$python" --import-mode=importlib --doctest-modules --pyargs mojika

if [ "$has_engines" = yes ]; then
    step 'the Python blocks of docs/ENGINES.md'
    "$python" scripts/check-engines-doc.py
fi

if [ "$ALL" = no ]; then
    finish "the module$([ "$has_engines" = no ] || echo ', pandas, pyarrow, polars, DuckDB and fsspec')"
    exit
fi

step 'pandas 2 and Spark'
need java openjdk-17-jre-headless
python3 -m venv "$folder/venv-spark"
spark=$folder/venv-spark/bin/python
pip_install "$spark" "${TOOLS[0]}" "${OLDER[@]}"
install_wheel "$spark"
# Without polars and DuckDB.
has_engines=no
run_tests "$spark" tests
cp engines/spark/*.py "$work"
mkdir -p "$work/run/engines" "$work/run/folder"
cp -r engines/spark "$work/run/engines"
printf '\225\266\216\232\n' > "$work/run/folder/file.txt"
sed -n 's/^spark-submit //p' docs/ENGINES.md > "$work/command"
[ "$(wc -l < "$work/command")" = 1 ] || die 'the command of docs/ENGINES.md is not where it is looked for'
# shellcheck disable=SC2046 # Words.
(cd "$work/run" && PYSPARK_PYTHON=$spark "$folder/venv-spark/bin/spark-submit" $(cat "$work/command"))
[ -n "$(ls "$work"/run/out/kind=text/*.parquet)" ] || die 'the Spark job wrote nothing'
(cd "$work" && PYSPARK_PYTHON=$spark "$spark" -m pytest -q -p no:cacheprovider test_spark.py)

finish 'the module, every engine, and Spark'
