#!/usr/bin/env python3
"""Fetches the texts that `gen train` and `mojika-proof detect` read: Debian packages with text in many languages.

usage: scripts/fetch-training-texts.py DIR [PACKAGES]

Downloads each package (or takes its .deb from the folder PACKAGES), unpacks it in a scratch folder and writes
DIR/SET/PACKAGE_VERSION/LANGUAGE.txt, in UTF-8, one message or paragraph a line. Of other packages it writes
DIR/kinds/SET/PACKAGE_VERSION/KIND/NAME: source code, copyright files, languages without a model, binary files and so on
(scripts/training_kinds.py). The sets are

  train      what `gen train` counts
  tune       what constants of the detector were chosen by
  held-out   what accuracies are stated for; no decision was made by them

Public suites of files for detectors are no training texts: vim's runtime files and the dictionaries of LibreOffice
belong to some, so no package of those is here. A package is in one set only. Packages whose folder exists are skipped. About 450 MB are downloaded. Nothing is
installed.
"""
import glob, gzip, html, os, re, struct, subprocess, sys, tempfile

import training_kinds

TRAIN = """gimp-data vlc-l10n audacity-data inkscape gnucash-common evolution-common git gcc-12-locales
libreoffice-help-ja libreoffice-help-ko libreoffice-help-zh-cn libreoffice-help-zh-tw manpages-ja manpages-zh
geany-common totem-common iso-codes unicode-cldr-core kgeography-data
libkf5kdelibs4support-data shared-mime-info gnome-desktop3-data tuxpaint-data wfaroese wirish""".split()
TUNE = """aptitude-common gnome-user-docs dpkg apt coreutils gnupg-l10n pidgin-data hexchat-common
util-linux-locales libglib2.0-data nautilus-data gedit-common debian-faq-ko debian-reference-ja
debian-reference-zh-cn debian-reference-zh-tw manpages-de manpages-fr manpages-pl manpages-ru manpages-uk
manpages-cs manpages-es manpages-it manpages-hu manpages-tr manpages-ro manpages-el""".split()
HELD_OUT = """wesnoth-1.16-data installation-guide-amd64 digikam-data freeciv-data gnumeric-common gramps
kdevelop-l10n""".split()
KINDS = {
    "train": """manpages-dev libboost1.74-dev units perl-doc fvwm nethack-common libgtk2.0-common libx11-doc
xscreensaver-data krb5-doc""".split(),
    "tune": """netpbm tcl8.6-doc octave-common sbcl-source evolution-data-server-common postgresql-doc-15 apache2-doc
texlive-latex-recommended""".split(),
    "held-out": """emacs-el maxima-share erlang-src gnuplot-data gnome-control-center-data ghostscript-doc
imagemagick-6-common lilypond-data scite""".split(),
}
LANGUAGES = """cs sk pl hu sl hr ro fr de es pt it sv da nb fi is nl ca tr lt lv et vi
el he ar fa ru uk bg sr mk be th ja ko zh_CN zh_TW en ga sq bs eu gl kk mt cy eo
af ast az br dsb fo fur fy gd hsb id ku ky lb mn ms oc rm tg tl tt ug ur uz wa""".split()
# Word lists, by the name of the file.
LISTS = {"faroese": "fo", "irish": "ga"}
MOST = 1_200_000  # bytes of a package in a language


def language(code):
    code = code.split(".")[0]
    if not code or "@" in code:
        return None
    code = code.replace("-", "_")
    if code.lower() in ("zh_cn", "zh_tw"):
        return "zh_" + code[3:].upper()
    code = {"no": "nb", "nn": "nb", "kmr": "ku", "fil": "tl"}.get(code.split("_")[0], code.split("_")[0])
    return code if code in LANGUAGES else None


def messages(path):
    """The translations of a message catalogue, in UTF-8."""
    data = open(path, "rb").read()
    if data[:4] not in (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde"):
        return
    order = "<" if data[:1] == b"\xde" else ">"
    count, ids, texts = struct.unpack_from(order + "3I", data, 8)
    for i in range(count):
        length, at = struct.unpack_from(order + "2I", data, ids + 8 * i)
        source = data[at:at + length]
        length, at = struct.unpack_from(order + "2I", data, texts + 8 * i)
        text = data[at:at + length]
        if source and text != source:
            for form in text.split(b"\0"):
                yield form.decode("utf-8", "ignore").replace("_", "").replace("&", "")


def plain(text):
    text = re.sub(r"(?s)<(script|style|head)\b.*?</\1>|<[^>]*>", " ", text)
    return html.unescape(text)


def manual(text):
    lines = (line for line in text.split("\n") if not line.startswith((".\\\"", "'")))
    text = "\n".join(re.sub(r"^\.[A-Za-z]+ ?", "", line) for line in lines)
    return re.sub(r"\\f.|\\\(..|\\[&|^%c]|\\", "", text)


def spread(words, most=30_000):
    """So many of the words, from all over the list, twenty a line."""
    words = words[::max(1, len(words) // most)]
    return [" ".join(words[at:at + 20]) for at in range(0, len(words), 20)]


def texts(root):
    """(language, lines) of each file under root that holds text."""
    for path in sorted(glob.glob(root + "/**/*", recursive=True)):
        if os.path.islink(path) or not os.path.isfile(path):
            continue
        name = path[len(root):]
        if found := re.search(r"/(?:locale|translations)/([^/]+)/LC_MESSAGES/.*\.mo$", name):
            yield found[1], messages(path)
        elif found := re.search(r"/cldr/common/main/([a-z]+(?:_Han[st])?)\.xml$", name):
            code = {"zh_Hans": "zh_CN", "zh_Hant": "zh_TW"}.get(found[1], found[1])
            yield code, re.findall(r">([^<>]+)</(?!characters)", open(path, encoding="utf-8").read())
        elif found := re.search(r"/share/dict/([a-z]+)$", name):
            yield LISTS.get(found[1], ""), spread(open(path, encoding="utf-8", errors="ignore").read().split("\n"))
        elif found := re.search(r"/share/man/([^/]+)/man\d/.*\.gz$", name):
            yield found[1], manual(gzip.open(path).read().decode("utf-8", "ignore")).split("\n")
        elif found := re.search(r"/share/help/([^/]+)/.*\.page$", name):
            yield found[1], plain(open(path, errors="ignore").read()).split("\n")
        elif found := re.search(r"/libreoffice/help/([^/]+)/.*\.html$", name):
            yield found[1], plain(open(path, errors="ignore").read()).split("\n")
        elif found := re.search(r"/installation-guide-[^/]+/([^/]+)/[^/]*\.html$", name):
            yield found[1], plain(open(path, errors="ignore").read()).split("\n")
        elif found := re.search(r"/(?:faq|debian-reference|doc)/.*\.([a-z]{2}(?:-[a-z]{2})?)\.(?:html|txt)(\.gz)?$", name):
            data = gzip.open(path).read() if found[2] else open(path, "rb").read()
            yield found[1], plain(data.decode("utf-8", "ignore")).split("\n")


def unpacked(package, source, scratch):
    """The version of a package, and the folder that it was unpacked in."""
    folder = source or scratch
    if not source:
        if subprocess.run(["apt-get", "download", "-q", package], cwd=scratch).returncode:
            sys.exit(f"{package}: not downloaded (`apt-get update` renews an old list of packages)")
    found = glob.glob(f"{folder}/{package}_*.deb")
    if not found:
        sys.exit(f"{package}: no package file in {folder}")
    root = scratch + "/root"
    subprocess.run(["dpkg", "-x", found[0], root], check=True)
    return found[0].rsplit("/", 1)[1].split("_")[1].replace("%3a", ":"), root


def write_texts(root, into):
    """Writes into/LANGUAGE.txt; the number of languages and of bytes."""
    collected = {}
    for code, lines in texts(root):
        if not (code := language(code)):
            continue
        seen, size = collected.setdefault(code, ({}, [0]))
        for line in lines:
            line = " ".join(line.split())
            if size[0] < MOST and len(line) > 3 and line not in seen:
                seen[line] = None
                size[0] += len(line.encode("utf-8", "ignore"))
    for code, (seen, size) in sorted(collected.items()):
        # A catalogue in a legacy encoding leaves nothing of its letters.
        if size[0] < 500:
            continue
        os.makedirs(into, exist_ok=True)
        with open(f"{into}/{code}.txt", "w", encoding="utf-8", errors="ignore") as file:
            file.write("\n".join(seen) + "\n")
    return len(collected), sum(size[0] for _, size in collected.values())


def main():
    target, source = sys.argv[1], (sys.argv[2:] or [None])[0]
    kinds = [name for packages in KINDS.values() for name in packages]
    names = TRAIN + TUNE + HELD_OUT + kinds
    assert len(names) == len(set(names)), "a package is in two sets"
    work = [(use, package, f"{target}/{use}", False)
            for use, packages in (("train", TRAIN), ("tune", TUNE), ("held-out", HELD_OUT)) for package in packages]
    work += [(use, package, f"{target}/kinds/{use}", True) for use, packages in KINDS.items() for package in packages]
    for use, package, folder, is_kinds in work:
        if glob.glob(f"{folder}/{package}_*"):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            version, root = unpacked(package, source, scratch)
            into = f"{folder}/{package}_{version}"
            if is_kinds:
                print(use, package, version, training_kinds.collect(root, into, messages))
            else:
                print(use, package, version, "%d languages %d" % write_texts(root, into))


main()
