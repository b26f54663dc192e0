#!/usr/bin/env python3
"""Fetches the texts that `gen train` and `mojika-proof detect` read: Debian packages with text in many languages.

usage: scripts/fetch-training-texts.py DIR [PACKAGES]

Downloads each package (or takes its .deb from the folder PACKAGES), unpacks it in a scratch folder and writes
DIR/SET/PACKAGE_VERSION/LANGUAGE.txt, in UTF-8 and form NFC, one message, paragraph or name a line. Of other packages it
writes DIR/kinds/SET/PACKAGE_VERSION/KIND/NAME: source code, copyright files, languages without a model, binary files and
so on (scripts/training_kinds.py). The sets are

  train      what `gen train` counts
  tune       what constants of the detector were chosen by
  held-out   what accuracies are stated for; no decision was made by them

A package is in one set only. Packages whose folder exists are skipped. About 640 MB are downloaded. Nothing is installed.

The files of the public suites for detectors (scripts/label-suites.py) are not trained on. So vim-runtime is no source, nor
are hunspell-*, hyphen-* and mythes-*, which are built from LibreOffice's dictionaries, nor lists of words that share their
origin: German, Catalan, Danish, Dutch, Norwegian, Portuguese, Bulgarian, Ukrainian and Polish.

A language in two scripts has a file for each: sr is Cyrillic and sr_Latn Latin, uz is Latin and uz_Cyrl Cyrillic. Of tt
and ku, only Cyrillic and Latin lines are kept. Left out are lines without letters, and lines in English among those of
another language.
"""
import ast, glob, gzip, html, os, re, struct, subprocess, sys, tempfile, unicodedata, zipfile

import training_kinds


def prefixed(prefix, names):
    return [prefix + name for name in names.split()]


TRAIN = """gimp-data vlc-l10n audacity-data inkscape gnucash-common evolution-common git gcc-12-locales
libreoffice-help-ja libreoffice-help-ko libreoffice-help-zh-cn libreoffice-help-zh-tw manpages-ja manpages-zh
geany-common totem-common iso-codes unicode-cldr-core kgeography-data libkf5kdelibs4support-data shared-mime-info
gnome-desktop3-data tuxpaint-data libkf5i18n-data kio kate5-data okular plasma-desktop-data libgtk-3-common
gnome-shell-common xkb-data cinnamon-l10n debian-handbook python3-fake-factory tzdata keyboard-configuration wfaroese
wirish wfrench witalian wswedish wesperanto wamerican fortunes fortunes-eo""".split()
TRAIN += prefixed("fortunes-", "bg br cs de ga it ru zh") + prefixed("maint-guide-", "ca fr it ru vi zh-cn zh-tw")
TRAIN += prefixed("dict-freedict-", """afr-eng ara-eng bre-fra cym-eng dan-eng hrv-eng isl-eng kur-deu kur-eng lit-eng mkd-bul
nno-nob oci-cat pol-deu slv-eng tur-eng gle-eng ell-fra epo-eng por-fra fin-deu""")
TRAIN += prefixed("firefox-esr-l10n-", """en-gb af an ast az be br cy dsb eo et fur fy-nl ga-ie gd he hsb ia is kk lij lt lv
mk ms oc rm sc sq tg tl ur uz""")
TRAIN += prefixed("libreoffice-l10n-", "af ast br cy ga gd is kk kmr mk mn oc tg ug uz")
TUNE = """aptitude-common gnome-user-docs dpkg apt coreutils gnupg-l10n pidgin-data hexchat-common
util-linux-locales libglib2.0-data nautilus-data gedit-common debian-faq-ko debian-reference-ja
debian-reference-zh-cn debian-reference-zh-tw manpages-de manpages-fr manpages-pl manpages-ru manpages-uk
manpages-cs manpages-es manpages-it manpages-hu manpages-tr manpages-ro manpages-el thunar-data mate-desktop-common
python3-phonenumbers exim4-config postfix wspanish gucharmap kalzium-data""".split()
TUNE += prefixed("fortunes-", "pl es") + prefixed("dict-freedict-", "hun-eng slk-eng swe-fra ita-bul nld-eng")
HELD_OUT = """wesnoth-1.16-data installation-guide-amd64 digikam-data freeciv-data gnumeric-common gramps
kdevelop-l10n""".split()
KINDS = {
    "train": """manpages-dev libboost1.74-dev units perl-doc fvwm nethack-common libgtk2.0-common libx11-doc
xscreensaver-data krb5-doc hwdata pci.ids usb.ids groff debian-policy""".split(),
    "tune": """netpbm tcl8.6-doc octave-common sbcl-source evolution-data-server-common postgresql-doc-15 apache2-doc
texlive-latex-recommended ieee-data gpsbabel-doc""".split(),
    "held-out": """emacs-el maxima-share erlang-src gnuplot-data gnome-control-center-data ghostscript-doc
imagemagick-6-common lilypond-data scite""".split(),
}
LANGUAGES = """cs sk pl hu sl hr ro fr de es pt it sv da nb fi is nl ca tr lt lv et vi
el he ar fa ru uk bg sr mk be th ja ko zh_CN zh_TW en ga sq bs eu gl kk mt cy eo
af an ast az ba br crh dsb fo fur fy gd hsb ia id ku ky lb lij mi mn ms nds oc rm sc se sw tg tk tl tt ug ur uz wa
yi yo sr_Latn uz_Cyrl""".split()
# What else sources call a language, names of files among them.
NAMES = dict(pair.split("=") for pair in """no=nb nn=nb kmr=ku kmr_latin=ku fil=tl zh=zh_CN zh_hans=zh_CN zh_hant=zh_TW
zh_hk=zh_TW zh_mo=zh_TW zh_tw=zh_TW sr_latin=sr_Latn uz_cyrillic=uz_Cyrl uz_latn=uz ca_valencia=ca be_tarask=be
french=fr italian=it swedish=sv spanish=es esperanto=eo american_english=en faroese=fo irish=ga
brasil=pt tang300=zh_CN song100=zh_CN chinese=zh_CN fortunes=en
afr=af ara=ar bre=br cym=cy dan=da hrv=hr isl=is kur=ku lit=lt mkd=mk nno=nb oci=oc pol=pl slv=sl tur=tr gla=gd gle=ga
ell=el epo=eo por=pt ces=cs srp=sr hun=hu slk=sk swe=sv ita=it nld=nl fin=fi""".split())
# The files of the Cyrillic and of the Latin lines of languages that have sources in several scripts.
SCRIPTS = {"sr": ("sr", "sr_Latn"), "sr_Latn": ("sr", "sr_Latn"), "uz": ("uz_Cyrl", "uz"), "uz_Cyrl": ("uz_Cyrl", "uz"),
           "tt": ("tt", None), "ku": (None, "ku")}
ELEMENTS = """language|territory|script|variant|displayName|month|day|quarter|exemplarCity|unitPattern|annotation|type|era|relative\
|relativeTimePattern|keyName|subdivision|dayPeriod|codePattern|long|standard|generic|daylight"""
# Common words of English that few other languages have.
ENGLISH = set("the of and to your this with not are from that which by you".split())
MOST = 1_200_000  # bytes of a package in a language
MOST_OF_LIST = 300_000  # bytes of a list of words


def language(code):
    """The name of the file of a language, or None."""
    full = re.sub("[-@]", "_", re.split(r"\.(?:UTF-8|utf8)", code)[0]).lower()
    if full not in NAMES and (found := re.search("_(latn|cyrl|latin|arab|iqtelif|deva|shaw|ijekavian|mong|olck|adlm)", full)):
        found = full[:found.start()] + "_" + found[1].title()
    else:
        found = NAMES.get("_".join(full.split("_")[:2]), full.split("_")[0])
        found = NAMES.get(found, found)
    return found if found in LANGUAGES else None


def text_of(path):
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        # Some lists of words are in Latin-1.
        return data.decode("utf-8" if re.search(rb"[\x80-\x9f]", data) else "latin-1", "ignore")


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
                yield re.sub(r"[_&]|~(?=\w)", "", form.decode("utf-8", "ignore"))


def plain(text):
    text = re.sub(r"(?s)<(script|style|head)\b.*?</\1>|<[^>]*>", " ", text)
    return html.unescape(text)


def manual(text):
    lines = (line for line in text.split("\n") if not line.startswith((".\\\"", "'")))
    text = "\n".join(re.sub(r"^\.[A-Za-z]+ ?", "", line) for line in lines)
    return re.sub(r"\\f.|\\\(..|\\[&|^%c]|\\", "", text)


def words(text):
    """The words of a list, or the headwords of a dictionary's index: so many bytes from all over it, twenty a line."""
    words = list(dict.fromkeys(re.split("[\t/]", line)[0] for line in text.split("\n") if not line.startswith("00")))
    words = words[::sum(len(word.encode("utf-8", "ignore")) + 1 for word in words) // MOST_OF_LIST + 1]
    return [" ".join(words[at:at + 20]) for at in range(0, len(words), 20)]


def names(text):
    """Words in XML of locale data: names of languages, countries, cities, units and signs."""
    found = re.findall(rf"<({ELEMENTS})\b[^>]*>([^<>]+)</", text)
    parts = (part for name, value in found for part in value.split("|" if name == "annotation" else "\n"))
    return [html.unescape(part).replace("{0}", "5") for part in parts]


def interface(path):
    """The messages of an archive of Fluent and property files."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith((".ftl", ".properties")):
                for line in archive.read(name).decode("utf-8", "ignore").split("\n"):
                    if not line.startswith("#"):
                        yield re.sub(r"\{[^}]*\}?|%\d?\$?S|\\n", " ", re.sub(r"^\s*[\w.-]+\s*=|^\s*\*?\[\w+\]", "", line))


def literals(text):
    """The strings of a Python module."""
    strings = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return [text for text in strings if isinstance(text, str) and not re.search(r"\{\{|[#?]{2}|\\|^[a-z_.]*$|@", text)]


def fields(text):
    """(language, lines) of the templates of debconf."""
    for code, value in re.findall(r"(?m)^(?:Description|Choices)-([\w@-]+)\.UTF-8: (.*(?:\n .*)*)", text):
        yield code, value.split("\n")


def places(text):
    """(language, names) of the places in geographical data of telephone numbers."""
    for code, name in re.findall(r"'([a-z]{2}(?:_Hant)?)': u?\(?u?('(?:[^'\\]|\\.)*'|\"[^\"]*\")", text):
        yield code, [ast.literal_eval(name)]


# The formats by the path of a file, and their readers. Group 1 is the language; without it, a reader yields pairs.
FORMATS = [
    (r"/(?:locale|translations|resource)/([^/]+)/LC_MESSAGES/.*\.mo$", messages),
    (r"/langpack-([\w-]+)@[^/]*\.xpi$", interface),
    (r"/cldr/common/(?:main|annotations|subdivisions)/(\w+)\.xml$", names),
    (r"/faker/providers/\w+/(\w+)/__init__\.py$", literals),
    (r"/phonenumbers/geodata/data\d+\.py$", places),
    (r"/DEBIAN/templates$", fields),
    (r"/share/dict/([a-z-]+)$", words),
    (r"/dictd/freedict-([a-z]{3})-[a-z]{3}\.index$", words),
    (r"/games/fortunes/([a-z]{2})/[\w-]+(?:\.fortunes)?$", str),
    (r"/games/(?:fortunes/)?(brasil|tang300|song100|chinese|fortunes)(?:/[\w-]+)?$", str),
    (r"/share/man/([^/]+)/man\d/.*\.gz$", manual),
    (r"/(?:help|HTML|installation-guide-[^/]+|debian-handbook/html)/([^/]+)/.*\.(?:page|docbook|html)$", plain),
    (r"/(?:faq|debian-reference|doc)/.*\.([a-z]{2}(?:-[a-z]{2})?)\.(?:html|txt)(?:\.gz)?$", plain),
]


def texts(root):
    """(language, lines) of each file under root that holds text."""
    for path in sorted(glob.glob(glob.escape(root) + "/**/*", recursive=True)):
        if os.path.islink(path) or not os.path.isfile(path):
            continue
        for pattern, reader in FORMATS:
            if found := re.search(pattern, path[len(root):]):
                read = reader(path if reader in (messages, interface) else text_of(path))
                read = read.split("\n") if isinstance(read, str) else read
                yield from [(found[1], read)] if found.groups() else read
                break


def is_wanted(line, code):
    """True if the line has letters and is not English in a text of another language."""
    if len(line) < 2 or re.search("[\0-\x1f\x7f-\x9f\ufffd]", line) or not any(map(str.isalpha, line)):
        return False
    if code == "en" or re.search("[^\\W\\d_a-zA-Z]", line):
        return True
    words = re.findall("[a-z]+", line.lower())
    found = ENGLISH.intersection(words)
    return "the" not in found and (len(found) < 2 or len(found) < 3 and len(found) * 8 < len(words))


def file_of(code, line):
    """The file that a line in a language belongs in, by its script, or None."""
    if code not in SCRIPTS:
        return code
    of_script = [len(re.findall(letters, line)) * 2 > sum(map(str.isalpha, line)) for letters in ("[Ѐ-ӿ]", "[A-Za-zÀ-ɏ]")]
    return SCRIPTS[code][of_script.index(True)] if any(of_script) else None


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
    subprocess.run(["dpkg", "-e", found[0], root + "/DEBIAN"], check=True)
    return found[0].rsplit("/", 1)[1].split("_")[1].replace("%3a", ":"), root


def write_texts(root, into, english):
    """Writes into/LANGUAGE.txt; the number of languages and of bytes. The files of the pattern `english` are the source."""
    collected = {}
    for code, lines in texts(root):
        if not (code := language(code)):
            continue
        for line in lines:
            line = unicodedata.normalize("NFC", " ".join(line.split()))
            if not (file := file_of(code, line)):
                continue
            seen, size = collected.setdefault(file, ({}, [0]))
            if size[0] < MOST and line not in seen and is_wanted(line, code):
                seen[line] = None
                size[0] += len(line.encode("utf-8", "ignore"))
    source = set(collected.get("en", ({}, 0))[0])
    for path in glob.glob(english):
        source.update(open(path, encoding="utf-8").read().split("\n"))
    total = 0
    for code, (seen, _) in sorted(collected.items()):
        text = "".join(line + "\n" for line in seen if code == "en" or line not in source).encode("utf-8", "ignore")
        # A catalogue in a legacy encoding leaves nothing of its letters.
        if len(text) < 500:
            continue
        os.makedirs(into, exist_ok=True)
        with open(f"{into}/{code}.txt", "wb") as output:
            total += output.write(text)
    return len(collected), total


def main():
    target, source = sys.argv[1], (sys.argv[2:] or [None])[0]
    kinds = [name for packages in KINDS.values() for name in packages]
    packages = TRAIN + TUNE + HELD_OUT + kinds
    assert len(packages) == len(set(packages)), "a package is in two sets"
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
                source_text = re.sub("-l10n-.*", "-l10n-en*/en.txt", f"{folder}/{package}")
                print(use, package, version, "%d languages %d" % write_texts(root, into, source_text))


main()
