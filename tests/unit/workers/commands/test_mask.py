import json

from click.testing import CliRunner

from workers.cli import main


def run(*arguments, **options):
    return CliRunner().invoke(main, ["mask", *arguments], **options)


def test_text():
    """The masked text and the spans are shown, and nothing of what was masked."""
    result = run("my number is 98201 47735 thanks")

    assert result.exit_code == 0
    assert result.output == "my number is [PHONE] thanks\n  PHONE 13-24\n"


def test_lines():
    """A dash reads a text a line, broken bytes and blank lines too."""
    result = run("-", "--json", input="रकम ५०० है\n\ncode is 4417\n".encode() + b"\xff\n")

    rows = [json.loads(line) for line in result.output.splitlines()]
    assert [row["masked"] for row in rows] == ["रकम ५०० है", "", "code is [OTP]", "\ufffd"]
    assert rows[2]["spans"] == [{"start": 8, "end": 12, "type": "OTP"}]


def test_surrogate():
    """What a terminal could not decode does not stop the command."""
    assert run("code is 4417 \udcff").output.startswith("code is [OTP]")
