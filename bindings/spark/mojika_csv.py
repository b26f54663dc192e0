"""Rows of CSV files in any encoding as batches of Arrow, and aside the rows that do not fit."""

import mojika_files

# What stands before the columns of a CSV. Folders of tables are named after the first, and readers leave out folders that begin with
# "_". For bad rows, the number in the file from 1, the reason and the row.
CSV_SCHEMA = "kind string, _path string, _row long, _error string, _raw string"


def arrow_schema(ddl):
    """The Arrow schema of columns as Spark's DDL names them: "name string, value long"."""
    import pyarrow as pa

    types = {
        "string": pa.string(), "long": pa.int64(), "bigint": pa.int64(), "int": pa.int32(), "double": pa.float64(),
        "float": pa.float32(), "boolean": pa.bool_(), "date": pa.date32(), "timestamp": pa.timestamp("us", "UTC"),
    }
    fields = []
    for column in filter(None, (column.strip() for column in ddl.split(","))):
        name, _, kind = column.rpartition(" ")
        name = name.strip().strip("`")
        if not name or kind.lower() not in types:
            raise ValueError(f"no column with a type: {column!r}; types are {', '.join(types)}")
        fields.append((name, types[kind.lower()]))
    return pa.schema(fields)


def check_columns(ddl):
    """Refuses a column that has the name of one of `CSV_SCHEMA`."""
    taken = {name.lower() for name in arrow_schema(CSV_SCHEMA).names} & {name.lower() for name in arrow_schema(ddl).names}
    if taken:
        raise ValueError(f"the output has a column {taken.pop()} of its own: name that of the CSV otherwise, with --no-header")


def quoted(ddl):
    """The same DDL with names in backquotes, as Spark asks for names beyond ASCII."""
    arrow_schema(ddl)
    columns = (column.strip().rpartition(" ") for column in ddl.split(",") if column.strip())
    return ", ".join(f"`{name.strip().strip('`')}` {kind}" for name, _, kind in columns)


def csv_batches(path, encoding, errors, schema, confidence=0.9, storage_options=None, delimiter=",", header=True):
    """Batches of the rows of a CSV with the columns of a schema, and of its bad rows: of another number of fields, and with values
    that are not of the type of their column. A file that cannot be read or decoded, or has other columns, is one bad row."""
    import mojika
    import pyarrow as pa
    from pyarrow import csv

    whole = pa.schema([*arrow_schema(CSV_SCHEMA), *schema])
    bad = []

    def batch_of_bad():
        rows = [{"kind": "bad", "_path": path, **row} for row in bad]
        bad.clear()
        return pa.RecordBatch.from_pylist(rows, schema=whole)

    invalid = []

    def on_invalid(row):
        invalid.append(row.number)
        error = f"{row.actual_columns} fields, not {row.expected_columns}"
        bad.append({"_row": row.number, "_error": error, "_raw": row.text})
        return "skip"

    try:
        with mojika_files.opened(path, storage_options) as raw, mojika.open(raw, encoding, errors, confidence=confidence) as file:
            names = None if header else schema.names
            reader = csv.open_csv(
                mojika_files.checked(file, errors),
                read_options=csv.ReadOptions(use_threads=False, column_names=names),
                parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=on_invalid),
                convert_options=csv.ConvertOptions(column_types={name: pa.string() for name in schema.names}, strings_can_be_null=False),
            )
            if reader.schema.names != schema.names:
                raise ValueError(f"its columns are {', '.join(reader.schema.names)}")
            # The next row, counted with the header and those that were skipped.
            done = int(header)
            for batch in reader:
                numbers, skipped = [], set(invalid)
                while len(numbers) < batch.num_rows:
                    done += 1
                    if done not in skipped:
                        numbers.append(done)
                columns, wrong = [], {}
                for field, column in zip(schema, batch.columns):
                    columns.append(_cast(column, field, wrong))
                good = pa.array([at not in wrong for at in range(batch.num_rows)], pa.bool_())
                texts = batch.to_pydict() if wrong else {}
                for at, error in sorted(wrong.items()):
                    raw_row = delimiter.join(texts[name][at] or "" for name in schema.names)
                    bad.append({"_row": numbers[at], "_error": error, "_raw": raw_row})
                same = [pa.array([value] * batch.num_rows, pa.string()) for value in ("row", path)]
                nulls = [pa.nulls(batch.num_rows, pa.string())] * 2
                rows = pa.RecordBatch.from_arrays([*same, pa.array(numbers, pa.int64()), *nulls, *columns], schema=whole)
                yield rows.filter(good)
                if bad:
                    yield batch_of_bad()
    except (OSError, ValueError, LookupError) as error:
        # pyarrow's errors are of these types, too.
        bad.append({"_error": f"{type(error).__name__}: {error}"})
    if bad:
        yield batch_of_bad()


def _cast(column, field, wrong):
    """A column of text as one of a type: null where it is empty, and where it has another value, which is noted in `wrong`."""
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_string(field.type):
        return column
    text = compute.utf8_trim_whitespace(column)
    text = compute.if_else(compute.equal(text, ""), pa.scalar(None, pa.string()), text)
    try:
        return text.cast(field.type)
    except pa.ArrowInvalid:
        pass
    values = []
    for at, value in enumerate(text):
        try:
            values.append(value.cast(field.type).as_py())
        except pa.ArrowInvalid:
            wrong.setdefault(at, f"column {field.name}: {value.as_py()!r} is not of the type {field.type}")
            values.append(None)
    return pa.array(values, field.type)
