"""Measures, and things that callers count."""

from models.values.word import Measure

#: Dimension and base units (gram, metre, millilitre, megabyte, degree), to words.
MEASURES: dict[Measure, str] = {
    ("mass", 1): "gram grams gm gms gramm ग्राम غرام جرام جرامات غرامات",
    ("mass", 1000): (
        "kilo kilos kg kgs kilogram kilograms किलो किलोग्राम كيلو كيلوغرام كيلوجرام كجم"
    ),
    ("mass", 100_000): "quintal quintals क्विंटल kwintal",
    ("mass", 1_000_000): "ton tons tonne tonnes टन طن",
    ("length", 1): "metre metres meter meters मीटर متر أمتار",
    ("length", 1000): (
        "km kms kilometre kilometres kilometer kilometers किलोमीटर किमी كيلومتر كيلومترات"
    ),
    ("length", 0.01): "cm centimetre centimetres centimeter centimeters सेंटीमीटर سنتيمتر",
    ("length", 0.3048): "feet foot ft फुट फीट قدم",
    ("length", 0.0254): "inch inches इंच بوصة",
    ("length", 1609.344): "mile miles मील ميل أميال",
    ("volume", 1000): "litre litres liter liters ltr ltrs लीटर لتر لترات ليتر",
    ("volume", 1): "ml मिलीलीटर",
    ("data", 1000): "gb gig gigs जीबी جيجا غيغا",
    ("data", 1): "mb एमबी ميجا",
    ("data", 1_000_000): "tb",
    ("degree", 1): "degree degrees डिग्री درجة درجات",
}

#: Only words for one thing share a name.
COUNTED: dict[str, str] = {
    "person": (
        "people person persons guests guest log(o|on) logo(n) व्यक्ति व्यक्तियों लोग लोगों log شخص"
        " أشخاص اشخاص نفر أنفار انفار أفراد افراد فرد ناس members member"
    ),
    "adult": "adult adults बड़े वयस्क كبار بالغين",
    "child": (
        "child children kid kids bacch(e|o|on) bachch(e|o|on) bach(e|o|on) बच्चे बच्चों"
        " طفل أطفال اطفال أولاد عيال"
    ),
    "room": "room rooms kamr(e|o|on) कमरे कमरों रूम غرفة غرف أوضة أوض",
    "ticket": "ticket tickets टिकट टिकटें تذكرة تذاكر",
    "seat": "seat seats सीट सीटें مقعد مقاعد كرسي كراسي",
    "bed": "bed beds बेड سرير سراير",
    "bhk": "bhk बीएचके",
    "piece": "piece pieces pcs पीस قطعة قطع",
    "plate": "plate plates प्लेट طبق أطباق",
    "time": "time times baar बार مرة مرات",
    "night": "night nights ليلة ليالي",
    "point": "point points अंक नंबर نقطة نقاط نقط",
    "star": "star stars स्टार نجوم نجمة",
    "call": "call calls कॉल مكالمة مكالمات",
    "message": "message messages मैसेज رسالة رسائل رسايل",
    "alarm": "alarm alarms reminder reminders timer timers अलार्म منبه منبهات",
    "item": "item items product products चीज़ें चीजें منتج منتجات",
    "order": "order orders ऑर्डर طلبات",
    "instalment": (
        "instalment instalments installment installments emi emis किस्त किश्त किस्तें قسط أقساط"
    ),
    "house": "house houses بيت بيوت شقة شقق flat flats",
    "car": "car cars gaadiyan gadiyan गाड़ियां سيارة سيارات عربية عربيات",
    "book": "book books kitaben kitaabein किताबें كتاب كتب",
}

#: The dual says two by itself.
DUALS: dict[str, str] = {
    "person": "شخصين نفرين فردين",
    "child": "طفلين ولدين",
    "room": "غرفتين أوضتين",
    "ticket": "تذكرتين",
    "time": "مرتين",
    "night": "ليلتين",
    "piece": "قطعتين",
    "house": "شقتين",
    "book": "كتابين",
}
