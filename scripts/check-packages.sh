#!/usr/bin/env bash
# Tries what docs/INSTALL.md says: mojika from Git and from pre-commit; with --all, the Debian package in a root that has
# nothing else but the C library, and the portable wheel in an empty environment.
#
# Usage: scripts/check-packages.sh [--all]
# Takes a minute on two cores after a release build, and 5 with --all, which needs root. pre-commit is left out, with a
# message, where pip reaches no index.
. "$(dirname "$0")/common.sh"
parse_options "$@"
ROOT=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() { [ "$2" = "$3" ] || die "$1: $2, not $3"; }

# `block TEXT LANGUAGE`: the one block of $DOCUMENT in that language that has TEXT.
DOCUMENT=docs/INSTALL.md
block() {
    python3 - "$1" "$2" "$DOCUMENT" << 'EOF'
import re, sys
text, language, document = sys.argv[1:]
blocks = re.findall(rf"^```{language}\n(.*?)^```", open(document).read(), re.M | re.S)
found = [block for block in blocks if text in block]
sys.exit(f"{document} has {len(found)} blocks with {text!r}") if len(found) != 1 else print(found[0], end="")
EOF
}

step 'the command'
cargo build --quiet --release -p mojika-cli
mkdir "$work/bin"
ln -s "$(realpath "$TARGET_ROOT/release/mojika")" "$work/bin/mojika"
export PATH=$work/bin:$PATH
# Nothing of the user's.
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
mkdir "$HOME"

step 'git diff shows text in another encoding'
git init --quiet "$work/git"
block 'diff=' text > "$work/git/.gitattributes"
textconv=$(block textconv text)
(cd "$work/git" && eval "$textconv")
printf '\x95\xB6\x8E\x9A\n' > "$work/git/a.sjis.txt"
git -C "$work/git" add .
git -C "$work/git" commit --quiet -m first
printf '\x89\xBB\x82\xAF\n' > "$work/git/a.sjis.txt"
expect 'git diff' "$(git -C "$work/git" diff | grep '^[-+][^-+]')" $'-文字\n+化け'
expect 'git show' "$(git -C "$work/git" show HEAD -- a.sjis.txt | grep '^[-+][^-+]')" '+文字'

step 'git shows files of docs/EDIT.md by text'
DOCUMENT=docs/EDIT.md
git init --quiet "$work/edit"
block 'diff=mojika' text > "$work/edit/.gitattributes"
config=$(block textconv text)
(cd "$work/edit" && eval "$config")
commit() { git -C "$work/edit" add . && git -C "$work/edit" commit --quiet -m "$1"; }
# The second form of U+FFE2, a malformed byte, and three lines.
printf '\xFA\x54\xFF\r\n\x82\xA0\r\n-\r\n\x82\xA2\r\n' > "$work/edit/a.sjis.txt"
commit base
mojika edit -q --from shift_jis "$work/edit/a.sjis.txt" --replace い う
commit other
expect 'git show' "$(git -C "$work/edit" show | grep '^[-+][^-+]' | tr -d '\r')" $'-い\n+う'
DOCUMENT=docs/INSTALL.md

step 'pre-commit refuses what is no UTF-8'
if python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet --disable-pip-version-check pre-commit; then
    precommit=$work/venv/bin/pre-commit
    block mojika-check yaml > "$work/git/.pre-commit-config.yaml"
    hooks() { (cd "$work/git" && git add . && "$precommit" run --all-files mojika-check > "$work/said" 2>&1); }
    if hooks; then die "pre-commit lets Shift_JIS pass: $(cat "$work/said")"; fi
    grep -q 'a.sjis.txt: malformed UTF-8 sequence' "$work/said" || die "pre-commit says: $(cat "$work/said")"
    mojika convert --from shift_jis "$work/git/a.sjis.txt" -o "$work/git/a.sjis.txt"
    hooks || die "pre-commit refuses UTF-8: $(cat "$work/said")"
    # The hook's own definition, in a repository.
    git init --quiet "$work/hooks"
    cp .pre-commit-hooks.yaml "$work/hooks"
    git -C "$work/hooks" add .
    git -C "$work/hooks" commit --quiet -m hooks
    (cd "$work/git" && "$precommit" try-repo "$work/hooks" mojika-check --all-files > "$work/said" 2>&1) ||
        die "pre-commit with the definition: $(cat "$work/said")"
else
    echo 'left out, as pip reaches no index of packages: pre-commit'
fi

if [ "$ALL" = no ]; then
    finish 'Git and pre-commit'
    exit
fi

step 'the Debian package in an empty root'
[ "$(id -u)" = 0 ] || die 'only root can install in another root'
HOME=~root scripts/build-deb.sh
empty=$work/root
mkdir -p "$empty"/var/lib/dpkg/{info,updates} "$empty/tmp"
touch "$empty/var/lib/dpkg/status"
# The C library, which is all that the package depends on, as files alone.
depends=$(dpkg-deb --field target/debian/*.deb Depends)
echo "depends on: $depends"
ldd "$TARGET_ROOT/release/mojika" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$empty$(dirname "$library")"
    cp -L "$library" "$empty$library"
done
dpkg --root="$empty" --force-depends --install target/debian/*.deb > "$work/said" 2>&1 || { cat "$work/said"; die 'dpkg'; }
expect 'the installed command' "$(printf '\x95\xB6\n' | chroot "$empty" /usr/bin/mojika convert --from sjis)" '文'
for file in bin/mojika share/man/man1/mojika-convert.1.gz share/bash-completion/completions/mojika \
    share/zsh/vendor-completions/_mojika share/fish/vendor_completions.d/mojika.fish share/doc/mojika/LICENSE-WHATWG; do
    [ -e "$empty/usr/$file" ] || die "the package lacks /usr/$file"
done
dpkg --root="$empty" --purge mojika > /dev/null 2>&1
[ ! -e "$empty/usr/bin/mojika" ] || die 'the package leaves its command when it is removed'

step 'the portable wheel in an empty environment'
python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check maturin ziglang
HOME=~root "$ROOT/scripts/build-wheel.sh" --portable "$work/tools/bin/python"
python3 -m venv "$work/empty"
"$work/empty/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps target/wheels/mojika-*manylinux*.whl
said=$(cd "$work" && empty/bin/python -c 'import mojika; print(mojika.decode(b"\x95\xb6", "shift_jis"))')
expect 'the wheel' "$said" '文'
expect 'its command' "$(printf '\x95\xB6\n' | "$work/empty/bin/mojika" convert --from sjis)" '文'
finish 'Git, pre-commit, the Debian package, and the portable wheel'
