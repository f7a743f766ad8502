"""
Words that make, deny or limit a claim, in English, Hindi, Hinglish and Arabic.

All are compared as `models.kb.words` gives them, so that spellings, articles and vowel signs do not
matter. A cue is a row of words; a clause has it where the row stands in it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from models.kb.words import words

Row = tuple[str, ...]


def _rows(text: str) -> frozenset[Row]:
    """Cues that semicolons or lines part."""
    return frozenset(tuple(words(cue)) for cue in text.replace("\n", ";").split(";") if cue.strip())


#: Deny what they stand in.
_NEGATIONS = _rows(
    """
    not; no; never; cannot; without; neither; nor; none; nobody; nothing; unable; nowhere; refuse
    non; need not
    can't; don't; doesn't; isn't; aren't; won't; wasn't; weren't; didn't; hasn't; haven't; couldn't
    wouldn't; shouldn't; mustn't; needn't
    नहीं; नही; न; ना; मत; बिना; बगैर
    nahi; nahin; nahee; nhi; na; mat; bina; bagair
    لا; لن; لم; ليس; ليست; ليسوا; مش; مو; موب; غير; بدون; مفيش; مافي; مافيش; ماكو; ولا; دون
    ماله; مالها; ما نقدر; ما تقدر; ما يمكن; ما عندنا; ما فيه; ما في; ما يصير; ما نقبل; ما يشمل
    """
)
#: Say that something is not so by themselves; with a denial beside them they affirm.
_STATES = _rows(
    """
    closed; shut; suspended; stopped; discontinued; expired; banned; prohibited; forbidden
    unavailable; impossible; out of stock; sold out; refused; declined; blocked; ended; optional
    बंद; निलंबित; समाप्त; रद्द; वर्जित; मना; band; mana; khatam
    مغلق; مغلقة; مقفول; مقفولة; مقفل; موقوف; موقوفة; متوقف; متوقفة; معلق; معلقة; ممنوع; ممنوعة
    يمنع; تمنع; يحظر; تحظر; prohibits; forbids; bans
    محظور; محظورة; معطل; معطلة; منتهي; منتهية; نفد; نفدت; اختياري; اختيارية
    """
)
#: Hold a negative word, and deny nothing.
_NO_NEGATIONS = _rows(
    "غير كده; غير كذا; غير ذلك; no later than; لا يقل; لا تقل; ना केवल; not only; hai na; hain na"
)
#: Deny a thing, and not what is done.
_WITHOUT = _rows("without; बिना; बगैर; bina; bagair; بدون; دون; من غير; بلا")
#: "ما بنوصلش": what is around a verb of Egyptian Arabic.
_AROUND = re.compile(r"م[ابنيتفح]\w{2,}ش")
_NOT_AROUND = frozenset(words("مفروش منقوش مبحوش"))

#: Make a claim hold only now and then.
CONDITIONS: Mapping[str, frozenset[Row]] = {
    "if": _rows(
        """
        if; provided; in case; as long as; on condition; subject to; depending; depends
        अगर; यदि; बशर्ते; शर्त; agar; yadi; basharte; shart; agr
        لو; اذا; إذا; بشرط; شرط; شريطة; في حال; في حالة
        """
    ),
    "unless": _rows("unless; जब तक; jab tak; إلا إذا; الا اذا; ما لم"),
    "except": _rows(
        """
        except; excluding; excludes; excluded; apart from; other than; but not
        सिवाय; छोड़कर; अलावा; chhodkar; chhod kar; siwaye; siway; alawa
        عدا; ما عدا; ماعدا; باستثناء; إلا; ما خلا
        """
    ),
    "because": _rows("because; due to; की वजह से; के कारण; ki wajah se; ke karan; بسبب; لان"),
    "only": _rows(
        """
        only; solely; exclusively; केवल; सिर्फ़; मात्र; sirf; keval; kewal; فقط; حصرا; حصريا; بس
        """
    ),
}
#: Limit a claim by a value that stands beside them.
LIMITS = _rows(
    """
    above; over; more than; at least; minimum; under; below; less than; up to; from age
    ऊपर; ज़्यादा; अधिक; कम से कम; न्यूनतम; upar; zyada; kam se kam; minimum
    فوق; اكثر من; اكتر من; اقل من; حد ادنى; الحد الادنى; تحت; على الاقل; ابتداء من
    """
)
#: Leave nothing out.
_UNIVERSALS = _rows(
    """
    all; every; everybody; everyone; any; anyone; anybody; always; entire; everything; anything
    everywhere; anywhere; anytime; nobody; no one; none
    हर; सभी; सब; कोई भी; हमेशा; किसी भी; har; sabhi; sab; hamesha; koi bhi; kisi bhi
    لا احد; محدش; ما حد; कोई नहीं; koi nahi
    كل; جميع; أي; لأي; دايما; دائما; كافة; لكل; لجميع; بكل; اي حد; اي وقت
    """
)
#: Which day, how often, before or after: what says something without a number.
_MARKS: Mapping[str, frozenset[Row]] = {
    "same day": _rows("same day; उसी दिन; usi din; نفس اليوم; في يومها"),
    "day before": _rows(
        "day before; previous day; एक दिन पहले; ek din pehle; اليوم السابق; قبلها بيوم"
    ),
    "next day": _rows(
        "next day; following day; day after; अगले दिन; agle din; اليوم التالي; تاني يوم; ثاني يوم"
    ),
    "weekdays": _rows("weekday; weekdays; ايام الاسبوع; कामकाजी दिन"),
    "weekend": _rows("weekend; weekends; वीकेंड; الويك اند; عطلة نهاية الاسبوع"),
    "before": _rows("before; until; पहले; pehle; قبل; حتى; لحد"),
    "after": _rows("after; afterwards; then; later; बाद; baad; بعد; بعدها; بعدين; ثم"),
    "once": _rows("once; one time; एक बार; ek baar; مرة واحدة; مره وحده"),
    "half": _rows("half; आधा; आधी; आधे; aadha; aadhi; aadhe; adha; adhi; adhe; نصف; نص"),
    "twice": _rows("twice; two times; दो बार; do baar; مرتين"),
    "free": _rows("free; free of charge; मुफ़्त; फ्री; निशुल्क; muft; مجاني; مجانا; مجانية; ببلاش"),
}
#: Which way a value bounds, beside it; the first takes its words from the second.
_BOUNDS: Mapping[str, frozenset[Row]] = {
    "at least": _rows(
        """
        or more; at least; above; over; more than; minimum; and up; older than; and later; or later
        and newer; or newer; से ज़्यादा; से अधिक; se zyada; se adhik; या ज़्यादा; ऊपर; upar
        कम से कम; kam se kam; न्यूनतम; zyada; فاكثر; فوق; اكثر من; اكتر من; على الاقل; حد ادنى
        الحد الادنى; بحد ادنى; او اكثر
        """
    ),
    "at most": _rows(
        """
        or fewer; or less; at most; under; below; less than; fewer than; up to; maximum
        younger than; and earlier; or earlier; se kam; से भी कम
        ज़्यादा से ज़्यादा; अधिकतम; नीचे; से कम; zyada se zyada; اقل من; تحت; حد اقصى; الحد الاقصى
        بحد اقصى; على الاكثر; او اقل
        """
    ),
}
#: The same as nouns or adjectives: other words may stand between them and the value.
_NOUNS: Mapping[str, frozenset[Row]] = {
    "at least": _rows("minimum; न्यूनतम; حد ادنى; الحد الادنى"),
    "at most": _rows("maximum; अधिकतम; حد اقصى; الحد الاقصى"),
}
_REACH = 5
#: Between such words and the value.
_LINKS = frozenset(words("of a an the age ages about around की का के"))
#: How a value is meant, by what stands right before it; the longest row counts.
_BEFORE: Mapping[str, frozenset[Row]] = {
    "about": _rows(
        """
        about; around; approximately; approx; roughly; nearly; almost; some
        लगभग; करीब; तकरीबन; lagbhag; karib; kareeb; takriban; taqreeban; حوالي; تقريبا; نحو; قرابه
        """
    ),
    "within": _rows("within; in under; خلال; في غضون"),
    "from": _rows(
        """
        from; since; starting; starts at; starts on; start at; start on; starts; begins at; opens at
        open at; begins on; من; من ساعه; ابتداء من; بدءا من; اعتبارا من
        """
    ),
    "until": _rows(
        """
        until; till; to; through; closes at; close at; ends at; ends on; end at; end on; ends
        حتى; الى; لحد; لغايه; حتى ساعه; الى ساعه
        """
    ),
    "before": _rows("before; prior to; earlier than; قبل; قبل ساعه"),
    "after": _rows("after; later than; past; بعد; بعد ساعه"),
}
#: The same by what stands right behind it.
_AFTER: Mapping[str, frozenset[Row]] = {
    "about": _rows("or so; approximately; roughly; تقريبا; के करीब; के आसपास; ke kareeb; ke aaspaas"),
    "within": _rows(
        "के अंदर; के भीतर; अंदर; भीतर; ke andar; ke bheetar; ke bhitar; andar; bheetar; bhitar"
    ),
    "from": _rows("से; se; onwards; onward; فصاعدا"),
    "until": _rows("तक; tak"),
    "before": _rows("before; से पहले; के पहले; पहले; se pehle; ke pehle; pehle; se pahle; قبل"),
    "after": _rows("after; बाद; के बाद; baad; ke baad; بعد"),
    "": _rows(
        """
        से ऊपर; से नीचे; से कम; से ज़्यादा; से अधिक; से ज्यादा; तक का; तक की
        se upar; se neeche; se niche; se kam; se zyada; se jyada; se adhik
        """
    ),
}
#: Oblige, and permit.
_MODES: Mapping[str, frozenset[Row]] = {
    "must": _rows(
        """
        must; have to; has to; required; mandatory; compulsory; obligatory; obliged
        ज़रूरी; अनिवार्य; आवश्यक; पड़ेगा; पड़ेगी; पड़ता; zaroori; zaruri; jaruri; anivarya; padega
        padegi; padta; يجب; لازم; ضروري; إلزامي; إلزامية; إجباري; إجبارية; يلزم; مطلوب; مطلوبة
        """
    ),
    "may": _rows(
        """
        may; can; could; optional; allowed; permitted; सकते; सकता; सकती; sakte; sakta; sakti; يمكن
        ممكن; مسموح; يجوز
        """
    ),
}
#: Number what they stand beside without saying how many.
_VAGUE = _rows(
    """
    several; many; few; multiple; various; numerous; most; a couple of; plenty; unlimited
    कई; अनेक; बहुत से; ज़्यादातर; अधिकतर; असीमित; kai; kayi; bahut se; zyadatar; adhiktar
    عدة; بعض; كثير; كثيرة; معظم; اغلب; غير محدود; غير محدودة
    """
)
#: Leave a choice, and what is made of the same words and leaves none.
_CHOICES = _rows("or; या; अथवा; ya; او")
_NO_CHOICES = _rows(
    "or more; or less; or fewer; or older; or above; or over; or so; او اكثر; او اقل"
)
#: Make a sentence of what they stand in, so that a denial behind it does not reach it.
PREDICATES = frozenset(
    words(
        """
        is are was can may must should will has have costs takes needs need
        है हैं hai hain يمكن يوجد توجد
        """
    )
)
#: Begin an exception to what stands before, where they do not deny outright.
_BUT = frozenset(words("but though although लेकिन पर मगर परंतु किंतु lekin par magar لكن ولكن بس"))
#: From one place to another: what stands before goes to what stands behind.
ROUTES = frozenset(words("to se से الى"))
#: Opposites: what is said of one side is not said of the other.
_SIDES: Mapping[tuple[str, str], frozenset[Row]] = {
    ("where", "inside"): _rows("inside; indoor; indoors; داخل; داخلها; داخله;"),
    ("where", "outside"): _rows(
        "outside; outdoor; outdoors; خارج; خارجها; خارجه; बाहर; bahar; برة"
    ),
    ("shop", "open"): _rows("opens; open; opened; يفتح; مفتوح; تفتح; खुला; खुली; खुले; खुलता; खुलती"),
    ("shop", "closed"): _rows("closes; close; يغلق; تغلق; بيقفل; بتقفل"),
    ("run", "begins"): _rows(
        "starts; start; begins; begin; शुरू; shuru; يبدأ; تبدأ; بداية; يبدا; تبدا"
    ),
    ("run", "ends"): _rows(
        "ends; end; finishes; expires; expire; ख़त्म; खत्म; समाप्त; khatam; khatm; ينتهي; تنتهي; نهاية"
    ),
    ("tax", "in"): _rows(
        """
        include; includes; included; including; inclusive; शामिल; सहित; shamil; sahit; شامل; شاملة
        يشمل; تشمل; متضمن
        """
    ),
    ("tax", "out"): _rows(
        """
        exclude; excludes; excluded; excluding; exclusive; except; extra; plus; separately
        अलग; अतिरिक्त; alag
        alag se; extra; باستثناء; عدا; ما عدا; بدون; لا يشمل; غير شامل
        """
    ),
    ("age", "new"): _rows("new; नए; नया; नई; naye; naya; nayi; جديد; جديدة; جدد"),
    ("age", "old"): _rows("old; existing; पुराने; पुराना; पुरानी; purane; purana; purani; قديم; قدامى"),
    ("rank", "first"): _rows("first; earliest; पहला; पहली; pehla; pehli; أول; الأولى"),
    ("rank", "last"): _rows(
        "last; latest; final; आख़िरी; अंतिम; aakhri; akhri; آخر; الأخير; الأخيرة"
    ),
    ("home", "here"): _rows("domestic; local; national; घरेलू; gharelu; محلي; محلية; داخلي; داخلية"),
    ("home", "abroad"): _rows("international; foreign; abroad; विदेशी; अंतरराष्ट्रीय; دولي; دولية"),
    ("net", "online"): _rows("online; ऑनलाइन; اونلاين; أونلاين"),
    ("net", "offline"): _rows("offline; in person; ऑफ़लाइन; اوفلاين; حضوريا"),
    ("way", "arrives"): _rows(
        "arrival; arrivals; arrive; arrives; وصول; يصل; تصل; आगमन; pahunchti; pahunchta"
    ),
    ("way", "leaves"): _rows(
        "departure; departures; depart; departs; leaves; مغادرة; يقلع; تقلع; يغادر; تغادر; प्रस्थान"
    ),
    ("deal", "buy"): _rows("buy; buying; purchase; ख़रीद; ख़रीदना; khareed; kharid; شراء"),
    ("deal", "sell"): _rows("sell; selling; बेचना; बिक्री; bechna; بيع"),
    ("hand", "left"): _rows("left; बाएं; बाईं; baayein; baen; يسار"),
    ("hand", "right"): _rows("right; दाएं; दाईं; daayein; daen; يمين"),
    ("with", "with"): _rows("with; के साथ; ke saath; مع"),
    ("with", "without"): _WITHOUT,
}
#: What a price is for one of.
_RATES: Mapping[str, frozenset[Row]] = {
    "month": _rows(
        """
        a month; per month; monthly; each month; महीना; हर महीने; प्रति माह; मासिक; महीने की
        महीने का; mahina; har mahine; شهريا; في الشهر; بالشهر; شهري; شهرية; للشهر
        """
    ),
    "year": _rows(
        """
        a year; per year; yearly; annually; annual; सालाना; प्रति वर्ष; saalana; سنويا; في السنه
        سنوي; سنوية; بالسنه
        """
    ),
    "week": _rows("a week; per week; weekly; साप्ताहिक; हर हफ्ते; har hafte; اسبوعيا; في الاسبوع"),
    "day": _rows("a day; per day; daily; रोज़; रोज़ाना; प्रति दिन; roz; rozana; يوميا; في اليوم"),
    "night": _rows("a night; per night; प्रति रात; per raat; لليله; في الليله; بالليله"),
    "visit": _rows("per visit; a visit; للزيارة; لكل زيارة; في الزيارة"),
    "person": _rows("per person; a head; each person; प्रति व्यक्ति; per banda; للفرد; لكل شخص"),
    "hour": _rows("an hour; per hour; hourly; प्रति घंटा; per ghanta; في الساعة; بالساعة"),
}
#: A length of time that is no value as no number stands beside it.
_PERIODS: Mapping[str, frozenset[Row]] = {
    "hour": _rows("hour; घंटे; घंटा; ghanta; ghante"),
    "week": _rows("week; हफ़्ता; हफ़्ते; सप्ताह; hafta; hafte; اسبوع"),
    "month": _rows("month; महीना; महीने; माह; mahina; mahine; شهر"),
    "year": _rows("year; साल; वर्ष; saal; سنه; عام"),
}
#: Rephrase without adding anything.
NEUTRAL = frozenset(
    words(
        """
        cost costs fee fees price charge charged amount total pay paid payment payable available
        possible afterwards additional get receive offered provided valid included include includes
        customers customer people please choose open opens opened hours
        खुला खुली खुले खुलता खुलती khula khuli khule khulta khulti
        مفتوح مفتوحة يفتح تفتح بيفتح بتفتح فاتح فاتحة
        शुल्क कीमत दाम खर्च मिलता मिलती मिलते लगता लगती लगते चाहिए उपलब्ध ग्राहक
        shulk keemat daam kharch milta milti milte lagta lagti lagte chahiye grahak
        رسوم سعر تكلفة مبلغ متاح متاحة متوفر متوفرة يوجد توجد عميل عملاء العميل تقدر يمكن ممكن
        जाता जाती जाते रहता रहती रहते सकते सकता सकती दीजिए दें करना
        jata jati jate rehta rehti rehte sakte sakta sakti wala wali wale
        """
    )
)
#: Greet, thank and introduce; alone they state nothing.
COURTESY = frozenset(
    words(
        """
        thank thanks thankyou sorry welcome hello hi kindly please note question answer calling
        कृपया ध्यान धन्यवाद नमस्ते जी सवाल जवाब kripya kripaya dhyan dhanyavaad namaste ji shukriya
        sawal jawab مرحبا اهلا شكرا عفوا فضلك سؤال جواب
        """
    )
)
#: Say exactly the same, in whatever clause: the second stands for the first.
SYNONYMS: Mapping[str, str] = {
    "kid": "child",
    "kids": "children",
    "begin": "start",
    "begins": "starts",
    "beginning": "starting",
    "began": "started",
    "commence": "start",
    "commences": "starts",
    "bring": "carry",
    "dial": "call",
    "purchase": "buy",
    "purchased": "bought",
    "photograph": "photo",
    "photographs": "photos",
    "shop": "store",
    "shops": "stores",
}
#: Answer a question in a word, and so make its words a claim.
_ANSWERS = _rows(
    """
    yes; yeah; yep; sure; certainly; definitely; absolutely; correct; right; of course; indeed
    no; nope
    ok; okay; हाँ; हां; जी हाँ; बिल्कुल; ज़रूर; haan; han; ha; ji haan; bilkul; zaroor
    نعم; ايوه; ايوا; اه; اجل; طبعا; اكيد; بالتاكيد; بلى; لا
    """
)
#: Places that callers and entries name, for scripts without capitals and recognisers that write
#: none.
PLACES = frozenset(
    words(
        """
        مصر السعودية الامارات الكويت البحرين عمان الاردن لبنان العراق سوريا المغرب تونس الجزائر
        ليبيا السودان اليمن تركيا الهند باكستان القاهرة الجيزة الاسكندرية الرياض جدة الدمام مكة
        دبي ابوظبي الشارقة عجمان الدوحة المنامة بيروت دمشق بغداد الدقي المعادي الزمالك
        المنصورة طنطا اسوان الاقصر الغردقة تبوك ابها فلسطين لندن باريس
        جورجيا مسقط اربد مدينتي حلوان شبرا
        भारत दिल्ली मुंबई पुणे कोलकाता चेन्नई बेंगलुरु हैदराबाद अहमदाबाद जयपुर लखनऊ पटना भोपाल इंदौर
        cairo giza alexandria mansoura tanta aswan luxor hurghada maadi zamalek dokki heliopolis
        riyadh jeddah dammam mecca makkah medina madinah khobar tabuk abha dubai sharjah ajman
        fujairah doha manama muscat beirut damascus baghdad amman irbid egypt saudi emirates kuwait
        bahrain qatar oman jordan lebanon iraq syria morocco tunisia algeria libya sudan yemen
        turkey georgia india pakistan nepal london paris manchester delhi mumbai pune kolkata
        chennai bangalore bengaluru hyderabad ahmedabad jaipur lucknow patna bhopal indore nagpur
        surat kanpur noida gurgaon gurugram chandigarh kochi goa agra varanasi
        नागपुर सूरत कानपुर नोएडा गुरुग्राम गुड़गाँव चंडीगढ़ कोच्चि दुबई नेपाल पाकिस्तान लंदन आगरा वाराणसी
        """
    )
)
#: Say nothing of what a clause is about.
STOPWORDS = frozenset(
    words(
        """
        a an the and or of to in on at by for from with as is are was were be been it its this that
        these those there here you your we our us they their them he she his her i my me who which
        what when where how do does did can could will would may might must should have has had if
        then than so but up down out off into about after before until till within per also more
        most very just only not no get gets got make makes take takes use used need needs one
        है हैं था थी थे हो होता होती होते हुआ हुई का की के को में से पर तक और या भी ही तो यह वह ये वे इस
        उस जो कि कर करके करना करें किया एक अपना अपनी अपने आप आपको हम हमारे लिए साथ बाद पहले जिस जिससे
        अगर नहीं क्या
        hai hain tha thi the ho hota hoti hote ka ki ke ko mein me se par pe tak aur ya bhi hi to
        toh yeh ye woh wo is us jo ki kar karna kare kiya ek apna apni apne aap aapko hum hamare
        liye saath baad pehle nahi kya agar
        في من على الى إلى عن مع او أو و ثم هو هي هم انت انا نحن هذا هذه ذلك اللي الذي التي كان كانت
        يكون تكون ان أن إن قد كل بعد قبل عند عندنا لو اذا لا مش مو غير ده دي كده هنا هناك ما به بها
        له
        لها لك لكم لنا منها منه فيه فيها حتى او بين خلال فوق تحت اكثر اقل
        """
    )
)

#: Words that are told by their cues, and not as what a clause is about.
CUE_WORDS = frozenset(
    word
    for rows in (
        _NEGATIONS,
        _STATES,
        LIMITS,
        _UNIVERSALS,
        *CONDITIONS.values(),
        *_MARKS.values(),
        *_RATES.values(),
        *_BOUNDS.values(),
    )
    for row in rows
    for word in row
) - frozenset(words("day days din दिन يوم ايام case head person visit free मुफ़्त في"))


def negative(said: Sequence[str]) -> bool:
    """Tell whether words deny something; denying a state such as "closed" affirms."""
    left = _without([_parted(word) for word in said], _NO_NEGATIONS)
    denies = _has(left, _NEGATIONS) or any(
        _AROUND.fullmatch(word) is not None and word not in _NOT_AROUND for word in left
    )
    return denies is not _has(left, _STATES)


def _parted(word: str) -> str:
    """Take the "and" off a word that denies: "ومش"."""
    bare = word.removeprefix("و")
    return bare if (bare,) in _NEGATIONS or (bare,) in _STATES else word


def conditions(said: Sequence[str]) -> frozenset[str]:
    """Give the kinds of conditions that words set; "not without" is one of them."""
    found = frozenset(name for name, rows in CONDITIONS.items() if _has(said, rows))
    denied = _without(said, _NO_NEGATIONS | _WITHOUT)
    if _has(said, _WITHOUT) and _has(denied, _NEGATIONS):
        return found | {"not without"}
    return found


def universal(said: Sequence[str]) -> bool:
    """Tell whether words leave nothing out ("all", "every", "always")."""
    return _has(said, _UNIVERSALS)


def limited(said: Sequence[str]) -> bool:
    """Tell whether words limit a claim by a value ("above 200")."""
    return _has(said, LIMITS)


def marks(said: Sequence[str]) -> frozenset[str]:
    """Give what words say without a number: which day, before or after, how often, free."""
    return frozenset(name for name, rows in _MARKS.items() if _has(said, rows))


def bounds(before: Sequence[str], behind: Sequence[str]) -> frozenset[str]:
    """Give which way the words right before and behind a value bound it."""
    near = _unlinked(before)
    least, most = _BOUNDS["at least"], _BOUNDS["at most"]
    if _ending(near, least) > _ending(near, most):
        return frozenset({"at least"})
    found = {"at most"} if _ends(near, most) else set()
    found |= {name for name, rows in _NOUNS.items() if _has(near[-_REACH:], rows)}
    if _has(behind, least):
        found.add("at least")
    return frozenset(found | ({"at most"} if _has(_without(behind, least), most) else set()))


def _unlinked(before: Sequence[str]) -> list[str]:
    """Leave out what stands between such words and the value."""
    near = list(before)
    while near and near[-1] in _LINKS:
        near.pop()
    return near


def relations(before: Sequence[str], behind: Sequence[str]) -> frozenset[str]:
    """Give how the words right before and behind a value mean it: from it, before it, about it."""
    found = bounds(before, behind) | {_starts(behind, _AFTER)}
    if _ends(before, _BEFORE["about"]):
        found |= {"about"}
    if "at most" not in found:
        near = _unlinked(before)
        found |= {name for name, rows in _BEFORE.items() if _ends(near, rows)}
    return found - {""}


def _starts(said: Sequence[str], rows: Mapping[str, frozenset[Row]]) -> str:
    """Give the name of the longest row that words begin with; nothing where none does."""
    found = [
        (len(row), name)
        for name, some in rows.items()
        for row in some
        if tuple(said[: len(row)]) == row
    ]
    return max(found, default=(0, ""))[1]


def excepts(first: str) -> bool:
    """Tell whether what denies, and begins with a word, is an exception to what stands before."""
    return first in _BUT or (first,) in _NEGATIONS


def answers(said: Sequence[str]) -> bool:
    """Tell whether words begin with a yes or a no."""
    return any(tuple(said[: len(row)]) == row for row in _ANSWERS)


def periods(said: Sequence[str], rates: frozenset[str]) -> frozenset[str]:
    """Give the lengths of time that words name, or that a price among them is for."""
    return frozenset(name for name, rows in _PERIODS.items() if name in rates or _has(said, rows))


def modes(said: Sequence[str]) -> frozenset[str]:
    """Tell whether words oblige or permit."""
    return frozenset(name for name, rows in _MODES.items() if _has(said, rows))


def sides(said: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Give the sides of opposites that words name, each with its axis."""
    return frozenset(side for side, rows in _SIDES.items() if _has(said, rows))


def chooses(said: Sequence[str]) -> frozenset[str]:
    """Give "or" where words leave a choice; "8 or more" leaves none."""
    return frozenset({"or"} if _has(_without(said, _NO_CHOICES), _CHOICES) else ())


def vague(said: Sequence[str]) -> frozenset[str]:
    """Give "several" where words number something without a number."""
    return frozenset({"several"} if _has(said, _VAGUE) else ())


def _ending(said: Sequence[str], rows: frozenset[Row]) -> int:
    """Give the length of the longest row that words end with; 0 where none does."""
    return max((len(row) for row in rows if tuple(said[-len(row) :]) == row), default=0)


def _ends(said: Sequence[str], rows: frozenset[Row]) -> bool:
    return _ending(said, rows) > 0


def rates(said: Sequence[str]) -> frozenset[str]:
    """Give what a price among words is for one of: a month, a person."""
    return frozenset(name for name, rows in _RATES.items() if _has(said, rows))


def _has(said: Sequence[str], rows: frozenset[Row]) -> bool:
    return next(_places(said, rows), None) is not None


def _without(said: Sequence[str], rows: frozenset[Row]) -> list[str]:
    left = list(said)
    for at, length in list(_places(said, rows)):
        left[at : at + length] = [""] * length
    return [word for word in left if word]


def _places(said: Sequence[str], rows: frozenset[Row]) -> Iterator[tuple[int, int]]:
    lengths = sorted({len(row) for row in rows}, reverse=True)
    for at in range(len(said)):
        for length in lengths:
            if tuple(said[at : at + length]) in rows:
                yield at, length
                break
