"""Currencies in all four languages. Several codes: any of them may be meant."""

from models.values.word import Currency

_DOLLAR = ("USD", "CAD", "AUD")
_RIYAL = ("SAR", "QAR", "OMR", "YER")
_DINAR = ("KWD", "JOD", "BHD", "IQD", "LYD", "TND")
_DIRHAM = ("AED", "MAD")

#: Codes and the part of the unit, to words.
CURRENCIES: dict[Currency, str] = {
    (("INR", "PKR"), 1): (
        "rupee rupees rs rs. inr ₹ rup(aye|ay|aiye|iya|iye|aya|ye|ai|aiya|ya) r(o|u)p(aye|iye)"
        " rupaiyon रुपए रुपये रुपया रुपयों रुपय रूपए रूपये रूपया रु रुपीज़ रुपीस روبية روبيه"
    ),
    (("INR", "PKR"), 0.01): "paise paisa पैसे पैसा",
    (_DOLLAR, 1): "dollar dollars usd $ डॉलर डालर دولار دولارا دولارات",
    ((*_DOLLAR, "EUR"), 0.01): "cent cents ¢ सेंट سنت سنتات سينت سينتات",
    ((None,), 1): "buck bucks",
    (("EUR",), 1): "euro euros eur € यूरो يورو اورو أورو",
    (("GBP", "EGP"), 1): "pound pounds £ पाउंड",
    (("GBP",), 1): "gbp",
    (("GBP", "USD"), 0.01): "pence penny pennies पेंस",
    (("CAD",), 1): "cad",
    (("AUD",), 1): "aud",
    (("CHF",), 1): "chf",
    (("MYR",), 1): "myr rm ringgit ringgits",
    (("SGD",), 1): "sgd",
    (("OMR",), 1): "omr",
    (("BHD",), 1): "bhd",
    (("ILS",), 1): "ils shekel shekels شيكل شيقل شواقل",
    (("EGP", "GBP"), 1): "جنيه جنيهات جنيها geneh egp",
    (("EGP",), 0.01): "قرش قروش",
    (_RIYAL, 1): "riyal riyals sar saudiriyal रियाल ريال ريالا ريالات",
    (("SAR",), 0.01): "هللة هلله هللات halala halalas",
    (("QAR",), 1): "qar",
    (_DIRHAM, 1): "dirham dirhams aed दिरहम درهم درهما دراهم",
    (_DIRHAM, 0.01): "فلس fils",
    (_DINAR, 1): "dinar dinars दीनार دينار دينارا دنانير",
    (("KWD",), 1): "kwd",
    (("CNY",), 1): "yuan cny युआन",
    (("JPY",), 1): "yen jpy येन",
    (("LBP", "SYP", "TRY"), 1): "ليرة ليرات ليره lira",
}

#: The dual says two by itself.
DUALS: dict[Currency, str] = {
    (_DOLLAR, 1): "دولارين دولاران",
    (("EGP", "GBP"), 1): "جنيهين",
    (_RIYAL, 1): "ريالين",
    (_DIRHAM, 1): "درهمين",
    (_DINAR, 1): "دينارين",
    (("EGP",), 0.01): "قرشين",
}

#: Adjectives that name the country: they narrow the codes.
COUNTRIES: dict[tuple[str, ...], str] = {
    ("INR",): "indian هندي हिंदुस्तानी भारतीय",
    ("USD",): "american us أمريكي امريكي अमेरिकी",
    ("CAD",): "canadian كندي",
    ("EGP",): "egyptian مصري مصرية",
    ("GBP",): "sterling استرليني استرلينية إسترليني",
    ("SAR",): "saudi سعودي سعودية",
    ("QAR",): "qatari قطري قطرية",
    ("OMR",): "omani عماني",
    ("AED",): "emirati إماراتي اماراتي",
    ("KWD",): "kuwaiti كويتي",
    ("JOD",): "jordanian أردني اردني أردنية",
    ("LBP",): "lebanese لبناني لبنانية",
}
