# ruff: noqa: E501 - a case a line
"""Data sets: what is read, what is refused, and that a refusal names file and line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.tasks import DatasetError, load_dataset, parse_limit
from pytest_infergate.tasks.dataset import MAX_DEPTH


def load(folder: Path, name: str, content: str | bytes, limit: str | None = None):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return load_dataset(path, limit=parse_limit(limit) if limit else None)


def rows(folder: Path, name: str, content: str | bytes) -> list[tuple[int, dict]]:
    samples = load(folder, name, content).samples
    return [(int(sample.source.rpartition(":")[2]), dict(sample)) for sample in samples]


READ = [
    ("plain lines", "a.jsonl", '{"q":1}\n{"q":2}\n', [(1, {"q": 1}), (2, {"q": 2})]),
    ("no newline at the end", "a.jsonl", '{"q":1}', [(1, {"q": 1})]),
    ("the other suffix", "a.ndjson", '{"q":1}\n', [(1, {"q": 1})]),
    ("suffix in capitals", "A.JSONL", '{"q":1}\n', [(1, {"q": 1})]),
    ("dots in the name", "gsm8k.v1.1.jsonl", '{"q":1}\n', [(1, {"q": 1})]),
    ("a byte order mark is not data", "a.jsonl", '\ufeff{"q":1}', [(1, {"q": 1})]),
    ("CRLF", "a.jsonl", '{"q":1}\r\n{"q":2}\r\n', [(1, {"q": 1}), (2, {"q": 2})]),
    ("blank lines count and are no rows", "a.jsonl", '\n \t\r\n{"q":1}\n\n{"q":2}', [(3, {"q": 1}), (5, {"q": 2})]),
    ("U+2028 ends no line", "a.jsonl", '{"q":"a\u2028b"}\n', [(1, {"q": "a\u2028b"})]),
    ("nor U+2029, nor U+0085", "a.jsonl", '{"q":"a\u2029b\u0085"}', [(1, {"q": "a\u2029b\u0085"})]),
    ("nor form feed escaped", "a.jsonl", '{"q":"a\\u000cb\\u001c"}', [(1, {"q": "a\x0cb\x1c"})]),
    ("escaped pair is one character", "a.jsonl", '{"q":"\\ud83d\\ude00"}', [(1, {"q": "\U0001f600"})]),
    ("a backslash before ud800 is text", "a.jsonl", '{"q":"\\\\ud800"}', [(1, {"q": "\\ud800"})]),
    ("the deepest row", "a.jsonl", '{"q":' + "[" * 99 + "]" * 99 + "}", None),
    ("an empty file has no rows", "a.jsonl", "", []),
    ("blank lines alone are no rows", "a.jsonl", "\n\n", []),
    ("array", "a.json", '[{"q":1},{"q":2}]', [(1, {"q": 1}), (1, {"q": 2})]),
    ("array over lines", "a.json", '\n[\n{"q":\n1},\r\n\n {"q":2}\n]\n', [(3, {"q": 1}), (6, {"q": 2})]),
    ("array with a byte order mark", "a.json", '\ufeff[{"q":1}]', [(1, {"q": 1})]),
    ("empty array", "a.json", " [ ] ", []),
    ("blank .json", "a.json", "\n", []),
    ("csv", "a.csv", "q,gold\na,1\nb,2\n", [(2, {"q": "a", "gold": "1"}), (3, {"q": "b", "gold": "2"})]),
    ("csv: CRLF", "a.csv", "q,gold\r\na,1\r\n", [(2, {"q": "a", "gold": "1"})]),
    ("csv: lone CR", "a.csv", "q,gold\ra,1\r", [(2, {"q": "a", "gold": "1"})]),
    ("csv: a byte order mark is not in the header", "a.csv", "\ufeffq\na", [(2, {"q": "a"})]),
    ("csv: quoted newline, row named by its first line", "a.csv", 'q\n"a\nb"\nc\n', [(2, {"q": "a\nb"}), (4, {"q": "c"})]),
    ("csv: quoted CRLF stays", "a.csv", 'q\r\n"a\r\nb"\r\n', [(2, {"q": "a\r\nb"})]),
    ("csv: U+2028, U+0085, form feed end no row", "a.csv", "q\na\u2028b\u0085c\x0cd\n", [(2, {"q": "a\u2028b\u0085c\x0cd"})]),
    ("csv: blank lines are no rows", "a.csv", "q,g\n\n \na,1\n\n", [(4, {"q": "a", "g": "1"})]),
    ("csv: an empty field is a field", "a.csv", "q,g\n,\n", [(2, {"q": "", "g": ""})]),
    ("csv: quotes inside", "a.csv", 'q\n"say ""hi"""\n', [(2, {"q": 'say "hi"'})]),
    ("csv: an inch mark is text", "a.csv", 'q\n5" pipe\n', [(2, {"q": '5" pipe'})]),
    ("csv: a field beyond csv's own limit", "a.csv", "q\n" + "x" * 140_000, [(2, {"q": "x" * 140_000})]),
    ("csv: header alone", "a.csv", "q,gold\n", []),
    ("csv: empty file", "a.csv", "", []),
    ("tsv", "a.tsv", "q\tg\n1,5\t2\n", [(2, {"q": "1,5", "g": "2"})]),
    ("gzip", "a.jsonl.gz", gzip.compress(b'{"q":1}\n'), [(1, {"q": 1})]),
    ("gzipped csv", "a.csv.GZ", gzip.compress(b"q\n1\n"), [(2, {"q": "1"})]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "expected"), [case[1:] for case in READ], ids=[c[0] for c in READ]
)
def test_reads(tmp_path, name, content, expected):
    found = rows(tmp_path, name, content)
    assert found == expected if expected is not None else len(found) == 1


REFUSED = [
    ("torn last line", "a.jsonl", '{"q":1}\n{"q":2', ":2: unreadable JSON: Expecting ',' delimiter (column 7)"),
    ("trailing comma", "a.jsonl", '\n{"q":1,}', ":2: unreadable JSON"),
    ("two rows on a line", "a.jsonl", '{"q":1}{"q":2}', ":1: more text after the row (column 8)"),
    ("a pretty-printed object", "a.jsonl", '{\n"q":1}', ":1: unreadable JSON"),
    ("python's quotes", "a.jsonl", "{'q': 1}", ":1: unreadable JSON"),
    ("raw control character in a string", "a.jsonl", '{"q":"a\x01"}', ":1: unreadable JSON: Invalid control"),
    ("array row", "a.jsonl", '{"q":1}\n[1, 2]', ":2: the row is an array: [1, 2]; a row is an object"),
    ("string row", "a.jsonl", '"x"', ":1: the row is a string: 'x'"),
    ("null row", "a.jsonl", "null", ":1: the row is null"),
    ("number row", "a.jsonl", "3", ":1: the row is a number: 3"),
    ("boolean row", "a.jsonl", "true", ":1: the row is a boolean"),
    ("the same key twice", "a.jsonl", '{"q":1,"q":2}', ":1: the key 'q' stands twice in one object"),
    ("the same key twice, deeper", "a.jsonl", '{"q":[{"a":1,"a":1}]}', ":1: the key 'a' stands twice"),
    ("NaN", "a.jsonl", '{"q":1}\n\n{"q":NaN}', ":3: NaN is not JSON"),
    ("infinity", "a.jsonl", '{"q":-Infinity}', ":1: -Infinity is not JSON"),
    ("infinity by size", "a.jsonl", '{"q":1,"w":1e999}', ":1: the field 'w' holds a number"),
    ("integer nobody converts", "a.jsonl", '{"q":' + "1" * 5000 + "}", ":1: unreadable number"),
    ("too deep for us", "a.jsonl", '{"q":' + "[" * 100 + "]" * 100 + "}", ":1: the row is nested too deeply"),
    ("too deep for Python", "a.jsonl", '{"q":' + "[" * 200_000 + "]" * 200_000 + "}", ":1: the row is nested too deeply"),
    ("deep and torn", "a.jsonl", '{"q":' + "[" * 200_000, ":1: "),
    ("half a surrogate pair", "a.jsonl", '{"q":"\\udc00"}', ":1: a string holds half of a surrogate pair"),
    ("half a surrogate pair in a key", "a.jsonl", '{"\\ud800":1}', ":1: a string holds half of a surrogate pair"),
    ("Latin-1", "a.jsonl", b'{"q":1}\n{"q":"\xe9"}', ":2: byte b'\\xe9' is not UTF-8"),
    ("encoded surrogate", "a.jsonl", b'{"q":"\xed\xa0\x80"}', ":1: byte b'\\xed' is not UTF-8"),
    ("UTF-16", "a.jsonl", '{"q":1}'.encode("utf-16"), ":1: the file is UTF-16"),
    ("object in place of the array", "a.json", '{"data":[]}', ":1: the file begins with '{\"data\":[]}'; a .json data set is one array of objects"),
    ("JSON lines named .json", "a.json", '{"q":1}\n{"q":2}', "name it .jsonl"),
    ("array: a number row", "a.json", '[{"q":1},\n3]', ":2: the row is a number: 3"),
    ("array: the fault's own line", "a.json", '[{"q":1},\n{"q":\n1 2}]', ":3: unreadable JSON: Expecting ',' delimiter (column 3)"),
    ("array: trailing comma", "a.json", '[{"q":1},\n]', ":2: unreadable JSON: a row expected after ','"),
    ("array: no comma", "a.json", '[{"q":1}\n{"q":2}]', ":2: unreadable JSON: ',' or ']' expected"),
    ("array: torn after a row", "a.json", '[{"q":1}', ":1: unreadable JSON: ',' or ']' expected after a row, not the end"),
    ("array: torn at once", "a.json", "[", ":1: unreadable JSON"),
    ("array: a tail", "a.json", '[{"q":1}]\n[]', ":2: unreadable JSON: more text after the array"),
    ("array: an empty one with a tail", "a.json", "[] 1", ":1: unreadable JSON: more text after the array"),
    ("array: NaN", "a.json", '[\n{"q":NaN}]', ":2: NaN is not JSON"),
    ("array: bad byte", "a.json", b'[{"q":1},\n{"q":"\xff"}]', ":2: byte b'\\xff' is not UTF-8"),
    ("csv: too many fields", "a.csv", 'q,g\n"a\nb",1\n1,2,3\n', ":4: the row has 3 fields, the header 2 ('q', 'g')"),
    ("csv: too few fields", "a.csv", "q,g\n1\n", ":2: the row has 1 fields"),
    ("csv: a name twice", "a.csv", "q,g,q\n1,2,3", ":1: the header has 'q' twice"),
    ("csv: an empty name", "a.csv", "q,,g\n1,2,3", ":1: column 2 of the header has no name"),
    ("csv: a blank name", "a.csv", "q, \n1,2", ":1: column 2 of the header has no name"),
    ("csv: header after blank lines", "a.csv", "\n\nq,q\n1,2", ":3: the header has 'q' twice"),
    ("csv: an open quote", "a.csv", 'q\na\n"b\n\nc', ":3: unreadable row"),
    ("csv: text after a quote", "a.csv", 'q\n"a"b', ":2: unreadable row"),
    ("csv: NUL", "a.csv", "q\n1\x002", ":2: unreadable row"),
    ("csv: bad byte", "a.csv", b"q\na\n\xe9\n", ":3: byte b'\\xe9' is not UTF-8"),
    ("unknown suffix", "a.txt", "", ": unknown data-set suffix '.txt'; accepted: .csv, .csv.gz, .json,"),
    ("no suffix", "data", "", ": unknown data-set suffix ''"),
    ("gzip of an unknown kind", "a.parquet.gz", b"", ": unknown data-set suffix '.parquet.gz'"),
    ("not gzip at all", "a.jsonl.gz", "{}", ": not a whole gzip file"),
    ("torn gzip", "a.jsonl.gz", gzip.compress(b'{"q":1}')[:-9], ": not a whole gzip file"),
    ("gzip with a changed byte", "a.jsonl.gz", gzip.compress(b'{"q":1}')[:-6] + b"\0" * 6, ": not a whole gzip file"),
    ("id: a boolean", "a.jsonl", '{"id":true}', ":1: the id is True; accepted: a string or an integer"),
    ("id: a float", "a.jsonl", '{"id":1.0}', ":1: the id is 1.0"),
    ("id: null", "a.jsonl", '{"id":1}\n{"id":null}', ":2: the id is None"),
    ("id: blank", "a.jsonl", '{"id":" "}', ":1: the id is ' '"),
    ("id: empty in csv", "a.csv", "id,q\n1,a\n,b\n", ":3: the id is ''"),
    ("id: an escape sequence", "a.jsonl", '{"id":"a\\u001b[31m"}', ":1: the id 'a\\x1b[31m' holds a control character"),
    ("id: a newline", "a.jsonl", '{"id":"a\\nb"}', ":1: the id 'a\\nb' holds a control character"),
    ("id: twice", "a.jsonl", '{"id":"q7","gold":"12"}\n{"id":"q8"}\n{"id":"q7","gold":"15"}', ":3: the id 'q7' is that of line 1 too"),
    ("id: twice, identical rows", "a.jsonl", '{"id":"q7"}\n{"id":"q7"}', ":2: the id 'q7' is that of line 1 too"),
    ("id: the same when written out", "a.json", '[{"id":7},\n{"id":"7"}]', ":2: the id '7' is that of line 1 too"),
    ("id: only some, first without", "a.jsonl", '{"q":1}\n{"q":2}\n{"id":1}', ":1: the row has no 'id', the row of line 3 has one"),
    ("id: only some, first with", "a.jsonl", '{"id":1}\n{"id":2}\n{"q":2}\n{"q":3}', ":3: the row has no 'id', the row of line 1 has one"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "message"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_refuses_in_one_line_with_file_and_line(tmp_path, name, content, message):
    with pytest.raises(DatasetError) as caught:
        load(tmp_path, name, content)
    text = str(caught.value)
    assert text.startswith(f"{tmp_path / name}:")
    assert message in text
    assert "\n" not in text


def test_refuses_what_is_no_file(tmp_path):
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(DatasetError, match=r"folder\.jsonl: cannot be read: .*; a data set is a file$"):
        load_dataset(tmp_path / "folder.jsonl")
    with pytest.raises(DatasetError, match=r"none\.csv: cannot be read: No such file or directory"):
        load_dataset(tmp_path / "none.csv")


def test_ids_given_stay_and_are_text(tmp_path):
    samples = load(tmp_path, "a.jsonl", '{"id":"HumanEval/0"}\n{"id":7}\n{"id":"فارسی\u200cها"}').samples
    assert [sample.id for sample in samples] == ["HumanEval/0", "7", "فارسی\u200cها"]
    assert samples[1]["id"] == 7


def test_derived_ids_follow_the_content_and_identical_rows_get_an_ordinal(tmp_path):
    samples = load(tmp_path, "a.jsonl", '{"q":1,"g":2}\n{"q":3}\n{"g":2,"q":1}\n{"q":1,"g":2}').samples
    first, other, second, third = (sample.id for sample in samples)
    assert (second, third) == (f"{first}-2", f"{first}-3")
    assert other != first
    moved = load(tmp_path, "b.json", '[{"q":3},{"q":1,"g":2}]').samples
    assert [sample.id for sample in moved] == [other, first]


def test_digests_are_of_everything_the_eval_sees(tmp_path):
    one, two, three = load(
        tmp_path, "a.jsonl", '{"id":1,"q":"a"}\n{"id":2,"q":"a"}\n{"id":3,"q":"b"}'
    ).samples
    assert len({one.digest, two.digest, three.digest}) == 3
    again = load(tmp_path, "b.jsonl", '{"q":"a", "id":1}').samples[0]
    assert again.digest == one.digest


def test_a_limit_keeps_the_first_samples_and_still_checks_the_rest(tmp_path):
    content = '{"id":1}\n{"id":2}\n{"id":3}\n'
    dataset = load(tmp_path, "a.jsonl", content, limit="2")
    assert [sample.id for sample in dataset.samples] == ["1", "2"]
    assert dataset.total == 3
    assert len(load(tmp_path, "a.jsonl", content, limit="34%").samples) == 2
    with pytest.raises(DatasetError, match=":4: the id '1'"):
        load(tmp_path, "a.jsonl", content + '{"id":1}', limit="1")


def test_paths_in_rows_resolve_from_the_folder_of_the_file(tmp_path):
    assert load(tmp_path, "a.jsonl", '{"q":1}').samples[0].folder == tmp_path


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_ROWS = st.lists(st.dictionaries(st.text().filter(lambda key: key != "id"), _JSON, max_size=4), max_size=4)


@given(rows=_ROWS, ensure_ascii=st.booleans(), newline=st.sampled_from(["\n", "\r\n"]))
def test_any_rows_survive_json_lines_and_the_array(tmp_path_factory, rows, ensure_ascii, newline):
    folder = tmp_path_factory.mktemp("rows")
    lines = [json.dumps(row, ensure_ascii=ensure_ascii) for row in rows]
    as_lines = load(folder, "a.jsonl", newline.join(lines)).samples
    as_array = load(folder, "a.json", f"[{','.join(lines)}]").samples
    assert [dict(sample) for sample in as_lines] == rows
    assert [(s.id, s.digest) for s in as_array] == [(s.id, s.digest) for s in as_lines]
    assert len({sample.id for sample in as_lines}) == len(rows)


@given(depth=st.integers(1, 300), is_array=st.booleans())
def test_depth_is_refused_past_one_number_on_every_python(tmp_path_factory, depth, is_array):
    inner = "[" * depth + "]" * depth if is_array else '{"a":' * depth + "1" + "}" * depth
    folder = tmp_path_factory.mktemp("deep")
    if depth + 1 <= MAX_DEPTH:
        assert load(folder, "a.jsonl", f'{{"q":{inner}}}').total == 1
    else:
        with pytest.raises(DatasetError, match="nested too deeply"):
            load(folder, "a.jsonl", f'{{"q":{inner}}}')


_CELLS = st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), max_size=8)


@given(table=st.lists(st.tuples(_CELLS, _CELLS), max_size=4), newline=st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_quoted_cells_survive_csv(tmp_path_factory, table, newline):
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"'

    lines = ["q,g", *(",".join(map(quoted, row)) for row in table)]
    samples = load(tmp_path_factory.mktemp("csv"), "a.csv", newline.join(lines) + newline).samples
    assert [(sample["q"], sample["g"]) for sample in samples] == table
