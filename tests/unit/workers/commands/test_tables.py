"""Tables on the command line."""

from workers.commands.tables import print_table


def test_table(capsys):
    """
    Columns are aligned; what is not known is a dash.
    """
    print_table({"all": {"n": 12, "auc": 0.5}, "class value": {"n": 3, "auc": None}}, ("n", "auc"))

    assert capsys.readouterr().out.splitlines() == [
        "              n     auc",
        "all          12  0.5000",
        "class value   3       -",
    ]
