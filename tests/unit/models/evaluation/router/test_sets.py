"""Readers of public sets, on small files of their form."""

import gzip
import json

import pytest

from models.evaluation.router.rows import Row
from models.evaluation.router.sets import SETS, SetError, read_set


def put(folder, name, content):
    """Write a compressed file."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(content.encode()))


def test_clinc150(tmp_path):
    """
    Each part has its out-of-scope rows.
    """
    parts = {
        "train": [["a", "x"]], "val": [["b", "x"]], "test": [["c", "x"]],
        "oos_train": [["d", "oos"]], "oos_val": [["e", "oos"]], "oos_test": [["f", "oos"]],
    }  # fmt: skip
    put(tmp_path, "clinc150/data_full.json.gz", json.dumps(parts))

    (one,) = read_set("clinc150", tmp_path)

    assert one.train == [Row("a", "x"), Row("d", "oos")]
    assert one.validation == [Row("b", "x"), Row("e", "oos")]
    assert one.test == [Row("c", "x"), Row("f", "oos")]


def test_hint3(tmp_path):
    """
    Both sets are read; what has no label of theirs is out of scope.
    """
    for name in ("curekart", "sofmattress"):
        put(tmp_path, f"hint3/{name}_train.csv.gz", 'sentence,label\n"a, b",EMI\n')
        put(tmp_path, f"hint3/{name}_test.csv.gz", "sentence,label\nc,NO_NODES_DETECTED\n")

    first, second = read_set("hint3", tmp_path)

    assert (first.name, second.name) == ("curekart", "sofmattress")
    assert first.train == [Row("a, b", "EMI")]
    assert first.test == [Row("c", "oos")]
    assert first.validation == ()


def test_hinglish_top(tmp_path):
    """
    The Hinglish side is read with its outermost intent; what is unsupported is out of scope.
    """
    head = "en_query\tcs_query\ten_parse\tcs_parse\tdomain\n"
    row = "x\t{}\t[IN:OTHER x ]\t[IN:{} [SL:A b [IN:INNER c ] ] ]\td\n"
    put(tmp_path, "hinglish_top/train.tsv.gz", head + row.format("alarm lagao", "CREATE_ALARM"))
    put(tmp_path, "hinglish_top/validation.tsv.gz", head + row.format("kya", "UNSUPPORTED_ALARM"))

    (one,) = read_set("hinglish_top", tmp_path)

    assert one.train == [Row("alarm lagao", "CREATE_ALARM")]
    assert one.test == [Row("kya", "oos")]


def test_homeassistant_hi(tmp_path):
    """
    Only the language asked for is read, and every second phrase of an intent is test.
    """
    rows = ["lang\tintent\ttext\tslots", "hi\tB\tb1\t", "hi\tA\ta1\t", "en\tA\tx\t"]
    rows += ["hi\tA\ta2\t", "hi\tB\tb2\t"]
    put(tmp_path, "homeassistant_tests/sentences.tsv.gz", "\n".join(rows) + "\n")

    (one,) = read_set("homeassistant_hi", tmp_path)

    assert one.train == [Row("a1", "A"), Row("b1", "B")]
    assert one.test == [Row("a2", "A"), Row("b2", "B")]


def test_homeassistant_en_hi(tmp_path):
    """
    All English commands are train and all Hindi ones test.
    """
    rows = ["lang\tintent\ttext\tslots", "hi\tB\tb1\t", "en\tA\tx\t", "ar\tA\ty\t"]
    put(tmp_path, "homeassistant_tests/sentences.tsv.gz", "\n".join(rows) + "\n")

    (one,) = read_set("homeassistant_en_hi", tmp_path)

    assert (one.train, one.test) == ([Row("x", "A")], [Row("b1", "B")])


def test_banking77_and_its_arabic_side(tmp_path):
    """
    Both are read from their tables.
    """
    for name in ("train", "test"):
        put(tmp_path, f"banking77/{name}.csv.gz", f"text,category\n{name},card\n")
    for name in ("train_msa_pal", "val_msa_pal", "test_msa", "test_palestinian"):
        put(tmp_path, f"arbanking77/{name}.csv.gz", f"label,text\nبطاقة,{name}\n")

    (english,) = read_set("banking77", tmp_path)
    (arabic,) = read_set("arbanking77", tmp_path)

    assert english.train == [Row("train", "card")]
    assert arabic.validation == [Row("val_msa_pal", "بطاقة")]
    assert arabic.test == [Row("test_msa", "بطاقة"), Row("test_palestinian", "بطاقة")]


def test_hwu64(tmp_path):
    """
    Both parts come from one table.
    """
    rows = ["split\tintent\ttext\tannotated", "train\tx\ta\ta", "test\ty\tb\tb"]
    put(tmp_path, "hwu64/hwu64_fold1.tsv.gz", "\n".join(rows) + "\n")

    (one,) = read_set("hwu64", tmp_path)

    assert (one.train, one.test) == ([Row("a", "x")], [Row("b", "y")])


def test_hdrs_hindi(tmp_path):
    """
    An intent is all that a turn states and asks for; what is rare or states nothing is out of
    scope, and no test turn stands in train, whatever its punctuation.
    """
    food, both = [["food", "सिंधी"]], [["request", "phone"], ["food", "चाइनीस"]]
    train = [{"user": f"खाना {place}", "label": food} for place in range(40)]
    train += [{"user": f"फ़ोन {place}", "label": both} for place in range(39)]
    test = [{"user": "खाना 7 ।", "label": food}, {"user": "भोजन", "label": food}]
    test += [{"user": "पता", "label": both}, {"user": "धन्यवाद", "label": []}]
    for name, rows in (("train", train), ("dev", test)):
        put(tmp_path, f"hdrs_hindi/{name}.jsonl.gz", "\n".join(map(json.dumps, rows)) + "\n")

    (one,) = read_set("hdrs_hindi", tmp_path)

    assert {row.intent for row in one.train[:40]} == {"food"}
    assert {row.intent for row in one.train[40:]} == {"oos"}
    assert one.test == [Row("भोजन", "food"), Row("पता", "oos"), Row("धन्यवाद", "oos")]


@pytest.mark.parametrize("name", list(SETS))
def test_missing_files(tmp_path, name):
    """
    A set that is not there is an error that names it.
    """
    with pytest.raises(SetError, match=f"{name}: cannot be read"):
        read_set(name, tmp_path)


def test_a_file_of_another_form(tmp_path):
    """
    A file that is not as it was published is an error that shows nothing of it.
    """
    put(tmp_path, "clinc150/data_full.json.gz", '{"train": "secret"}')

    with pytest.raises(SetError) as excinfo:
        read_set("clinc150", tmp_path)

    assert "secret" not in str(excinfo.value)
