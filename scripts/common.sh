# Sourced by the check scripts beside it: installing what they need, the choice of tests, and builds for processors
# that the installed Rust toolchain has no standard library for. Not for running by itself.
#
# A script sources this, states its own steps, and ends with `finish`. CARGO_TARGET_DIR is honoured; every kind of build
# has a directory of its own below it, so that the scripts do not undo each other's work.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
NAME=$(basename "$0" .sh)
# Absolute: some builds have another working directory.
TARGET_ROOT=$(realpath -m "${CARGO_TARGET_DIR:-target}")

# The system libraries that the archive of capi needs, as `cargo rustc -- --print native-static-libs` prints them.
CAPI_SYSTEM='-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc'

# What drives Chromium, from the npm registry.
PUPPETEER=puppeteer-core@24.43.1

step() { printf '\n== %s: %s (after %d s)\n' "$NAME" "$1" "$SECONDS"; }
die() { printf '%s: %s\n' "$NAME" "$1" >&2; exit 1; }
finish() { printf '\n== %s: passed after %d s: %s\n' "$NAME" "$SECONDS" "$1"; }

# The one option of the scripts that run tests: `--all` instead of the quick choice.
ALL=no
parse_options() {
    for option in "$@"; do
        case $option in
            --all) ALL=yes ;;
            *) die "unknown option $option; the only one is --all" ;;
        esac
    done
}

# The tests that ran, for the closing line.
which_tests() { if [ "$ALL" = yes ]; then echo 'all tests'; else echo 'the quick tests'; fi; }

# What `cargo test` is asked for. Quick: the library's own tests (every kernel at every level the machine has), the Web
# platform's cases and the rules of the Standard. All: every test file. Documentation samples run natively only.
# Set MOJIKA_TESTS to choose otherwise, such as MOJIKA_TESTS='--lib'.
test_choice() {
    if [ -n "${MOJIKA_TESTS:-}" ]; then
        echo "$MOJIKA_TESTS"
    elif [ "$ALL" = yes ]; then
        echo '--lib --tests'
    else
        echo '--lib --test rules'
    fi
}

# `build_tests CARGO_ARGUMENT...`: builds the chosen tests once, so that every run is of the same build, whatever happens
# to the sources meanwhile. The executables are in BUILT.
build_tests() {
    local log
    log=$(mktemp)
    # shellcheck disable=SC2046 # The choice is words.
    if ! cargo "$@" $(test_choice) --no-run 2>&1 | tee "$log" >&2; then
        rm -f "$log"
        die 'the tests do not compile'
    fi
    mapfile -t BUILT < <(sed -n 's/^ *Executable .*(\(.*\))$/\1/p' "$log")
    rm -f "$log"
    [ ${#BUILT[@]} != 0 ] || die 'cargo names no test executables'
}

# `run_built RUNNER...`: runs all of BUILT, under a runner if one is given.
run_built() {
    local executable
    for executable in "${BUILT[@]}"; do "$@" "$executable" -q; done
}

# `need COMMAND PACKAGE...`: makes sure of a command, installing packages as root, else says what is missing.
need() {
    local command=$1
    shift
    if command -v "$command" > /dev/null; then return; fi
    install_packages "$@"
    command -v "$command" > /dev/null || die "$command is still missing after installing $*"
}

install_packages() {
    local missing=()
    for package in "$@"; do
        if ! dpkg -s "$package" > /dev/null 2>&1; then missing+=("$package"); fi
    done
    if [ ${#missing[@]} = 0 ]; then return; fi
    if ! command -v apt-get > /dev/null || [ "$(id -u)" != 0 ]; then
        die "missing, and only root can install it, on Debian: ${missing[*]}"
    fi
    step "installing ${missing[*]}"
    apt-get update > /dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}" > /dev/null
}

# `use_toolchain_for TARGET`: sets CARGO and BUILD_STD so that "$CARGO" "${BUILD_STD[@]}" builds for a target.
# The active toolchain serves if it has that standard library; otherwise Debian's `rustc-web` builds one from its source.
use_toolchain_for() {
    local target=$1
    BUILD_STD=()
    if [ -d "$(rustc --print target-libdir --target "$target" 2> /dev/null)" ]; then
        CARGO=cargo
    else
        install_packages rustc-web cargo-web rust-web-src
        packaged() { dpkg -L "$1" | grep "/bin/$2\$" | head -n 1; }
        CARGO=$(packaged cargo-web cargo)
        RUSTC=$(packaged rustc-web rustc)
        RUSTDOC=$(packaged rustc-web rustdoc)
        export RUSTC RUSTDOC
        # The switch below is unstable; this package is a stable release.
        export RUSTC_BOOTSTRAP=1
        BUILD_STD=(-Zbuild-std)
    fi
    echo "built with $("$CARGO" --version)"
}

# `prepare_foreign ARCHITECTURE QEMU PACKAGE`: QEMU of a package, and all that it takes to build for and to run what is of
# ARCHITECTURE-unknown-linux-gnu, which is then TARGET; LIBRARIES is where its dynamic linker and its C library lie.
prepare_foreign() {
    local architecture=$1 triple=$1-linux-gnu debian=$1
    TARGET=$architecture-unknown-linux-gnu
    if [ "$architecture" = aarch64 ]; then debian=arm64; fi
    need "$2" "$3"
    need "$triple-gcc" "gcc-$architecture-linux-gnu"
    install_packages "libc6-dev-$debian-cross"
    use_toolchain_for "$TARGET"
    export CARGO_TARGET_DIR=$TARGET_ROOT/$NAME
    LIBRARIES=$(dpkg -L "libc6-$debian-cross" | grep '/lib/libc.so.6$') || die "no C library in libc6-$debian-cross"
    LIBRARIES=${LIBRARIES%/lib/libc.so.6}
    VARIABLE=CARGO_TARGET_$(echo "$TARGET" | tr 'a-z-' 'A-Z_')
    export "${VARIABLE}_LINKER=$triple-gcc"
}

# `test_foreign ARCHITECTURE QEMU`: the tests of `mojika` under qemu, for ARCHITECTURE-unknown-linux-gnu.
test_foreign() {
    prepare_foreign "$1" "$2" qemu-user-static
    export "${VARIABLE}_RUNNER=$2 -L $LIBRARIES"
    step "building and running $(which_tests)"
    # shellcheck disable=SC2046 # The choice is words.
    "$CARGO" test "${BUILD_STD[@]}" --target "$TARGET" -p mojika $(test_choice)
}
