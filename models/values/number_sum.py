"""A number under construction: what is complete, and what the next multiplier will take."""

from models.values.word import Tongue, Weak, Word

_HUNDRED = 100
_DOZEN = 12
#: Lakh and crore.
_INDIAN = (100_000, 10_000_000)
_TEN = 10
_HALF = 0.5
_TENS = frozenset({20, 30, 40, 50, 60, 70, 80, 90})
#: "one fifty" is 150, "ten thirty" 1030: hundreds are left out after these.
_SHORT_HUNDREDS = range(1, 13)
#: "nineteen ninety" is 1990.
_CENTURIES = range(17, 21)


class NumberSum:
    """The sum of the words taken so far."""

    __slots__ = (
        "collides",
        "current",
        "factor",
        "last",
        "parts",
        "scale",
        "shape",
        "tongue",
        "total",
        "weak",
    )

    def __init__(self) -> None:
        #: What its multiplier has closed.
        self.total: float = 0
        #: What a multiplier may still take.
        self.current: float | None = None
        #: The last big multiplier, and what it multiplied.
        self.scale = 0
        self.factor: float = 0
        #: saadhe, sava, paune, waiting for their number.
        self.shape: tuple[str, float] | None = None
        self.last: Word | None = None
        self.parts = 0
        #: A word spells an English one, and no Hindi multiplier has vouched for it.
        self.collides = False
        self.weak = Weak.COLLIDES
        self.tongue = Tongue.DIGITS

    def take(self, word: Word, *, joined: bool) -> bool:
        """Add a word; False where it does not continue this number."""
        if self.parts and (word.article or word.preposition is not None):
            return False
        if word.number is not None:
            taken = self._cardinal(word, word.number[0], joined=joined)
        elif word.multiplier is not None:
            taken = self._multiply(word, word.multiplier)
        else:
            taken = word.fraction is not None and self._fraction(word, *word.fraction)
        if taken:
            self.last = word
            self.parts += 1
            self._vouch(word)
            if word.tongue is not Tongue.DIGITS:
                self.tongue = word.tongue
        return taken

    def _vouch(self, word: Word) -> None:
        """Note how sure the words are: "do hazaar" is Hindi, "do hundred" may be English."""
        self.weak = min(self.weak, word.weak)
        if word.weak is Weak.COLLIDES:
            self.collides = True
        elif word.multiplier in _INDIAN or word.tongue is Tongue.HINGLISH:
            self.collides = False

    def add_part(self, amount: float) -> None:
        """Add "and a half", of the last multiplier where it is a big one."""
        self.parts += 1
        if self.current is None and self.scale:
            self.total += amount * self.scale
        else:
            self.current = (self.current or 0) + amount

    def values(self) -> tuple[float, ...]:
        """Give the number, twice where "two lakh fifty" leaves open what fifty counts."""
        current = self.current or 0
        value = whole(self.total + current)
        if self.scale in _INDIAN and 0 < current < _HUNDRED:
            return (value, whole(self.total + current * self.scale / _HUNDRED))
        return (value,)

    def _cardinal(self, word: Word, value: float, *, joined: bool) -> bool:
        if self.current is None:
            if self.scale and value >= self.scale:
                return False
            self.current = value + self._shaped()
            return True
        added = self._continued(word, value, joined=joined) if self._is_open(word) else None
        if added is None:
            return False
        self.current = added
        return True

    def _is_open(self, word: Word) -> bool:
        """Tell whether a cardinal may follow: not after digits, nor digits but after hundreds."""
        last = self.last
        if last is None or last.digits is not None:
            return False
        if last.fraction is not None and last.number is None:
            return False
        return word.digits is None or last.multiplier is not None

    def _continued(self, word: Word, value: float, *, joined: bool) -> float | None:
        """Give the sum of what is there and a cardinal, where the two make one number."""
        current = self.current or 0
        if current >= _HUNDRED and current % _HUNDRED == 0 and value < _HUNDRED:
            return current + value
        if word.tongue is not self.tongue:
            return None
        if word.tongue is Tongue.ARABIC:
            return self._arabic(word, current, value, joined=joined)
        if word.tongue is Tongue.ENGLISH:
            return None if joined else self._english(current, value)
        # "do pachas" is 250 or 2:50; "das baarah" is ten or twelve.
        apart = value >= _TEN and value > 2 * current + 1
        return current * _HUNDRED + value if apart and self._is_short(current) else None

    def _arabic(self, word: Word, current: float, value: float, *, joined: bool) -> float | None:
        """Add tens to units: "خمسة وعشرين", "خمسة عشر"."""
        if not 1 <= current % _HUNDRED < _TEN:
            return None
        if joined:
            return current + value if value in _TENS else None
        return current + _TEN if word.teen else None

    def _english(self, current: float, value: float) -> float | None:
        if current % _HUNDRED in _TENS and 1 <= value < _TEN:
            return current + value
        if self.parts > 1 or self.scale:
            return None
        short = self._is_short(current) and value in _TENS
        century = current in _CENTURIES and value >= _TEN
        return current * _HUNDRED + value if short or century else None

    def _is_short(self, current: float) -> bool:
        """Tell whether hundreds may be left out after what is there."""
        return self.parts == 1 and not self.scale and current in _SHORT_HUNDREDS

    def _shaped(self) -> float:
        """Give what saadhe, sava or paune add to the number that follows."""
        if self.shape is None:
            return 0
        kind, amount = self.shape
        self.shape = None
        return amount if kind == "plus" else -amount

    def _multiply(self, word: Word, multiplier: int) -> bool:
        if self.shape is not None:  # sava sau, paune lakh; there is no saadhe lakh
            if self.current is not None or self.shape[1] == _HALF:
                return False
            self.current = 1 + self._shaped()
        if word.weak is Weak.COLLIDES and (self.last is None or self.last.number is None):
            return False  # "so one", "arab"
        if multiplier in (_HUNDRED, _DOZEN):
            return self._hundred(multiplier)
        if word.many is not None:  # ألفين
            if self.parts and not word.joined:
                return False
            self.current = word.many
        return self._scale(word, multiplier)

    def _scale(self, word: Word, multiplier: int) -> bool:
        if multiplier > self.scale and self.scale:  # two lakh crore
            if self.current is None and self.last is not None and self.last.multiplier is None:
                return False
            self.factor = self.total + (self.current or 0)
            self.total = self.factor * multiplier
        elif self.current is None and self.parts and not word.joined:
            return False
        else:
            self.factor = 1 if self.current is None else self.current
            self.total += self.factor * multiplier
        self.current = None
        self.scale = multiplier
        return True

    def _hundred(self, multiplier: int) -> bool:
        if self.current is None:
            self.current = 1
        elif not 0 < self.current < (_HUNDRED if multiplier == _HUNDRED else _HUNDRED * _TEN):
            return False
        self.factor = self.current
        self.current *= multiplier
        return True

    def _fraction(self, word: Word, kind: str, amount: float) -> bool:
        if self.current is not None or self.scale or self.parts or word.joined:
            return False
        if kind in ("plus", "minus"):
            self.shape = (kind, amount)
        else:
            self.current = amount
        return True


def whole(value: float) -> float:
    """Make a number whole where it is, and steady in its decimals where it is not."""
    return int(value) if value == int(value) else round(value, 6)
