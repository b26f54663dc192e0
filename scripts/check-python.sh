#!/usr/bin/env bash
# Builds the Python wheel and checks it with the engines at pinned versions: the module's format, lint, tests, doctests and
# type stubs, the Python blocks of docs/ENGINES.md, the source package, and the wheel alone in an empty environment.
#
# Usage: scripts/check-python.sh [--smoke | --all]
# Takes about 3 minutes on two cores, and 1 the next time. --all: an optimised wheel, a wheel from the source package, the
# tests of many gigabytes, pandas 2, and Spark (which needs Java 17).
# Left out, with a message, where there is no Python >= 3.9 with venv, or where pip reaches no index.
. "$(dirname "$0")/common.sh"
# Quick: the format, a wheel, and the tests that need no engine, as in .ci/run.
SMOKE=no
if [ "$*" = --smoke ]; then SMOKE=yes; else parse_options "$@"; fi

# The versions that docs/ENGINES.md names; those of the engines ask for Python 3.11.
TOOLS=(pytest==9.2.0 maturin==1.16.0)
ENGINES=(mypy==2.4.1 pandas==3.1.1 pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.0 fsspec==2026.9.0 aiohttp==3.14.5
    dask[dataframe]==2026.8.0)
OLDER=(pandas==2.3.3 pyarrow==26.0.1 pyspark==4.3.0 fsspec==2026.9.0 dask[dataframe]==2026.8.0
    's3fs==2026.9.0' 'moto[server,s3]==5.2.5')

leave_out() { echo "check-python: left out, as $1"; exit 0; }

has_python() { "$1" -c "import sys, venv, ensurepip; sys.exit(sys.version_info < $2)" 2> /dev/null; }
# The system's first choice may be too old for the engines where a newer one is installed.
python=''
for choice in python3 python3.11 python3.12 python3.13; do
    if has_python "$choice" '(3, 11)'; then python=$choice && break; fi
done
has_engines=yes
if [ "$SMOKE" = yes ]; then
    python=${python:-python3} has_engines=no
elif [ -z "$python" ]; then
    if ! has_python python3 '(3, 9)'; then leave_out 'there is no Python >= 3.9 with venv'; fi
    python=python3 has_engines=no TOOLS=(pytest==8.4.2 maturin==1.16.0)
    echo 'check-python: the engines and the stubs are left out, as their pinned versions ask for Python 3.11'
fi

folder=$PWD/$TARGET_ROOT/$NAME
case $TARGET_ROOT in /*) folder=$TARGET_ROOT/$NAME ;; esac
mkdir -p "$folder"
work=$(mktemp -d "$folder/run.XXXXXX")
trap 'rm -rf "$work"' EXIT
# One directory for every build of the module, from the tree as from the source package.
export CARGO_TARGET_DIR=$folder/cargo

# `pip_install ENVIRONMENT PACKAGE...`: makes the environment; asks no index for what is installed in it.
pip_install() {
    local environment=$1
    shift
    "$python" -m venv "$environment" || return
    if "$environment/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; then return; fi
    if ! "$environment/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work/probe" \
        "${TOOLS[0]}"; then
        touch "$work/no-index"
    fi
    return 1
}
installed() {
    if wait "$1"; then return; fi
    if [ -e "$work/no-index" ]; then leave_out 'pip reaches no index of packages'; fi
    die "pip does not install the packages"
}

# `install_wheel PYTHON`: the wheel, without an index.
install_wheel() {
    "$1" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
}

step 'the environments'
pip_install "$folder/tools" "${TOOLS[@]}" &
tools=$!
engines=''
if [ "$has_engines" = yes ]; then
    # Meanwhile the wheel is built.
    pip_install "$folder/venv" "${TOOLS[0]}" "${ENGINES[@]}" &
    engines=$!
fi
installed $tools
tools=$folder/tools/bin/python

if [ "$SMOKE" = no ]; then
    step 'the source package'
    # At one place, so that the directory of builds does not grow.
    rm -rf "$folder/source"
    mkdir "$folder/source"
    "$tools" -m maturin sdist -m bindings/python/Cargo.toml -o "$folder/source" > "$work/log" 2>&1 || { cat "$work/log"; die 'no source package'; }
    tar -xzf "$folder"/source/mojika-*.tar.gz -C "$folder/source"
    unpacked=$(echo "$folder"/source/mojika-*/)
    for file in LICENSE-MIT LICENSE-APACHE LICENSE-WHATWG README-PYTHON.md; do
        [ -e "$unpacked/$file" ] || die "the source package lacks $file"
    done
    (cd "$unpacked" && cargo metadata --format-version 1 --manifest-path bindings/python/Cargo.toml > /dev/null)

    step 'lint'
    PYO3_PYTHON=$tools cargo clippy -q --manifest-path bindings/python/Cargo.toml -- -D warnings
fi

step 'format'
cargo fmt --manifest-path bindings/python/Cargo.toml --check

profile=(--dev) wheels=target/wheels-dev
if [ "$ALL" = yes ]; then profile=() wheels=target/wheels; fi
scripts/build-wheel.sh "${profile[@]}" "$tools"
wheel=$(find "$wheels" -name 'mojika-*.whl' -newer "$work" | head -n 1)
[ -n "$wheel" ] || die "no new wheel in $wheels"

step 'the wheel in an empty environment'
"$python" -m venv "$work/empty"
install_wheel "$work/empty/bin/python"
said=$(cd "$work" && empty/bin/python -m mojika --version)
[[ $said == "mojika "[0-9]* ]] || die "python -m mojika --version says: $said"
(cd "$work" && empty/bin/python -c 'import mojika; assert mojika.decode(b"\x95\xb6", "shift_jis") == "文"')

step 'tests and doctests'
if [ -n "$engines" ]; then
    installed $engines
    tests=$folder/venv/bin/python
else
    tests=$tools
fi
install_wheel "$tests"
# `run_tests PYTHON ARGUMENT...`: away from the sources, so that the wheel is what is imported.
run_tests() {
    (cd "$work" && "$1" -X utf8 -m pytest -q -rs -p no:cacheprovider "${@:2}") | tee "$work/log"
    if [ "$has_engines" = yes ] && grep -q '^SKIPPED' "$work/log"; then die 'a test was left out'; fi
}
cp -r bindings/python/tests "$work/tests"
cp -r samples "$work/tests"
cp docs/EDIT.md "$work/tests"
run_tests "$tests" tests
# Doctests import the engines.
if [ "$has_engines" = yes ]; then run_tests "$tests" --import-mode=importlib --doctest-modules --pyargs mojika; fi

if [ "$has_engines" = yes ]; then
    step 'type stubs'
    # fsspec, pandas and pyarrow have no types of their own.
    printf '[mypy]\nignore_missing_imports = True\n' > "$work/mypy.ini"
    (cd "$work" && "$tests" -m mypy.stubtest --mypy-config-file mypy.ini --allowlist tests/stubtest-allowlist.txt mojika)
    "$tests" -m mypy --strict --cache-dir "$folder/mypy" bindings/python/tests/typed.py

    step 'the Python blocks of docs/ENGINES.md'
    "$tests" scripts/check-engines-doc.py
fi

if [ "$ALL" = no ]; then
    finish "the module$([ "$has_engines" = no ] || echo ', pandas, pyarrow, polars, DuckDB and fsspec')"
    exit
fi

if [ "$has_engines" = yes ]; then
    step 'mypy and pyright on the stubs, and on the blocks of docs/ENGINES.md'
    "$tests" -m pip install --quiet --disable-pip-version-check pyright==1.1.414
    "$tests" scripts/check-types.py
fi

step 'sizes that 32 bits cannot say'
run_tests "$tests" tests/long_sizes.py

step 'a wheel from the source package, in an isolated build'
(cd "$work" && "$python" -m venv built && built/bin/python -m pip install --quiet --no-deps "$unpacked")
(cd "$work" && built/bin/python -m mojika --version)

step 'pandas 2 and Spark'
need java openjdk-17-jre-headless
pip_install "$folder/venv-spark" "${TOOLS[0]}" "${OLDER[@]}" &
installed $!
spark=$folder/venv-spark/bin/python
install_wheel "$spark"
# Without polars and DuckDB.
has_engines=no
run_tests "$spark" tests
cp bindings/spark/*.py "$work"
mkdir -p "$work/run/bindings" "$work/run/folder"
cp -r bindings/spark "$work/run/bindings"
printf '\225\266\216\232\n' > "$work/run/folder/file.txt"
sed -n 's/^spark-submit //p' docs/ENGINES.md > "$work/command"
[ "$(wc -l < "$work/command")" = 1 ] || die 'the command of docs/ENGINES.md is not where it is looked for'
# shellcheck disable=SC2046 # Words.
(cd "$work/run" && PYSPARK_PYTHON=$spark "$folder/venv-spark/bin/spark-submit" $(cat "$work/command"))
[ -n "$(ls "$work"/run/out/kind=text/*.parquet)" ] || die 'the Spark job wrote nothing'
(cd "$work" && PYSPARK_PYTHON=$spark "$spark" -m pytest -q -p no:cacheprovider test_tasks.py test_spark.py)

finish 'the module, every engine, and Spark'
