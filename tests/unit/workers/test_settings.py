"""Settings from the environment."""

import dataclasses
from pathlib import Path

import pytest

from workers.errors import SettingsError
from workers.settings import Secret, Settings, load

_NUMERIC = [
    field.name for field in dataclasses.fields(Settings) if isinstance(field.default, int | float)
]

_SECRETS = [
    field.name for field in dataclasses.fields(Settings) if isinstance(field.default, Secret)
]


class TestLoad:
    def test_an_empty_environment_gives_the_defaults(self):
        """
        Nothing needs to be set.
        """
        assert load({}) == Settings()

    def test_other_variables_are_not_ours(self):
        """
        Variables without our prefix change nothing.
        """
        assert load({"BUDGET_MS": "1", "HOME": "/x"}) == Settings()

    def test_values_are_read_by_type(self):
        """
        Numbers, paths and secrets arrive as what they are.
        """
        settings = load(
            {
                "TURNGATE_BUDGET_MS": "40",
                "TURNGATE_REDIS_TIMEOUT_S": "0.02",
                "TURNGATE_JUDGE": "/somewhere",
                "TURNGATE_CACHE_SECRET": "s3",
            }
        )

        assert settings.budget_ms == 40
        assert settings.redis_timeout_s == 0.02
        assert settings.judge == Path("/somewhere")
        assert settings.cache_secret.reveal() == "s3"

    @pytest.mark.parametrize("name", _NUMERIC)
    @pytest.mark.parametrize(
        "value", ["", "nan", "inf", "-99999", "ten", "1 ", "٨٠", "1e99", "true"]
    )
    def test_senseless_numbers_are_refused_by_name(self, name, value):
        """
        No number setting takes what is not a number within its bounds.
        """
        variable = f"TURNGATE_{name.upper()}"

        with pytest.raises(SettingsError, match=variable):
            load({variable: value})

    def test_a_mistyped_name_is_refused(self):
        """
        A variable with our prefix that nothing reads is a typing error, not ignored.
        """
        with pytest.raises(SettingsError, match="TURNGATE_BUDGET_MSS"):
            load({"TURNGATE_BUDGET_MSS": "40"})

    def test_a_wrong_choice_lists_the_choices(self):
        """
        The error of a choice says what it may be, not what it was.
        """
        with pytest.raises(SettingsError) as excinfo:
            load({"TURNGATE_LOG_LEVEL": "hunter2"})

        assert "WARNING" in str(excinfo.value)
        assert "hunter2" not in str(excinfo.value)

    @pytest.mark.parametrize(
        ("variable", "value"),
        [
            pytest.param("KAFKA", "", id="no broker"),
            pytest.param("KAFKA", "localhost", id="no port"),
            pytest.param("KAFKA", "127.0.0.1:1:x", id="two ports"),
            pytest.param("REDIS", "", id="no redis"),
            pytest.param("KAFKA", "hunter2:99999", id="no such port"),
            pytest.param("KAFKA", "a:1,hunter2..b:9092", id="no such name"),
            pytest.param("REDIS", "http://u:hunter2@x/", id="another scheme"),
            pytest.param("REDIS", "redis://:hunter2@h:notaport/0", id="no number for a port"),
            pytest.param("REDIS", "redis://:hunter2@h:6379/0?foo=x", id="an option that is none"),
            pytest.param("REDIS", "redis://:hun#ter2@h:6379/0", id="password not escaped"),
            pytest.param("SYSTEM_ONE_URL", "http://u:hunter2@h/", id="no endpoint"),
            pytest.param("MONITOR_HOST", "hunter2..b", id="no host for the monitor"),
            pytest.param("BOARD_HOST", "hunter2..b", id="no host for the board"),
            pytest.param("BOARD_WORKERS", "hunter2:99999", id="no such monitor"),
        ],
    )
    def test_a_senseless_address_is_refused_by_name(self, variable, value):
        """
        An address that no client could use stops the start, and is not shown.
        """
        with pytest.raises(SettingsError, match=f"TURNGATE_{variable}") as excinfo:
            load({f"TURNGATE_{variable}": value})

        assert "hunter2" not in str(excinfo.value)
        assert "ter2" not in str(excinfo.value)

    @pytest.mark.parametrize("variable", ["KAFKA", "REDIS"])
    def test_a_short_form_is_checked_too(self, variable):
        """
        The error has the setting's long name.
        """
        with pytest.raises(SettingsError, match=f"TURNGATE_{variable}"):
            load({variable: "redis://h:99999"})

    @pytest.mark.parametrize("value", ["a:1", "a:1,b:2", "a:1, b:2", "[::1]:9092"])
    def test_broker_addresses(self, value):
        """
        One or several brokers, by name or by address.
        """
        assert load({"KAFKA": value}).kafka == value

    @pytest.mark.parametrize(
        ("environment", "expected"),
        [
            pytest.param({"KAFKA": "a:1"}, "a:1", id="short"),
            pytest.param({"TURNGATE_KAFKA": "b:1"}, "b:1", id="long"),
            pytest.param({"KAFKA": "a:1", "TURNGATE_KAFKA": "b:1"}, "b:1", id="long wins"),
        ],
    )
    def test_addresses_have_a_short_form(self, environment, expected):
        """
        KAFKA and REDIS name the addresses too.
        """
        assert load(environment).kafka == expected


class TestFiles:
    @pytest.mark.parametrize(
        ("content", "value"),
        [
            pytest.param(b"s3cret", "s3cret", id="as it is"),
            pytest.param(b"s3cret\n", "s3cret", id="line break at the end"),
            pytest.param(b"s3cret\r\n", "s3cret", id="of another system"),
            pytest.param(b" s3 cret \n\n", " s3 cret \n", id="all else is the secret's own"),
            pytest.param("गुप्त-سر".encode(), "गुप्त-سر", id="any script"),
        ],
    )
    def test_a_secret_from_its_file(self, tmp_path, content, value):
        """
        A mounted secret is read from the file that the variable names.
        """
        path = tmp_path / "secret"
        path.write_bytes(content)

        assert load({"TURNGATE_CACHE_SECRET_FILE": str(path)}).cache_secret.reveal() == value

    @pytest.mark.parametrize("name", _SECRETS)
    @pytest.mark.parametrize("value", ["", "\n", " \t\n"], ids=repr)
    @pytest.mark.parametrize("how", ["variable", "file"])
    def test_an_empty_secret_is_refused_by_name(self, tmp_path, name, value, how):
        """
        One that was not found where it was expected is never taken for none.
        """
        variable = f"TURNGATE_{name.upper()}"
        path = tmp_path / "secret"
        path.write_text(value, "utf-8")
        given = {variable: value} if how == "variable" else {f"{variable}_FILE": str(path)}

        with pytest.raises(SettingsError, match=f"{variable}: "):
            load(given)

    def test_any_setting_may_be_in_a_file(self, tmp_path):
        """
        A value from a file is checked as any other, under its own name.
        """
        path = tmp_path / "budget"
        path.write_text("hunter2", "utf-8")

        with pytest.raises(SettingsError, match="TURNGATE_BUDGET_MS: ") as excinfo:
            load({"TURNGATE_BUDGET_MS_FILE": str(path)})

        assert "hunter2" not in str(excinfo.value)

    def test_a_file_and_a_value_contradict(self, tmp_path):
        """
        Two sources of one setting are a mistake, and neither wins silently.
        """
        path = tmp_path / "secret"
        path.write_text("hunter2", "utf-8")

        with pytest.raises(SettingsError, match="both given") as excinfo:
            load({"TURNGATE_KAFKA_PASSWORD": "x1y2", "TURNGATE_KAFKA_PASSWORD_FILE": str(path)})

        assert not {"hunter2", "x1y2"} & set(str(excinfo.value).split())

    @pytest.mark.parametrize("kind", ["missing", "folder", "not text", "too large"])
    def test_a_file_that_cannot_be_used_is_named_by_its_variable(self, tmp_path, kind):
        """
        The start stops with the variable's name; the content is not shown.
        """
        path = tmp_path / "secret"
        if kind == "folder":
            path.mkdir()
        elif kind == "not text":
            path.write_bytes(b"hunter2\xff")
        elif kind == "too large":
            path.write_bytes(b"hunter2" * 100_000)

        with pytest.raises(SettingsError, match="TURNGATE_REDIS_PASSWORD_FILE") as excinfo:
            load({"TURNGATE_REDIS_PASSWORD_FILE": str(path)})

        assert "hunter2" not in str(excinfo.value)

    def test_a_mistyped_name_is_refused_here_too(self):
        """
        A file for a setting that is none would never be read.
        """
        with pytest.raises(SettingsError, match="TURNGATE_PASSWORD_FILE"):
            load({"TURNGATE_PASSWORD_FILE": "/run/secrets/x"})

    def test_the_long_form_from_a_file_wins_over_the_short_one(self, tmp_path):
        """
        REDIS of a shell does not shadow what is deployed.
        """
        path = tmp_path / "redis"
        path.write_text("rediss://cache:6380/0\n", "utf-8")

        settings = load({"REDIS": "redis://other:1/0", "TURNGATE_REDIS_FILE": str(path)})

        assert settings.redis.reveal() == "rediss://cache:6380/0"


class TestSecret:
    def test_a_secret_never_shows(self):
        """
        Neither the settings nor the secret print what it holds.
        """
        settings = load({"REDIS": "redis://u:hunter2@h:1/0"})

        assert "hunter2" not in f"{settings!r} {settings.redis} {settings.redis!r}"
        assert isinstance(settings.redis, Secret)
