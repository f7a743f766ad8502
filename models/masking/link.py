"""Which phrase announces a value: the nearest one, with nothing but small words between."""

from collections.abc import Iterator

from models.masking.filler import is_filler
from models.masking.line import Line
from models.masking.number import part_at
from models.masking.phrase import Hit, stem
from models.values.spelling import key

#: Words between the phrase that names a value and the value.
_BEFORE = """
is are was were be am s my our your his her their the a an this that it its number numbers
no num nr id
code please as in here new old current own given and says said reads shows
written on
receipt card again ended digits digit only has have got called named under been just changed to
egyptian indian saudi british us uk uae american german emirati own on me at
है हैं था थी थे का की के को नंबर नम्बर संख्या मेरा मेरी मेरे अपना आया आई ये यह वो वह में पर
लिखिए लिखो बताओ नोट करो
हुआ क्रमांक आईडी हुई
बता बताया रहा रही रहे हूँ हूं हु डाला डाली डाले लिखा लिखी आपका आपकी जिसका जिसकी जिसके
hai hain tha thi the ka ki ke ko number no num mera meri mere apna aaya aayi aya wo woh ye
yeh mein pe par
likho likhiye likha likhi likh lo note karo bol raha rahi hoon hu ho hua hui se lelo
bata bataya batata daala daali dala aapka aapki jiska jiski jiske
هو هي هوا رقم رقمي رقمه بتاعي بتاعتي بتاع بتاعه حقي حقتي حق اللي الي جالي جاني جالنا كان
كانت كده كدا ده دي
على علي في ب ل من وهو هذا هذه عندي عند يا لي اسجل سجل نمره كود الجديد جديد بتاعت معايا تبعي
تبع يكون
لمره واحده
you we sent kya jo one wala wali वाला वाली i use used typed entered put dial بنكي شخصي شخصيه
ائتمانيه
texted emailed messaged gave given typed keyed punched tried shows showing displayed through
just already today currently came back was for me
got received came get sent mila mili milaa dal daal diya मिला मिली मिले मैंने डाला وصلني جاتني
dubai sharjah ajman abu dhabi fujairah texas california دبي ابوظبي ابو ظبي الشارقه عجمان
"""
_AFTER = """
is are was s my our your his her that thats this the it its still says said number no id
code as on and of
for new a wrong in but invalid incorrect expired work
है हैं मेरा मेरी मेरे का की के नंबर ये यह लिखा आपका आपकी
hai hain mera meri mere ka ki ke number par pe dala daala tha wo likha ye yeh aapka aapki
هو هي ده دي هذا هذه رقم دا
"""
_BETWEEN = frozenset(stem(key(word)) for word in _BEFORE.split())
_BEHIND = frozenset(stem(key(word)) for word in _AFTER.split())
#: The caller says again what was asked for, and then gives it.
_ECHOED = frozenset(
    stem(key(word))
    for word in "the my your a मेरा मेरी मेरे आपका mera meri mere aapka رقمي انا".split()
)
_ASKED = frozenset({"?", "؟"})
#: What a value is said to have so many of: "a code of six digits", "छह अंकों का कोड".
_DIGITS = frozenset(
    stem(key(word))
    for word in "digit digits figure figures अंक अंकों डिजिट ank ankon ارقام رقم خانات".split()
)
#: Words that are looked at before a value and after it.
_REACH = 9
_REACH_AFTER = 5


def is_small(line: Line, index: int) -> bool:
    """Tell whether a word only links a phrase and its value, and is no piece of a code."""
    word = line.word(index)
    return len(word) > 1 and stem(word) in _BETWEEN and not line.is_upper(index)


def before(line: Line, index: int) -> Iterator[Hit]:
    """Give the phrases that may announce what begins at a token, nearest first."""
    place = index - 1
    if line.gap(place).strip() in _ASKED and _is_echo(line, place):
        yield from line.ending[place]
        return
    for _ in range(_REACH):
        if place < 0 or line.taken[place] or _parts(line, place):
            return
        found = line.ending.get(place)
        if found:
            yield from found
            place = found[0].start - 1
        elif stem(line.word(place)) in _DIGITS and _is_count(line, place - 1):
            place -= 2
        elif line.type(place) == "w" and (
            stem(line.word(place)) in _BETWEEN or is_filler(line, place)
        ):
            place -= 1
        else:
            return


def _is_count(line: Line, place: int) -> bool:
    """Tell whether one number of one word stands at a token: how many digits there are."""
    part = part_at(line, place) if place >= 0 else None
    return part is not None and part.end == place + 1 and part_at(line, place - 1) is None


def _is_echo(line: Line, place: int) -> bool:
    """Tell whether a question is nothing but the phrase itself: "my date of birth? …"."""
    found = line.ending.get(place)
    if not found or found[0].kind is None:
        return False
    first = found[0].start - 1
    while first >= 0 and not line.stops(first):
        if stem(line.word(first)) not in _ECHOED and not is_filler(line, first):
            return False
        first -= 1
    return True


def after(line: Line, index: int) -> Iterator[Hit]:
    """Give the phrases behind what ends before a token, unless they announce the next value."""
    place = index
    for _ in range(_REACH_AFTER):
        if place >= len(line.tokens) or line.taken[place] or _parts(line, place - 1):
            return
        found = line.starting.get(place)
        if found:
            if not _announces(line, found[0].end):
                yield from found
            return
        if line.type(place) != "w" or not (
            stem(line.word(place)) in _BEHIND or is_filler(line, place)
        ):
            return
        place += 1


def _parts(line: Line, index: int) -> bool:
    """Tell whether a sentence ends behind a token; "no." ends none."""
    if line.word(index) in {"no", "nr", "num", "id", "b", "mrs", "mr", "dr"}:
        return "?" in line.gap(index)
    return line.stops(index)


def _announces(line: Line, index: int) -> bool:
    """Tell whether a value follows behind a phrase."""
    for place in range(index, min(index + 3, len(line.tokens))):
        if line.type(place) in "dt":
            return True
        word = line.words[place]
        if word is not None and (word.number is not None or word.repeat is not None):
            return True
        if stem(line.word(place)) not in _BETWEEN:
            return False
    return False
