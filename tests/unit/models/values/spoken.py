"""Numbers as speakers of four languages say them, written apart from the reader's own tables."""

ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
ENGLISH_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()

HINDI = (
    "शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह"
    " उन्नीस बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस"
    " तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस तैंतालीस चवालीस"
    " पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन"
    " अट्ठावन उनसठ साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर"
    " बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी अस्सी इक्यासी बयासी तिरासी"
    " चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पंचानवे"
    " छियानवे सत्तानवे अट्ठानवे निन्यानवे"
).split()

HINGLISH = (
    "shunya ek do teen chaar paanch chhe saat aath nau das gyarah barah terah chaudah pandrah solah"
    " satrah atharah unnis bees ikkis bais teis chaubis pachis chhabbis sattais atthais untis tees"
    " ikattis battis taintis chauntis paintis chhattis saintis adtis untalis chalis iktalis bayalis"
    " taintalis chavalis paintalis chhiyalis saintalis adtalis unchas pachas ikyavan bavan tirpan"
    " chauvan pachpan chhappan sattavan atthavan unsath saath iksath basath tirsath chaunsath"
    " painsath chhiyasath sadsath adsath unhattar sattar ikhattar bahattar tihattar chauhattar"
    " pachhattar chhihattar sathattar athhattar unyasi assi ikyasi bayasi tirasi chaurasi pachasi"
    " chhiyasi sattasi atthasi navasi nabbe ikyanve banve tiranve chauranve panchanve chhiyanve"
    " sattanve atthanve ninyanve"
).split()

ARABIC = "صفر واحد اتنين تلاتة أربعة خمسة ستة سبعة تمانية تسعة عشرة".split()
ARABIC_TEENS = "حداشر اتناشر تلتاشر أربعتاشر خمستاشر ستاشر سبعتاشر تمنتاشر تسعتاشر".split()
ARABIC_TENS = "عشرين تلاتين أربعين خمسين ستين سبعين تمانين تسعين".split()
ARABIC_HUNDREDS = "مية ميتين تلتمية ربعمية خمسمية ستمية سبعمية تمنمية تسعمية".split()
ARABIC_FEW = "تلات أربع خمس ست سبع تمن تسع عشر".split()


def english(number: int, *, joint: str = " ") -> str:
    """Say a number below a billion; `joint` stands after "hundred" (" and ")."""
    if number < 20:
        return ENGLISH[number]
    if number < 100:
        tens = ENGLISH_TENS[number // 10 - 2]
        return tens if number % 10 == 0 else f"{tens}-{ENGLISH[number % 10]}"
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            head = f"{english(number // size, joint=joint)} {name}"
            rest = number % size
            if rest == 0:
                return head
            between = joint if rest < 100 else " "
            return head + between + english(rest, joint=joint)
    raise AssertionError(number)


def indian(number: int, words: list[str], names: tuple[str, str, str, str]) -> str:
    """Say a number below a hundred crore with the names of crore, lakh, thousand, hundred."""
    said = []
    for size, name in zip((10**7, 10**5, 1000, 100), names, strict=True):
        if number >= size:
            said.append(f"{words[number // size]} {name}")
            number %= size
    if number or not said:
        said.append(words[number])
    return " ".join(said)


def hindi(number: int) -> str:
    return indian(number, HINDI, ("करोड़", "लाख", "हज़ार", "सौ"))


def hinglish(number: int) -> str:
    return indian(number, HINGLISH, ("karod", "lakh", "hazaar", "sau"))


def arabic(number: int) -> str:
    """Say a number below a million as in Cairo."""
    parts = []
    thousands, below = divmod(number, 1000)
    if thousands == 1:
        parts.append("ألف")
    elif thousands == 2:
        parts.append("ألفين")
    elif 3 <= thousands <= 10:
        parts.append(f"{ARABIC_FEW[thousands - 3]} تلاف")
    elif thousands:
        parts.append(f"{_arabic_below(thousands)} ألف")
    if below or not parts:
        parts.append(_arabic_below(below))
    return " و".join(parts)


def _arabic_below(number: int) -> str:
    parts = []
    hundreds, below = divmod(number, 100)
    if hundreds:
        parts.append(ARABIC_HUNDREDS[hundreds - 1])
    if below > 20 and below % 10:
        parts += [ARABIC[below % 10], ARABIC_TENS[below // 10 - 2]]
    elif below >= 20:
        parts.append(ARABIC_TENS[below // 10 - 2])
    elif below > 10:
        parts.append(ARABIC_TEENS[below - 11])
    elif below or not hundreds:
        parts.append(ARABIC[below])
    return " و".join(parts)
