"""Tokens of digits: numbers, clock times, dates and fractions as written."""

import pytest

from models.values.digits import digit_word, is_date


class TestDigitWord:
    @pytest.mark.parametrize(
        ("token", "number"),
        [
            pytest.param("7", 7, id="digit"),
            pytest.param("007", 7, id="leading zeros"),
            pytest.param("1,20,000", 120_000, id="indian groups"),
            pytest.param("1,234,567.5", 1_234_567.5, id="western groups with decimals"),
            pytest.param("2.50", 2.5, id="decimals"),
            pytest.param(".5", 0.5, id="decimals alone"),
        ],
    )
    def test_number(self, token, number):
        """
        Digits, groups and decimals are numbers, and the token is kept as written.
        """
        word = digit_word(token)

        assert word.number == (number,)
        assert word.digits == token

    @pytest.mark.parametrize(
        ("token", "clock"),
        [
            pytest.param("7:30", (7, 30), id="minutes"),
            pytest.param("19:05:30", (19, 5), id="seconds are dropped"),
        ],
    )
    def test_clock(self, token, clock):
        """
        Hours and minutes are a time.
        """
        assert digit_word(token).clock == clock

    @pytest.mark.parametrize(
        ("token", "dates"),
        [
            pytest.param("2026-11-05", ((2026, 11, 5),), id="year first"),
            pytest.param("15/3/2026", ((2026, 3, 15),), id="day first, month cannot be"),
            pytest.param("4/5/2026", ((2026, 5, 4), (2026, 4, 5)), id="either"),
            pytest.param("21/04/16", ((2016, 4, 21), (2021, 4, 16)), id="year in two digits"),
            pytest.param("31.12.99", ((1999, 12, 31),), id="last century"),
        ],
    )
    def test_dates(self, token, dates):
        """
        Three parts are a date, with every reading that the calendar allows.
        """
        assert digit_word(token).dates == dates

    @pytest.mark.parametrize(
        ("token", "pair"),
        [
            pytest.param("22/04", (22, 4), id="slash"),
            pytest.param("2026-11", (11, 2026), id="year first"),
        ],
    )
    def test_pair(self, token, pair):
        """
        Two parts stay a pair: a fraction, a date, a ratio.
        """
        assert digit_word(token).pair == pair

    @pytest.mark.parametrize("token", ["25:00", "7:75", "5,6", "1,23", "99/99/99"])
    def test_nothing(self, token):
        """
        What is no time, number or date has no sense.
        """
        word = digit_word(token)

        assert not word.opens
        assert (word.number, word.clock, word.dates, word.pair) == (None, None, None, None)


class TestIsDate:
    @pytest.mark.parametrize(
        ("month", "day", "expected"),
        [
            pytest.param(2, 29, True, id="leap day"),
            pytest.param(2, 30, False, id="no such day"),
            pytest.param(4, 31, False, id="short month"),
            pytest.param(13, 1, False, id="no such month"),
            pytest.param(1, 0, False, id="no day zero"),
        ],
    )
    def test_calendar(self, month, day, expected):
        """
        A day exists if some year has it.
        """
        assert is_date(month, day) is expected
