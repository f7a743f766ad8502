"""A caller's own name, where the caller gives it; titles stay, and so do the names of others."""

import re
from collections.abc import Iterator

from models.masking.filler import is_filler, skip
from models.masking.given import NAMES
from models.masking.kind import Kind
from models.masking.line import Line
from models.masking.phrase import Hit, listed, stem
from models.values.spelling import key

#: `sure` phrases and `list` ones are followed by a name, `with` and `maybe` ones by anything,
#: `bare` ones need a known name.
RULES = {
    "sure": """
    my name is; my name s; name is; my full name is; my first name is; my surname is
    my last name is; surname is; last name is; first name is
    you re speaking with; you are speaking with; under the name; under the name of
    in the name of; name of the account holder is
    name s; the name is; the name s
    मेरा नाम; मेरा नाम है; नाम लिखिए; नाम लिखो; नाम है; मेरा शुभ नाम; मेरा पूरा नाम
    mera naam; mera naam hai; naam hai mera; mera name; mera name hai; naam likhiye
    naam likho; naam hai; naam mera; naam mera hai
    नाम मेरा; नाम मेरा है
    mera nam; mera nam hai
    اسمي; انا اسمي; اسمي هو; ادعي; باسم; الاسم
    اسم صاحب الحساب; بتكلم مع; اسمي الكامل; الحجز باسم
    """,
    "list": """
    name on the booking; name on the account; name on the card; name on the order
    name on file; full name
    """,
    # A field and its value: the value must look like a name.
    "field": """
    booking under; booked under; reservation under; appointment under; order under; table under
    account under; registered under; policy under; first name; last name; surname; family name
    middle name; name; नाम; naam; الاسم الاول
    اسم العائله
    """,
    "with": "معاك; معاكي; معك; معكم; مع حضرتك",
    "maybe": "this is; i m; i am; it s; its; my name; call me; speaking with; speaking to",
    "bare": "मैं; main; mai; انا",
}
_TITLES = frozenset(
    key(word)
    for word in """
    mr mrs ms miss dr doctor sir madam prof professor engineer captain
    श्री श्रीमती डॉक्टर डॉ मिस्टर मिसेज
    shri shrimati doctor
    استاذ استاذه الاستاذ الاستاذه دكتور دكتوره الدكتور الدكتوره مهندس المهندس مدام السيد
    السيده حاج الحاج ا د م
    """.split()
)
#: End a name, and begin none.
_STOPS = frozenset(
    stem(key(word))
    for word in """
    a an the and or but not is are am was were be been have has had do does did can could
    will would should i you he she it we they
    me my your his her its our their this that these those there here from for of in on at
    to with by as about calling speaking
    call need want like just so very really too also only still now then when where what
    which who why how if because please thanks
    thank sorry happy sad angry upset great good fine ok okay bad sure interested looking
    trying waiting asking going coming having
    getting urgent ridiculous unacceptable about regarding born number phone account order
    name spelled mobile email address calling
    new old customer again back ready done free late early unable able unhappy disappointed
    confused worried wrong right correct true
    false broken nothing something everything someone nobody no yes hi hello hey today
    tomorrow yesterday all any some one two
    three four five six seven eight nine ten enough better best first last next under over
    out up down off until since before after
    spelling aayega aayegi company father mother wife husband brother son daughter owner
    locked stuck lost missing possible impossible using moving staying living working paying
    getting tired sick pregnant single
    spelled spelt misspelled written printed change changed update wrongly
    vegan vegetarian diabetic retired unemployed
    indian egyptian saudi emirati american british pakistani muslim hindu christian
    originally aware afraid certain curious
    married student member driver tenant owner saying told charged only actually probably
    maybe never always already
    है हैं था थी हूँ हूं और या मैं मेरा मेरी मेरे का की के को से में पर ठीक बोल बात कर रहा
    रही नहीं न क्या यह वह यहाँ घर जी तो भी अभी आज कल
    गलत ग़लत सही छपा लिखा बदलना बदल करना अपडेट
    बहुत एक दो बस अपना अपनी आपका आप आपसे कब क्यों कैसे चाहता चाहती नाराज़ परेशान खुश नंबर
    जन्म भी नाम लिख लिखिए
    hai hain tha thi hoon hun hu aur ya main mai mera meri mere ka ki ke ko se mein me pe
    par theek thik bol baat kar raha rahi
    galat sahi change badalna badal karna karwana chhapa likha update theek
    nahi nahin na kya yeh ye woh wo yahan ghar ji toh bhi abhi aaj kal bahut ek bas apna
    apni aapka aap kab kyun kaise chahta
    chahti pareshan khush number janm naam likho likh jaanna chahiye kal office bahar
    من في علي عن الي انا انت هو هي احنا وعايز عايز عايزه ابغي ابي اريد عندي كنت كان مش لا
    نعم بخصوص عشان لان لو لما بعد قبل هنا اللي
    مكتوب غلط خطا صح اغير تغيير اتغير متسجل مسجل
    ده دي دا هذا هذه الله زعلان زعلانه تعبان مبسوط متضايق حق كويس كويسه تمام جاهز لسه بس كل اي
    رقم رقمي تليفوني حساب مواليد يا فندم
    بتكلم باتكلم بكلم ساكن ساكنه محتاج محتاجه قلت شايف عارف حجزت دفعت طلبت وصلني جالي بحاول
    متاكد متاخر موجود مستني حضرتك
    كلمتكم اكلمكم كلمتك اكلمك اتصلت اتصل اتواصل تواصلت ارسلت بعت بعتلكم سالت اسال مشترك عميل
    ابن ابني بنتي بنت طفل طفله الطفل مندوب مراتي زوجتي زوجي جوزي شخص شخصي بابا ماما ابويا امي
    والدي والدتي اخويا اختي اخي سائق عريس عروسه مالك مسافر شركه شركتي صاحبي صديقي مقيم مستفيد
    ممثل ممثله مدير موظف محل منتج باقه شارع مدينه ساعه مراته جوزها
    استاذ دكتور خليني حد مشكله كام بكام هل متي امتي فين ايه ليه كيف
    """.split()
)
_PARTICLES = frozenset(
    key(word)
    for word in "أم ام أبو ابو عبد بن ابن بنت آل الشيخ van von de al el bin abu um umm".split()
)
_FOLLOW = frozenset("from calling speaking here".split())
_GREETINGS = frozenset(
    "hi hello hey morning afternoon evening yes yeah yep sure okay hiya ji".split()
)
#: Between a name and its letters.
_SPELLS = frozenset("spelled spelt spelling that s thats so".split())
#: "… ke naam pe" after a name.
_NAMED = listed(
    """
    ke naam pe; ke naam par; ke naam se; ke naam mein; ke naam hai; ke naam ka; ke naam ki
    naam hai mera; naam he mera; नाम है मेरा
    के नाम से; के नाम पर; के नाम पे; के नाम में; के नाम है; के नाम का; के नाम की
    """
)
#: "… bol raha hoon" after a name.
_SAYING = listed(
    """
    bol raha; bol rahi; baat kar raha; baat kar rahi; bol rha; bol rhi; bolraha; बोल रहा
    बोल रही; बात कर रहा; बात कर रही
    """
)
#: What "معاك" asks for, when it asks.
_WAITS = frozenset(key(word) for word in "دقيقه دقيقة ثانية ثانيه ثواني لحظه لحظة".split())
_WITHIN = frozenset("mein me में".split())
_ARABIC_I = key("أنا")
#: Endings of words that are no names: "I'm calling from", "originally from".
_NO_NAMES = ("ing", "ly", "ed")
_REACH = 3
_MAX_WORDS = 3
_MIN_SPELT = 3
_BETWEEN = re.compile(r"[ .'’\-]*")
_SPACE = re.compile(r"[\s:,،.\-]*")


def find(line: Line) -> Iterator[tuple[int, int]]:
    """Find names as tokens [start, end)."""
    for index in sorted(line.starting):
        for hit in line.starting[index]:
            if hit.kind is Kind.NAME and line.is_free(hit.start, hit.end):
                yield from _behind(line, hit)
    yield from _before(line)
    yield from _named(line)
    yield from _speaking(line)
    yield from _here(line)
    yield from _spelled(line)


def _behind(line: Line, hit: Hit) -> Iterator[tuple[int, int]]:
    start = skip(line, hit.end)
    if hit.rule == "with" and any(line.word(place) in _WAITS for place in range(hit.end, start)):
        return  # "do you have a minute"
    start = _past(line, start, hit.rule)
    if start >= len(line.tokens) or _SPACE.fullmatch(line.gap(start - 1)) is None:
        return
    if line.stops(start - 1) and line.word(start - 1) not in _TITLES:
        return
    titled = start > 0 and line.word(start - 1) in _TITLES
    spelt = _spelt(line, start)
    if spelt is not None:
        yield start, spelt
        again = _name_end(line, spelt, loose=True)
        if again is not None and line.gap(spelt - 1).strip() in {",", "،"}:
            yield spelt, again
        return
    end = _name_end(line, start, loose=hit.rule != "bare" or titled)
    sure = titled or hit.rule in {"sure", "list"}
    if end is None or (hit.rule == "sure" and not titled and _is_within(line, start, end)):
        return
    if not (sure or _is_name(line, hit.rule, start, end)):
        return
    if hit.rule == "list" and line.gap(end - 1).strip() == "," and line.type(end) == "w":
        more = _name_end(line, end, loose=False)
        end = more or end
    yield start, end
    yield from _again(line, start, end)


def _is_within(line: Line, start: int, end: int) -> bool:
    """Tell whether one unknown word is what the name stands in: "mera naam list mein nahi"."""
    if end - start > 1 or line.word(start) in NAMES or line.is_capital(start):
        return False
    return line.word(end) in _WITHIN and line.near(end - 1)


def _past(line: Line, start: int, rule: str) -> int:
    """Step over a title, and over "is" behind a sure phrase."""
    links = {"is", "है", "hai", "هو"} if rule in {"sure", "list"} else set()
    while start < len(line.tokens) and (line.word(start) in _TITLES or line.word(start) in links):
        start += 1
    return skip(line, start) if rule in {"sure", "list"} else start


def _again(line: Line, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Find the name said again, or spelt, right behind a comma."""
    if line.gap(end - 1).strip() not in {",", "،"}:
        return
    letters = end
    while line.word(letters) in _SPELLS and _spelt(line, letters) is None:
        letters += 1
    spelt = _spelt(line, letters)
    if spelt is not None:
        yield letters, spelt
    elif line.word(end) == line.word(start):
        again = _name_end(line, end, loose=True)
        if again is not None:
            yield end, again


def _spelt(line: Line, start: int) -> int | None:
    """Give the token after a row of single letters."""
    end = start
    while line.type(end) == "w" and len(line.word(end)) == 1 and line.word(end).isascii():
        end += 1
        if line.gap(end - 1).strip(" -.") or line.gap(end - 1) == "\n":
            break
    return end if end - start >= _MIN_SPELT else None


def _name_end(line: Line, start: int, *, loose: bool) -> int | None:
    """Give the token after the name that begins at a token."""
    end = start
    words = 0
    capital = start < len(line.tokens) and line.is_capital(start)
    while end < len(line.tokens) and words < _MAX_WORDS and not line.taken[end]:
        if end > start and _BETWEEN.fullmatch(line.gap(end - 1)) is None:
            break
        if end > start and line.stops(end - 1) and len(line.word(end - 1)) > 1:
            break
        if not _may_be(line, end, first=end == start):
            break
        if line.gap(end) == "'" and line.word(end + 1) == "s":  # "john's brother"
            break
        latin = line.word(end).isascii()
        if (
            end > start
            and capital
            and latin
            and not line.is_capital(end)
            and "'" not in line.gap(end - 1)
        ):
            break
        if not loose and latin and not line.is_capital(end):
            break
        particle = line.word(end) in _PARTICLES or "'" in line.gap(end)
        words += not particle
        end += 1
    while end > start and line.word(end - 1) in _PARTICLES and end - start > 1:
        end -= 1
    return end if end > start else None


def _may_be(line: Line, index: int, *, first: bool) -> bool:
    word = line.word(index)
    if line.type(index) != "w" or (is_filler(line, index) and not line.is_capital(index)):
        return False
    if stem(word) in _STOPS and word not in _PARTICLES:
        is_ali = not first and line.view.raw[line.view.ends[line.tokens[index].end - 1] - 1] == "ي"
        return word in NAMES and (line.is_capital(index) or is_ali)
    if not first and word.startswith("و") and len(word) > 2 and word not in NAMES:  # noqa: PLR2004
        return False
    known = line.words[index]
    if known is not None and known.number is not None and not line.is_capital(index):
        return False
    announces = any(hit.kind is not Kind.NAME for hit in line.starting.get(index, ()))
    return not announces


def _is_name(line: Line, rule: str, start: int, end: int) -> bool:
    """Tell whether a name-like word behind an unsure phrase is a name."""
    known = line.word(start) in NAMES
    if rule == "with":  # also "do you have"
        return known or line.word(start) in _PARTICLES or not _asks(line, end - 1)
    if rule == "field":
        return known or (line.is_capital(start) and not line.is_upper(start))
    if rule == "bare":
        return known or _says(line, end) or _is_bare(line, start, end)
    return _is_greeted(line, start, end) or _is_said(line, start, end, known=known)


def _is_said(line: Line, start: int, end: int, *, known: bool) -> bool:
    """Tell whether what follows "this is", "I'm" or "it's" is a name."""
    if known and (line.is_capital(start) or line.word(end) in _FOLLOW or end == len(line.tokens)):
        return True
    if line.word(start - 1) == "s" and line.word(start - 2) == "it":
        return line.word(end) in _FOLLOW and (known or line.is_capital(start))
    if line.is_capital(start):
        return not line.is_upper(start) and stem(line.word(start)) not in _STOPS
    several = end - start > 1 or line.word(start - 1) == "is"
    return several and line.word(end) in _FOLLOW and not line.word(start).endswith(_NO_NAMES)


def _asks(line: Line, index: int) -> bool:
    end = line.tokens[index].end
    return line.text[end : end + 1] in {"؟", "?"}


def _is_bare(line: Line, start: int, end: int) -> bool:
    """Tell whether "I" and a word name the caller: a particle, a comma before a town, capitals."""
    word = line.word(start)
    if word.isascii():
        if line.word(start - 1) != _ARABIC_I:
            return line.hinglish and _is_capitalised(line, start, end) and end - start > 1
        return line.is_capital(start)
    from_there = any(line.word(place) == "से" for place in range(end, end + _REACH))
    return word in _PARTICLES or (line.gap(end - 1).strip() == "," and from_there)


def _is_capitalised(line: Line, start: int, end: int) -> bool:
    """Tell whether all words begin with a capital, and no place or day is meant: "… se bol"."""
    if line.word(end) in {"se", "mein", "me", "pe", "par", "ka", "ki"}:
        return False
    return all(
        line.is_capital(place)
        and not line.is_upper(place)
        and line.words[place] is None
        and stem(line.word(place)) not in _STOPS
        for place in range(start, end)
    )


def _is_greeted(line: Line, start: int, end: int) -> bool:
    """Tell whether two capitalised words follow "hi, it's": nobody greets with anything else."""
    place = start - 1
    while place >= 0 and line.word(place) in {"s", "it", "this", "is", "i", "m", "am", "sir"}:
        place -= 1
    if line.word(place) not in _GREETINGS or place == start - 1:
        return False
    return end - start > 1 and _is_capitalised(line, start, end)


def _says(line: Line, index: int) -> bool:
    return _reads(line, index, _SAYING)


def _reads(line: Line, index: int, phrases: list[tuple[str, ...]]) -> bool:
    """Tell whether one of some phrases begins at a token."""
    return any(
        all(line.word(index + place) == word for place, word in enumerate(words))
        for words in phrases
    )


def _before(line: Line) -> Iterator[tuple[int, int]]:
    """Find names before "bol raha hoon", at the start or behind "main", a title or a comma."""
    for index in range(1, len(line.tokens)):
        if not _says(line, index):
            continue
        start = index
        while start > 0 and index - start < _MAX_WORDS and _may_be(line, start - 1, first=True):
            if line.taken[start - 1] or (start < index and line.gap(start - 1).strip()):
                break
            if line.word(start - 1) in _TITLES:
                break
            start -= 1
        if start < index and _may_follow(line, start - 1):
            yield start, index


def _named(line: Line) -> Iterator[tuple[int, int]]:
    """Find names before "ke naam pe": known ones, or capitalised."""
    for index in range(1, len(line.tokens)):
        if not _reads(line, index, _NAMED):
            continue
        own = line.word(index) in {"naam", "नाम"}  # "Farzana naam hai mera"
        start = index
        while start > 0 and index - start < _MAX_WORDS and _may_be(line, start - 1, first=True):
            if line.gap(start - 1).strip() or line.word(start - 1) in _TITLES:
                break
            start -= 1
        while start < index and not (
            line.word(start) in NAMES
            or (line.is_capital(start) and not line.is_upper(start) and (start > 0 or own))
        ):
            start += 1
        if start < index and line.is_free(start, index):
            yield start, index


def _speaking(line: Line) -> Iterator[tuple[int, int]]:
    """Find "Omar Said speaking" at the start of a turn or behind a comma."""
    for index in range(1, len(line.tokens)):
        if line.word(index) != "speaking":
            continue
        if not (line.stops(index) or line.gap(index).strip()):
            yield from _speaking_on(line, index)
            continue
        start = index
        while start > 0 and line.is_capital(start - 1) and index - start < _MAX_WORDS:
            if not _may_be(line, start - 1, first=True) or line.gap(start - 1).strip():
                break
            start -= 1
        known = start < index and (index - start > 1 or line.word(start) in NAMES)
        if known and _may_follow(line, start - 1) and line.is_free(start, index):
            yield start, index


def _speaking_on(line: Line, index: int) -> Iterator[tuple[int, int]]:
    """Find "sam lee speaking i lost …": a given name, with which the turn begins."""
    start = 0
    while line.word(start) in _GREETINGS or line.word(start) in _TITLES:
        start += 1
    start = skip(line, start)
    words = range(start, index)
    particles = sum(line.word(place) in _PARTICLES for place in words)
    if line.word(start) not in NAMES or len(words) - particles > _MAX_WORDS:
        return
    if line.word(index + 1) in {"to", "with", "of"} or not line.is_free(start, index):
        return
    if all(_may_be(line, place, first=place == start) for place in words):
        yield start, index


def _may_follow(line: Line, index: int) -> bool:
    """Tell whether a name may follow a token: "I", a title, a filler, a comma, the start."""
    word = line.word(index)
    if index < 0 or word in _TITLES or word in {"main", "mai", "मैं"}:
        return True
    return bool(line.gap(index).strip()) or is_filler(line, index)


def _spelled(line: Line) -> Iterator[tuple[int, int]]:
    """Find a word and its letters, where names are spoken of: "hassan, h a s s a n"."""
    for index in range(1, len(line.tokens)):
        end = _spelt(line, index)
        word = line.word(index - 1)
        if end is None or word in _SPELLS:
            continue
        letters = "".join(line.word(place) for place in range(index, end))
        named = word in NAMES or line.rules.get(Kind.NAME, set()) & {"sure", "list", "field"}
        if letters == word and named and line.is_free(index - 1, end):
            yield index - 1, index
            yield index, end


def _here(line: Line) -> Iterator[tuple[int, int]]:
    """Find "Dr Pillai here", and "Sunita here" at the start of a turn, greeting or not."""
    for index in range(len(line.tokens) - 1):
        greeted = all(line.word(place) in _GREETINGS for place in range(min(index, _MAX_WORDS)))
        begins = index < _MAX_WORDS and greeted and line.word(index) in NAMES
        if (begins or line.word(index - 1) in _TITLES) and not line.taken[index]:
            end = _name_end(line, index, loose=begins)
            if end is not None and line.word(end) == "here":
                yield index, end
