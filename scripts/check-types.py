#!/usr/bin/env python3
"""Checks types: the stubs of the wheel and bindings/python/tests/typed.py in the strict mode of mypy and pyright, and the Python blocks of
docs/ENGINES.md.

    scripts/check-types.py      # with the Python that has the wheel, the engines, mypy and pyright

It fails at what either reports, except for the namespaces that polars adds to its classes at run time, which neither can know.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What both say of a namespace of polars.
NAMESPACE = re.compile(r'"mojika" for class "Expr"|"Expr" has no attribute "mojika"|Attribute "mojika" is unknown')


def pyright(folder):
    """What pyright reports of the files in a folder."""
    environment = os.environ | {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "."]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"check-types: pyright does not run:\n{done.stdout}{done.stderr}")
    if not found["summary"]["filesAnalyzed"]:
        sys.exit("check-types: pyright looks at no file")
    for one in found["generalDiagnostics"]:
        if one["severity"] == "error":
            yield f"{one['file']}:{one['range']['start']['line'] + 1}: {one['message']}"


def mypy(folder, *options):
    """What mypy reports of the files in a folder."""
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--no-error-summary", *options, "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.stderr:
        sys.exit(f"check-types: mypy does not run:\n{done.stderr}")
    return [line for line in done.stdout.splitlines() if ": error: " in line]


def main():
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/ENGINES.md").read_text(encoding="utf-8"), re.M | re.S)
    if len(blocks) < 8:
        sys.exit("check-types: the blocks are not where they are looked for")
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        docs, stubs = folder / "docs", folder / "stubs"
        docs.mkdir()
        for number, block in enumerate(blocks, 1):
            (docs / f"block_{number}.py").write_text(block, encoding="utf-8")
        (stubs / "mojika").mkdir(parents=True)
        for stub in (ROOT / "bindings/python/mojika").glob("*.pyi"):
            shutil.copy(stub, stubs / "mojika")
        shutil.copy(ROOT / "bindings/python/tests/typed.py", stubs)
        (stubs / "pyrightconfig.json").write_text('{"strict": ["."], "reportMissingTypeStubs": false}')
        errors += [*pyright(docs), *mypy(docs), *pyright(stubs), *mypy(stubs, "--strict")]
    errors = [error for error in errors if not NAMESPACE.search(error)]
    if errors:
        sys.exit("check-types: " + "\n".join(errors))
    print(f"check-types: the stubs and {len(blocks)} blocks have no errors in mypy and pyright")


if __name__ == "__main__":
    main()
