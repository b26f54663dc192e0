"""What an unpacked package has of the kinds of documents that messages and manuals lack (docs/DETECTION.md).

signs   documents in English with few characters beyond ASCII: source code, copyright files, changelogs, configuration,
        manual pages, pages; in UTF-8
latin   messages in languages of the Latin script that the detector has no model of; in UTF-8, one a line
binary  the beginnings of files that are no text
"""
import gzip, os, re, zlib

# What a name says a document is.
FORMS = [
    ("copyright", r"/copyright$"),
    ("changelog", r"/(changelog|changes|news|history)[^/]*$"),
    ("people", r"/(authors|thanks|credits|maintainers|contributors)[^/]*$"),
    ("code", r"\.(h|hpp|hh|c|cc|cpp|py|pl|pm|el|tcl|f|f90|lisp|erl|hrl|js|java|m|mac|r|sql|sh|ps|lua|scm)$"),
    ("configuration", r"/etc/[^.]*$|\.(conf|cfg|ini|cnf|rc|desktop|units|ids|map|dat|csv|tsv|xml|json|ya?ml)$"),
    ("page", r"\.(html?|tex|texi|txt|sgml|md|rst|bib)$|/share/man/man\d/[^/]*$|/readme[^/]*$"),
]
BINARY = """png gif jpg jpeg ico bmp tif tiff webp pdf gz xz bz2 zip jar whl so o a pyc mo qm ttf otf woff woff2 pfb pcf psf
wav ogg mp3 mid au class db sqlite dll exe elc wasm fas tga xpm.gz""".split()
MOST = {"signs": 120, "latin": 30, "binary": 15}  # files of a package: of a form, of all, of an ending
SIZE = 64 << 10  # bytes of a file

# Messages in these are no text in a language without a model: models, close varieties of them, and other scripts.
MODELLED = """ast bs ca cs da de en eo es et fi fr gl hr hu id is it lt lv ms nb nds nl nn no oc pl pt ro sk sl sq sr sv tr
vi ang la ia""".split()


def binary(path, data):
    """The ending that says that a file is no text, or None."""
    name = os.path.basename(path).lower()
    if data[:4] == b"\x7fELF":
        return "elf"
    found = next((ending for ending in BINARY if name.endswith("." + ending)), None)
    # Some of these endings are also those of text.
    return found if found and (b"\0" in data or found in ("pdf", "gz", "pfb")) else None


def signs(path, data):
    """The form and text of a document in English with few characters beyond ASCII, or None."""
    name = re.sub(r"\.(gz|in|\d[a-z]*)$", "", path.lower())
    form = next((form for form, pattern in FORMS if re.search(pattern, name)), None)
    if not form or b"\0" in data:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        # Letters beyond ASCII come singly in English: this is another language, or another encoding.
        if re.search("[^\0-\x7f]{4}", text):
            return None
    beyond = [character for character in text if character > "\x7f"]
    if not 0 < len(beyond) <= max(3, len(text) // 50) or "\ufffd" in beyond:
        return None
    try:
        # What is UTF-8 again was encoded twice.
        text.encode("cp1252").decode("utf-8")
        return None
    except UnicodeEncodeError:
        return None
    except UnicodeDecodeError:
        pass
    # English: enough of its commonest words.
    words = re.findall(r"[a-z]+", text.lower())
    common = sum(word in ("the", "of", "and", "to", "is", "in", "for", "a", "or", "be") for word in words)
    return (form, text) if form == "code" or common > len(words) // 50 else None


def latin(code, lines):
    """Messages in a language of the Latin script without a model, one a line, or None."""
    if "@" in code or re.split("[_.]", code)[0] in MODELLED:
        return None
    kept = []
    for line in lines:
        line = " ".join(line.split())
        try:
            line.encode("cp1252")
        except UnicodeEncodeError:
            continue
        if len(line) > 3:
            kept.append(line)
    letters = sum(character.isalpha() and character > "\x7f" for line in kept for character in line)
    return "\n".join(dict.fromkeys(kept)) if letters > 60 else None


def collect(root, into, messages):
    """Writes into/KIND/NAME for the files under root; `messages` reads a message catalogue."""
    counts = {}

    def write(kind, part, name, data):
        count = counts[kind, part] = counts.get((kind, part), 0) + 1
        if count <= MOST[kind]:
            os.makedirs(f"{into}/{kind}", exist_ok=True)
            with open(f"{into}/{kind}/{part}-{count:03}-{name}", "wb") as file:
                file.write(data[:SIZE] if kind == "binary" else data)

    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path) or not (data := open(path, "rb").read(4 << 20)):
                continue
            if found := re.search(r"/(?:locale|translations)/([^/]+)/LC_MESSAGES/.*\.mo$", path):
                if text := latin(found[1], messages(path)):
                    write("latin", found[1], name + ".txt", text.encode())
            if ending := binary(path, data):
                write("binary", ending, re.sub(r"[^\w.+-]", "_", name), data)
            if name.endswith(".gz"):
                try:
                    data = gzip.decompress(data)
                except (OSError, EOFError, zlib.error):
                    continue
            if len(data) <= 1 << 20 and (found := signs(path[len(root):], data)):
                form, text = found
                write("signs", form, re.sub(r"[^\w.+-]", "_", name) + ".txt", text.encode())
    return counts
