#!/usr/bin/env python3
"""Plants a sample of faults in a copy of the sources, all at once with a run-time switch, and says which no test notices.

    scripts/mutants.py AREA SEED COUNT [--fast]

scripts/check-mutants.sh calls it. What can be changed is cargo-mutants' list. Each mutant of the sample becomes a condition in
the copy, `crate::mutant(N)`, which is true where the variable MOJIKA_MUTANT has its number: the copy is built once, and the
tests of the area run once for each number. A mutant that these do not notice then meets all other tests of the library and
the command, unless --fast is given. What cannot be written as a condition (a field of a struct, a constant, an operator in a
macro or in a chain of `let`) or does not compile as one is left out, and the next of the list takes its place.

A test program is stopped at its first failure, and two mutants are tried at a time. Each result is written as it comes to
target/mutants/AREA-SEED-COUNT.json, so that the same command goes on where it was stopped, with the copy that was built, and
without --fast after --fast tries the other tests on what the area's own have missed. Without that file it begins anew.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import tree_sitter
import tree_sitter_rust

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = pathlib.Path(os.environ.get("MOJIKA_MUTANTS", ROOT / "target" / "mutants")).resolve()
TREE = WORK / "tree"
# The sources as they were when the sample was drawn: they may change while it is built.
SOURCE = WORK / "source"
# Seconds of processor time that a test program and what it starts may take, and seconds in which it takes none: however busy the
# machine is, neither passes sooner.
MOST_SECONDS, IDLE_SECONDS = 300, 60
BUILDING = {"CARGO_TARGET_DIR": str(WORK / "build"), "CARGO_PROFILE_DEV_DEBUG": "0", "RUSTFLAGS": "--cap-lints warn"}
PACKAGES = ["-p", "mojika", "-p", "mojika-sniff", *(word for name in ["convert", "edit", "mail", "names", "warc", "cli"] for word in ("-p", f"mojika-{name}")), "-p", "mojika-proof", "--all-features"]
SWITCH = """
#[doc(hidden)]
#[allow(missing_docs, dead_code)]
pub fn mutant(number: u32) -> bool {
    extern crate std;
    use std::sync::OnceLock;
    static CHOSEN: OnceLock<u32> = OnceLock::new();
    let chosen = || std::env::var("MOJIKA_MUTANT").ok().and_then(|text| text.parse().ok());
    *CHOSEN.get_or_init(|| chosen().unwrap_or(0)) == number
}
"""
# Where the switch is added. The proof has files of mojika-sniff in it.
SWITCHED = ("src/lib.rs", "cli/src/lib.rs", "tests/proof/src/lib.rs", *(f"crates/{name}/src/lib.rs" for name in ["sniff", "convert", "edit", "mail", "names", "warc"]))
# The examples in the documentation, which rustdoc compiles anew in each run.
DOCTESTS = "mojika:doctests"
# The sources of an area, and its test programs, the likeliest first: package, name and, perhaps, a part of the tests' names.
AREAS = {
    "detect": (["crates/sniff/src/detect/*", "crates/sniff/src/detect.rs"], ["mojika_sniff:detect", "mojika_sniff:sniff changes::", "mojika_sniff:lib"]),
    "sniff": (
        ["crates/sniff/src/*"],
        ["mojika_sniff:sniff", "mojika_sniff:lib", "mojika_sniff:detect", "mojika_cli:sniff"],
    ),
    "job": (["crates/convert/src/job/*"], ["mojika_convert:lib job::", "mojika_cli:words", "mojika_cli:command", "mojika_cli:archivist", "mojika_cli:hostile"]),
    "command": (
        ["cli/src/*.rs", "crates/convert/src/*.rs", "crates/convert/src/decide/*", *(f"cli/src/{part}/*" for part in ["args", "bulk", "completions", "detect", "stream"])],
        ["mojika_cli:words", "mojika_cli:command", "mojika_cli:sniff", "mojika_cli:lib", "mojika_convert:lib"],
    ),
    "archives": (["crates/warc/src/*"], ["mojika_warc:lib", "mojika_cli:warc", "mojika_cli:words"]),
    "archivist": (
        ["cli/src/iconv/*", "crates/mail/src/*", "crates/names/src/*", "crates/convert/src/declared/*", "crates/convert/src/repair/*"],
        ["mojika_cli:archivist", "mojika_cli:lib", "mojika_convert:lib", "mojika_mail:lib", "mojika_names:lib"],
    ),
    "engine": (["crates/convert/src/engine/*"], ["mojika_convert:lib engine::", "mojika_cli:command"]),
    "edit": (["crates/edit/src/*"], ["mojika_edit:edit", "mojika_edit:lib", "mojika_cli:command edit::"]),
    "io": (["src/io/*"], ["mojika:io", "mojika:lib io::"]),
    "offsets": (["src/offsets/*"], ["mojika:codec offsets::", "mojika:lib offsets::"]),
    "extended": (["src/extended/*"], ["mojika:codec extended", "mojika:lib extended::", "mojika:codec", "mojika:rules", "mojika_proof:quick"]),
    "codec": (["src/codec/*", "src/decoder/*", "src/decoder.rs", "src/encoder/*", "src/encoder.rs", "src/tables/*"], ["mojika:rules", "mojika:lib codec::", "mojika:codec", "mojika_proof:quick"]),
    "api": (["src/*.rs", "src/mem/*", "src/one_shot/*", "src/web/*"], ["mojika:codec", "mojika:rules web_api::", "mojika:lib", DOCTESTS]),
}
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))


def area_of(file):
    """The first area that has this file."""
    return next((name for name, (patterns, _) in AREAS.items() if any(has(pattern, file) for pattern in patterns)), None)


def has(pattern, file):
    """Whether a pattern, from the root of the tree, names this file: `folder/*` is all below it, `folder/*.rs` its own files."""
    if pattern.endswith("/*"):
        return file.startswith(pattern[:-1])
    return file.count("/") == pattern.count("/") and fnmatch.fnmatchcase(file, pattern)


def candidates(area, seed):
    """The mutants of an area, or of all, in the order that the seed gives."""
    listed = WORK / "list.json"
    with open(listed, "w") as output:
        subprocess.run(["cargo", "mutants", "--workspace", "--list", "--json"], cwd=SOURCE, stdout=output, check=True)
    mutants = [one for one in json.loads(listed.read_text()) if area_of(one["file"]) and is_in(area, one)]
    mutants.sort(key=lambda one: one["name"])
    random.Random(seed).shuffle(mutants)
    return mutants


def is_in(area, mutant):
    """Whether a mutant is in an area, or at one of these places: files, or lines of files."""
    places = [mutant["file"], f"{mutant['file']}:{mutant['span']['start']['line']}"]
    return area in ("all", area_of(mutant["file"])) or any(place in area.split(",") for place in places)


class Source:
    """A file, and the conditions that go into it."""

    def __init__(self, file):
        self.bytes = (SOURCE / file).read_bytes()
        self.tree = PARSER.parse(self.bytes)
        lines = self.bytes.split(b"\n")
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.lines = lines
        self.edits = {}

    def place(self, at):
        """The byte at a line and a column, which counts characters."""
        line = self.lines[at["line"] - 1].decode()
        return self.starts[at["line"] - 1] + len(line[: at["column"] - 1].encode())

    def node(self, mutant):
        """The node that a mutant changes, or None if it cannot become a condition."""
        start, end = self.place(mutant["span"]["start"]), self.place(mutant["span"]["end"])
        node = self.tree.root_node.descendant_for_byte_range(start, end)
        genre = mutant["genre"]
        if genre == "FnValue":
            while node and node.type != "block":
                node = node.parent
            function = node and node.parent
            if not function or function.type != "function_item":
                return None
            head = self.bytes[function.start_byte : node.start_byte]
            return None if b"const fn" in head else node
        kinds = {
            "BinaryOperator": ("binary_expression", "compound_assignment_expr"),
            "UnaryOperator": ("unary_expression",),
            "MatchArm": ("match_arm",),
            "MatchArmGuard": ("match_arm",),
        }.get(genre, ())
        while node and node.type not in kinds:
            node = node.parent
        if node and genre == "BinaryOperator":
            operator = node.child_by_field_name("operator")
            if operator is None or operator.start_byte != start:
                return None
        return node if node and kinds else None

    def add(self, number, mutant):
        node = self.node(mutant)
        if node is None:
            return False
        key = (node.start_byte, node.end_byte)
        self.edits.setdefault(key, (node, []))[1].append((number, mutant))
        return True

    def write(self, path):
        """Writes the file with its conditions; returns where each of them is."""
        places = []
        output = self.text(0, len(self.bytes), None, places)
        path.write_bytes(output)
        return places

    def text(self, start, end, within, places, base=0):
        """The text of a range, with the conditions in it, the outermost around the others."""
        inner = [key for key in self.edits if start <= key[0] and key[1] <= end and key != within]
        outer = [key for key in inner if not any(other != key and other[0] <= key[0] and key[1] <= other[1] for other in inner)]
        output, at = b"", start
        for key in sorted(outer):
            output += self.bytes[at : key[0]]
            piece = self.condition(key)
            for number, _ in self.edits[key][1]:
                places.append((base + len(output), base + len(output) + len(piece), number))
            output += piece
            at = key[1]
        return output + self.bytes[at:end]

    def condition(self, key):
        node, mutants = self.edits[key]
        genre = mutants[0][1]["genre"]
        lost = []
        part = lambda child: self.text(child.start_byte, child.end_byte, key, lost)
        if genre == "FnValue":
            body = self.text(node.start_byte + 1, node.end_byte, key, lost)
            values = [f" if crate::mutant({number}) {{ return {mutant['replacement']}; }}" for number, mutant in mutants]
            return b"{" + "".join(values).encode() + body
        if genre == "BinaryOperator":
            left, right = part(node.child_by_field_name("left")), part(node.child_by_field_name("right"))
            operator = self.bytes[node.child_by_field_name("operator").start_byte : node.child_by_field_name("operator").end_byte]
            output = b"{ " + left + b" " + operator + b" " + right + b" }"
            for number, mutant in mutants:
                other = b"{ " + left + b" " + mutant["replacement"].encode() + b" " + right + b" }"
                output = f"{{ if crate::mutant({number}) ".encode() + other + b" else " + output + b" }"
            return b"(" + output + b")"
        if genre == "UnaryOperator":
            operand = self.text(node.start_byte + 1, node.end_byte, key, lost)
            whole = self.bytes[node.start_byte : node.start_byte + 1] + operand
            return f"(if crate::mutant({mutants[0][0]}) {{ ".encode() + operand + b" } else { " + whole + b" })"
        pattern = node.child_by_field_name("pattern")
        guard = pattern.child_by_field_name("condition")
        rest = self.text(pattern.end_byte, node.end_byte, key, lost)
        head = self.bytes[node.start_byte : (guard.start_byte if guard else pattern.end_byte)].decode()
        test = "(" + part(guard).decode() + ")" if guard else "true"
        if not guard:
            head += " if "
        for number, mutant in mutants:
            is_true = mutant["genre"] == "MatchArmGuard" and mutant["replacement"] == "true"
            test = f"(crate::mutant({number}) || {test})" if is_true else f"(!crate::mutant({number}) && {test})"
        return (head + test).encode() + rest


def copy_tree():
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    names = {name for name in files.decode().split("\0") if name and (ROOT / name).is_file()}
    for here, there in [(ROOT, SOURCE), (SOURCE, TREE)]:
        there.mkdir(parents=True, exist_ok=True)
        # What is no longer a file of the project.
        for path in [path for path in there.rglob("*") if path.is_file()]:
            if str(path.relative_to(there)) not in names:
                path.unlink()
        for name in names:
            source, target = here / name, there / name
            target.parent.mkdir(parents=True, exist_ok=True)
            # What is the same keeps its time, by which cargo builds it again or not.
            if not target.exists() or source.read_bytes() != target.read_bytes():
                shutil.copy(source, target)
    for package in SWITCHED:
        path = TREE / package
        path.write_text((SOURCE / package).read_text() + SWITCH)


def cargo(*arguments):
    command = ["cargo", *arguments, "--message-format=json"]
    run = subprocess.run(command, cwd=TREE, env=os.environ | BUILDING, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith(b"{")]
    return run.returncode, lines, run.stderr.decode()


def plant(chosen):
    """Writes the conditions; returns the numbers that could be written, and their places by file."""
    sources, planted = {}, {}
    for number, mutant in chosen.items():
        source = sources.setdefault(mutant["file"], Source(mutant["file"]))
        if source.add(number, mutant):
            planted[number] = mutant
    places = {}
    for file, source in sources.items():
        path = TREE / file
        places[file] = source.write(path)
        if file in SWITCHED:
            path.write_text(path.read_text() + SWITCH)
    return planted, places


def unviable(lines, places):
    """The numbers of the conditions that the compiler refuses."""
    found, after = set(), set()
    for line in lines:
        message = line.get("message") or {}
        if line.get("reason") != "compiler-message" or message.get("level") != "error":
            continue
        for span in every_span(message):
            for start, end, number in places.get(span["file_name"], []):
                if start <= span["byte_start"] < end or start < span["byte_end"] <= end:
                    found.add(number)
        # Where an arm of a `match` is gone, the compiler shows the `match`.
        for span in message.get("spans", []):
            following = [place for place in places.get(span["file_name"], []) if place[0] >= span["byte_end"]]
            if following:
                after.add(min(following)[2])
    return found or after


def every_span(message):
    spans = list(message.get("spans", []))
    for child in message.get("children", []):
        spans += every_span(child)
    for span in list(spans):
        while span.get("expansion"):
            span = span["expansion"]["span"]
            spans.append(span)
    return spans


def build(order, count):
    """Plants the first `count` that compile; returns them."""
    left = list(enumerate(order, 1))
    chosen, refused = {}, 0
    while True:
        while len(chosen) < count and left:
            number, mutant = left.pop(0)
            chosen[number] = mutant
        chosen, places = plant(chosen)
        if len(chosen) < count and left:
            continue
        status, lines, errors = cargo("check", "-q", *PACKAGES)
        if status == 0:
            return chosen, refused
        bad = unviable(lines, places)
        if not bad:
            shown = [line["message"]["rendered"] for line in lines if line.get("reason") == "compiler-message"]
            sys.exit("the copy does not compile, and no mutant is at the place:\n" + "\n".join(shown[:5]) + errors)
        refused += len(bad)
        for file in {chosen[number]["file"] for number in bad}:
            shutil.copy(SOURCE / file, TREE / file)
            if file in SWITCHED:
                (TREE / file).write_text((SOURCE / file).read_text() + SWITCH)
        chosen = {number: mutant for number, mutant in chosen.items() if number not in bad}


def tests():
    """The test programs, by package and name, with the folders they run in."""
    status, lines, errors = cargo("test", "-q", "--no-run", *PACKAGES)
    if status != 0:
        sys.exit("the tests do not build:\n" + errors)
    programs = {}
    for line in lines:
        if line.get("reason") == "compiler-artifact" and line.get("executable") and line["profile"]["test"]:
            package = pathlib.Path(line["manifest_path"]).parent
            target = line["target"]
            # The folder's name: crates/convert is mojika_convert.
            folder = "mojika" if package == TREE else f"mojika_{package.name}"
            name = "lib" if "lib" in target["kind"] else target["name"]
            programs[f"{folder}:{name}"] = (line["executable"], package)
    # Last, as it takes the longest.
    programs[DOCTESTS] = (shutil.which("cargo"), TREE)
    return programs


def notices(program, number, part=""):
    """How a test program, or this part of it, fails with a mutant, and in which test; `None` if it does not. It ends there."""
    executable, folder = program
    # Tests that are stopped leave their folders.
    with tempfile.TemporaryDirectory(prefix="mojika-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None, ignore_cleanup_errors=True) as temporary:
        # Tests start the command as another user, who goes through this folder.
        os.chmod(temporary, 0o755)
        environment = dict(os.environ, MOJIKA_MUTANT=str(number), TMPDIR=temporary)
        arguments = part.split()
        if pathlib.Path(executable).name == "cargo":
            environment |= BUILDING
            arguments = ["test", "--doc", *PACKAGES]
        return noticed([executable, *arguments], folder, environment)


def noticed(command, folder, environment):
    run = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0)
    late = threading.Event()
    threading.Thread(target=watch, args=(run, late), daemon=True).start()
    failed = None
    # Of documentation there is more than one result.
    is_last = lambda line: line.startswith(b"test result: ") and "--doc" not in command
    for line in run.stdout:
        if line.rstrip().endswith(b"... FAILED"):
            failed = line.decode().removeprefix("test ").split(" ... ")[0]
        # What the tests have started may keep the pipe open after the last line.
        if failed or is_last(line):
            break
    if failed:
        end(run)
    is_bad = run.wait() != 0
    end(run)
    return ("timeout", "") if late.is_set() else ("caught", failed or "it ended early") if is_bad else None


def watch(run, late):
    """Ends a test program that takes too much processor time, or none for long."""
    most, since = 0, time.monotonic()
    while run.poll() is None:
        time.sleep(1)
        spent = seconds_of(run.pid)
        if spent > most:
            most, since = spent, time.monotonic()
        if most > MOST_SECONDS or time.monotonic() - since > IDLE_SECONDS:
            late.set()
            return end(run)


def seconds_of(group):
    """The processor time of a process group, in seconds."""
    ticks = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def end(run):
    try:
        os.killpg(run.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class State:
    """What is known of a sample, in a file."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.data = json.loads(path.read_text()) if path.exists() else {"sound": [], "results": {}}

    def save(self, change):
        with self.lock:
            change(self.data)
            draft = self.path.with_suffix(".draft")
            draft.write_text(json.dumps(self.data))
            draft.replace(self.path)


def outcome_of(mutant, number, programs, tried, fast):
    """Tries the programs that were not tried yet; returns the outcome and all that were tried."""
    first = AREAS[area_of(mutant["file"])][1]
    # The library's tests do not call the command. What takes the longest comes last.
    of_library = mutant["file"].startswith("src")
    others = [name for name in programs if name not in first and (of_library or name.startswith("mojika_cli"))]
    others.sort(key=lambda name: (name == DOCTESTS, name.startswith("mojika_proof"), name.startswith("mojika_cli")))
    for name in first if fast else first + others:
        program, _, part = name.partition(" ")
        if name in tried or program not in programs:
            continue
        if how := notices(programs[program], number, part):
            return f"{how[0]} by {name} ({how[1]})", tried
        tried = [*tried, name]
    return "missed", tried


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("area", help=f"{', '.join(AREAS)}, all, or files and lines of files, with commas between them")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--fast", action="store_true")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    name = options.area.replace("/", "+")[:100]
    state = State(WORK / f"{name}-{options.seed}-{options.count}.json")
    if "programs" not in state.data:
        copy_tree()
        order = candidates(options.area, options.seed)
        chosen, refused = build(order, options.count)
        print(f"{len(chosen)} of {len(order)} mutants of {options.area}, seed {options.seed}; {refused} do not compile", flush=True)
        built = {name: [executable, str(folder), os.path.getmtime(executable)] for name, (executable, folder) in tests().items()}
        state.save(lambda data: data.update(chosen={str(number): mutant for number, mutant in chosen.items()}, programs=built))
    chosen, programs = state.data["chosen"], {}
    for name, (executable, folder, time_built) in state.data["programs"].items():
        if not os.path.exists(executable) or os.path.getmtime(executable) != time_built:
            sys.exit(f"another sample has been built since: remove {state.path} to begin anew")
        programs[name] = (executable, folder)

    def is_sound(name):
        if name not in state.data["sound"]:
            if notices(programs[name], 0):
                return name
            state.save(lambda data: data["sound"].append(name))

    def judge(number):
        outcome, tried = state.data["results"].get(number, ("missed", []))
        if outcome == "missed":
            start = time.monotonic()
            outcome, tried = outcome_of(chosen[number], number, programs, tried, options.fast)
            state.save(lambda data: data["results"].update({number: [outcome, tried]}))
            print(f"{outcome} in {time.monotonic() - start:.1f} s: {chosen[number]['name']}", flush=True)
        return number, outcome

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        used = {name.split(" ")[0] for mutant in chosen.values() for name in AREAS[area_of(mutant["file"])][1]} if options.fast else programs
        if unsound := list(filter(None, pool.map(is_sound, used))):
            print(f"left out, as they fail without a mutant: {', '.join(unsound)}", flush=True)
        programs = {name: program for name, program in programs.items() if name not in unsound}
        # An area after the other, in the order above.
        order = sorted(chosen, key=lambda number: list(AREAS).index(area_of(chosen[number]["file"])))
        outcomes = dict(pool.map(judge, order))
    kinds = [outcome.split(" ")[0] for outcome in outcomes.values()]
    print(*(f"{kind} {kinds.count(kind)}" for kind in ["caught", "timeout", "missed"]), sep=", ")
    for number, outcome in outcomes.items():
        if outcome == "missed":
            print(f"\nmissed: {chosen[number]['name']}, number {number}\n{chosen[number]['diff']}")


main()
