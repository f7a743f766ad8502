"""
Forty questions in many wordings and three languages, and which wordings ask the same.

Twenty-four of them are six questions about four things each: the same words about another thing
are another question. Written for this measurement; nothing is trained or tuned on it.
"""

#: Wordings with a place for a thing, and the thing in English, Hindi and Arabic.
_ABOUT: tuple[tuple[dict[str, tuple[str, ...]], tuple[tuple[str, str, str], ...]], ...] = (
    (
        {
            "en": (
                "do you deliver to {}",
                "can I get my order delivered in {}",
                "is home delivery possible in {}",
            ),
            "hi": ("क्या आप {} में डिलीवरी करते हैं", "क्या {} तक सामान पहुँचाते हैं"),
            "ar": ("هل توصلون إلى {}", "هل يوجد توصيل إلى {}"),
        },
        (
            ("Kenya", "केन्या", "كينيا"),
            ("Nepal", "नेपाल", "نيبال"),
            ("Canada", "कनाडा", "كندا"),
            ("Dubai", "दुबई", "دبي"),
        ),
    ),
    (
        {
            "en": (
                "do you have a branch in {}",
                "is there one of your shops in {}",
                "where is your {} branch",
            ),
            "hi": ("क्या {} में आपकी कोई शाखा है", "{} में आपकी दुकान कहाँ है"),
            "ar": ("هل لديكم فرع في {}", "أين فرعكم في {}"),
        },
        (
            ("Jaipur", "जयपुर", "جايبور"),
            ("Cairo", "काहिरा", "القاهرة"),
            ("Mumbai", "मुंबई", "مومباي"),
            ("Beirut", "बेरूत", "بيروت"),
        ),
    ),
    (
        {
            "en": ("can I pay with {}", "do you accept {}", "is payment by {} possible"),
            "hi": ("क्या मैं {} से भुगतान कर सकता हूँ", "क्या आप {} लेते हैं"),
            "ar": ("هل أستطيع الدفع عن طريق {}", "هل تقبلون {}"),
        },
        (
            ("PayPal", "पेपाल", "باي بال"),
            ("Bitcoin", "बिटकॉइन", "بيتكوين"),
            ("American Express", "अमेरिकन एक्सप्रेस", "أمريكان إكسبريس"),
            ("Apple Pay", "एप्पल पे", "آبل باي"),
        ),
    ),
    (
        {
            "en": (
                "does your app work on {}",
                "can I use the app on {}",
                "is there an app for {}",
            ),
            "hi": ("क्या आपका ऐप {} पर चलता है", "क्या {} के लिए ऐप है"),
            "ar": ("هل يعمل تطبيقكم على {}", "هل يوجد تطبيق لـ {}"),
        },
        (
            ("Android", "एंड्रॉयड", "أندرويد"),
            ("Linux", "लिनक्स", "لينكس"),
            ("Huawei", "हुआवेई", "هواوي"),
            ("Windows", "विंडोज़", "ويندوز"),
        ),
    ),
    (
        {
            "en": (
                "do you repair {} phones",
                "can you fix a {} phone",
                "is {} phone repair something you do",
            ),
            "hi": ("क्या आप {} फ़ोन ठीक करते हैं", "क्या {} मोबाइल की मरम्मत होती है"),
            "ar": ("هل تصلحون هواتف {}", "هل يمكنكم إصلاح هاتف {}"),
        },
        (
            ("Nokia", "नोकिया", "نوكيا"),
            ("Samsung", "सैमसंग", "سامسونج"),
            ("Oppo", "ओप्पो", "أوبو"),
            ("Sony", "सोनी", "سوني"),
        ),
    ),
    (
        {
            "en": (
                "do you teach {} classes",
                "can I learn {} at your centre",
                "are there courses in {}",
            ),
            "hi": ("क्या आप {} सिखाते हैं", "क्या आपके यहाँ {} की कक्षाएँ हैं"),
            "ar": ("هل تعلمون {}", "هل لديكم دروس في {}"),
        },
        (
            ("yoga", "योग", "اليوغا"),
            ("chess", "शतरंज", "الشطرنج"),
            ("guitar", "गिटार", "الجيتار"),
            ("swimming", "तैराकी", "السباحة"),
        ),
    ),
)
_ALONE: tuple[dict[str, tuple[str, ...]], ...] = (
    {
        "en": ("is there parking", "where can I park my car", "do you have a car park"),
        "hi": ("क्या पार्किंग है",),
        "ar": ("هل يوجد موقف سيارات",),
    },
    {
        "en": ("can I bring my dog", "are pets allowed", "is it ok to come with a dog"),
        "hi": ("क्या मैं अपना कुत्ता ला सकता हूँ",),
        "ar": ("هل يمكنني إحضار كلبي",),
    },
    {
        "en": (
            "how do I cancel my subscription",
            "I want to end my subscription",
            "cancel my plan",
        ),
        "hi": ("मैं अपनी सदस्यता कैसे रद्द करूँ",),
        "ar": ("كيف ألغي اشتراكي",),
    },
    {
        "en": (
            "do you offer gift wrapping",
            "can you wrap it as a present",
            "is gift wrap possible",
        ),
        "hi": ("क्या आप उपहार पैक करते हैं",),
        "ar": ("هل تغلفون الهدايا",),
    },
    {
        "en": ("is there a student discount", "do students pay less", "any discount for students"),
        "hi": ("क्या छात्रों के लिए छूट है",),
        "ar": ("هل يوجد خصم للطلاب",),
    },
    {
        "en": ("I forgot my password", "how do I reset my password", "cannot remember my password"),
        "hi": ("मैं अपना पासवर्ड भूल गया",),
        "ar": ("نسيت كلمة المرور",),
    },
    {
        "en": ("is the food halal", "do you serve halal meat", "is your meat halal"),
        "hi": ("क्या खाना हलाल है",),
        "ar": ("هل الطعام حلال",),
    },
    {
        "en": ("do you have wifi", "is there free internet", "what about wifi for guests"),
        "hi": ("क्या वाई-फ़ाई है",),
        "ar": ("هل يوجد واي فاي",),
    },
    {
        "en": (
            "is the building wheelchair accessible",
            "can a wheelchair get in",
            "is there a ramp",
        ),
        "hi": ("क्या व्हीलचेयर से अंदर आ सकते हैं",),
        "ar": ("هل المبنى مناسب للكراسي المتحركة",),
    },
    {
        "en": ("how long is the warranty", "what warranty do I get", "how many years of guarantee"),
        "hi": ("वारंटी कितने समय की है",),
        "ar": ("كم مدة الضمان",),
    },
    {
        "en": ("can I pay in instalments", "do you offer monthly instalments", "is emi available"),
        "hi": ("क्या किस्तों में भुगतान कर सकते हैं",),
        "ar": ("هل يمكن الدفع بالتقسيط",),
    },
    {
        "en": ("who is the owner of the company", "who owns this company", "whose company is this"),
        "hi": ("इस कंपनी का मालिक कौन है",),
        "ar": ("من صاحب هذه الشركة",),
    },
    {
        "en": ("are you hiring", "do you have any job openings", "can I apply for a job with you"),
        "hi": ("क्या आपके यहाँ नौकरी है",),
        "ar": ("هل لديكم وظائف شاغرة",),
    },
    {
        "en": (
            "how do I change my address",
            "I have moved, update my address",
            "change of address",
        ),
        "hi": ("मैं अपना पता कैसे बदलूँ",),
        "ar": ("كيف أغير عنواني",),
    },
    {
        "en": ("do you recycle old batteries", "can I return used batteries", "battery recycling"),
        "hi": ("क्या आप पुरानी बैटरियाँ लेते हैं",),
        "ar": ("هل تعيدون تدوير البطاريات القديمة",),
    },
    {
        "en": ("is there a lower age limit", "how old must I be", "what is the minimum age"),
        "hi": ("न्यूनतम आयु क्या है",),
        "ar": ("ما هو الحد الأدنى للعمر",),
    },
)
_LANGUAGES = ("en", "hi", "ar")


def groups() -> list[list[str]]:
    """Return the wordings of each of the forty questions."""
    found = [
        [
            wording.format(thing)
            for language, thing in zip(_LANGUAGES, things, strict=True)
            for wording in frames[language]
        ]
        for frames, every in _ABOUT
        for things in every
    ]
    return found + [
        [wording for language in _LANGUAGES for wording in one[language]] for one in _ALONE
    ]
