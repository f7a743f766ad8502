import unicodedata

import pytest

from models.language import Reason, allowed
from models.language_words import fold, words
from models.text import clean


def verdict(raw):
    """The verdict on a text as it comes in."""
    return allowed(clean(raw).text)


#: Utterances of the trained languages, as callers say them.
OWN = {
    "en": (
        "i want to cancel my order", "my name is ramesh kulkarni", "i live in chandigarh",
        "uh yeah the blue one", "it's about my iphone", "double two four nine",
        "can you send it to jeddah", "ship it to rua augusta in sao paulo please",
        "who is this", "i paid with paytm", "no that's the wrong one", "café near me please",
        "sorry could you repeat that", "yes i will be at home", "what time do you close",
    ),
    "hinglish": (
        "mera order abhi tak nahi aaya", "haan ji boliye", "theek hai kal baat karte hain",
        "mujhe refund chahiye yaar", "mera naam ramesh kulkarni hai", "payment cut gaya bhai",
        "aap kahan se bol rahe ho", "bas itna hi chahiye", "cancel kar do isko",
        "main abhi gaadi chala raha hoon", "kitne paise lagenge", "woh wala nahi dusra wala",
    ),
    "hi": (
        "मेरा ऑर्डर अभी तक नहीं आया", "मुझे पैसे वापस चाहिए", "मेरा नाम रमेश कुलकर्णी है",
        "मैं पुणे में रहता हूँ", "हिंदी में बात कीजिए", "ठीक है कल बात करते हैं",
        "पेमेंट कट गया लेकिन ऑर्डर नहीं हुआ", "आप कहाँ से बोल रहे हैं", "बस इतना ही",
        "कौन बोल रहा है", "हाँ वही वाला", "मेरा refund कब आएगा",
    ),
    "ar": (
        "عايز ألغي الأوردر", "انا مش فاهم حاجة", "ابغى أكلم موظف", "بدي احكي مع موظف",
        "أريد استرداد المبلغ", "اسمي أحمد كولكارني", "وين وصل طلبي", "شلون اقدر ادفع",
        "النت مقطوع من امبارح", "لا شكرا مش مهتم", "ممكن refund لو سمحت", "كم رصيدي",
    ),
}  # fmt: skip

#: Strangers of at least four words.
STRANGERS = {
    "ur": ("میرا آرڈر ابھی تک نہیں آیا", "مجھے پیسے واپس چاہیے", "آپ کہاں سے بول رہے ہیں"),
    # Spelt with Arabic letters only, as Arabic keyboards and some recognisers do.
    "ur-without-its-letters": (
        "ميرا نام احمد هے اور مين كراجي سے", "كيا آپ ميري مدد كر سكتي هين",
        "يه كتني كا هي بهائي", "اب كيا كرنا هو كا",
    ),
    "fa": ("سفارش من هنوز نرسیده است", "من پولم را پس می‌خواهم", "شما از کجا زنگ می زنید"),
    "fa-without-its-letters": ("من بول خود را بس ميخواهم", "اين سفارش هنوز نرسيده است"),
    "ps": ("زه خپلې پیسې بېرته غواړم",),
    "ckb": ("من پارەکەمم دەوێتەوە ئێستا",),
    "sd": ("مون کي پنهنجا پئسا واپس گهرجن",),
    "ug": ("مەن پۇلۇمنى قايتۇرۇپ ئالماقچى",),
    "mr": (
        "माझी ऑर्डर अजून आली नाही", "मला पैसे परत हवे आहेत", "तुम्ही कुठून बोलताय ते सांगा",
        "माझे नाव रमेश कुलकर्णी आहे", "ती उद्या येणार नाही",
    ),
    "ne": (
        "मेरो अर्डर अझै आएको छैन", "मलाई पैसा फिर्ता चाहियो अहिले",
        "तपाईं कहाँबाट बोल्दै हुनुहुन्छ", "मेरो नाम रमेश अधिकारी हो", "उनी भोलि आउँदैनन् होला",
    ),
    "bho": ("हमार पइसा वापस कब ले मिली", "रउआ कहाँ से बोलत बानी"),
    "mai": ("हमर पाइ कहिया धरि भेटत अछि", "अहाँ कतय सँ बाजि रहल छी"),
    "kok": ("म्हजे पयशे केन्ना मेळटले सांगात",),
    "sa": ("मम धनं कदा लप्स्यते इति वदतु",),
    "es": ("quiero cancelar mi pedido por favor", "no sé dónde está mi paquete"),
    "es-without-accents": ("no se donde esta mi paquete",),
    "fr": ("je voudrais annuler ma commande", "je ne sais pas où est mon colis"),
    "de": ("ich möchte meine bestellung stornieren", "wo ist denn mein paket"),
    "pt": ("quero cancelar o meu pedido", "não sei onde está minha encomenda"),
    "it": ("vorrei annullare il mio ordine", "non so dove sia il pacco"),
    "tr": ("siparişimi iptal etmek istiyorum hemen", "paketim nerede acaba bilmiyorum"),
    "nl": ("ik wil mijn bestelling annuleren", "waar blijft mijn pakketje dan"),
    "id": ("saya mau batalkan pesanan saya", "paket saya belum sampai juga"),
    "ms": ("saya nak batalkan pesanan saya", "barang saya belum sampai lagi"),
    "tl": ("gusto kong i-cancel ang order ko", "hindi pa dumating ang padala ko"),
    "sw": ("nataka kughairi oda yangu tafadhali", "mzigo wangu bado haujafika hapa"),
    "vi": ("tôi muốn hủy đơn hàng này",),
    "arabizi": ("ana mish 3ayz el order da", "3ayez a2abel el mas2ool delwa2ty"),
    "ta-latin": ("enakku en panam thirumba venum", "naan naalaikku varen seri ah"),
    "te-latin": ("naa order inka raledu andi", "naaku dabbulu tirigi kavali ippude"),
    "bn-latin": ("amar order ekhono asheni keno", "ami apnar sathe kotha bolte chai"),
    "mr-latin": ("mala maze paise parat pahijet", "tumhi kuthun boltay te sanga"),
}  # fmt: skip

REPLIES = (
    "ok", "okay", "yes", "no", "ya", "yep", "nope", "haan ji", "haan", "ji", "theek hai", "nahi",
    "na", "achha", "accha", "chalo", "la", "जी", "हाँ", "हां", "नहीं", "ठीक है", "अच्छा", "बस",
    "تمام", "ايوه", "أيوه", "آه", "لا", "لأ", "نعم", "ليه", "طيب", "خلاص", "ماشي", "OK.", "Haan!",
    "theek hai.", "ठीक है।", "noooo", "hello", "stop",
)  # fmt: skip


def _cases(by_language):
    return [
        pytest.param(text, id=f"{language}: {text}")
        for language, texts in by_language.items()
        for text in texts
    ]


class TestOwn:
    @pytest.mark.parametrize("text", _cases(OWN))
    def test_allowed(self, text):
        """
        Callers in the trained languages get through, with names, places and loan words.
        """
        assert verdict(text).allowed

    @pytest.mark.parametrize(
        ("text", "language"),
        [
            pytest.param(text, language, id=f"{language}: {text}")
            for language, texts in OWN.items()
            for text in texts[:4]
        ],
    )
    def test_language(self, text, language):
        """
        The language of an allowed utterance is told.
        """
        assert verdict(text).language == language

    @pytest.mark.parametrize("text", REPLIES)
    def test_short_replies(self, text):
        """
        Everyday short replies are always allowed.
        """
        assert verdict(text).allowed

    @pytest.mark.parametrize("text", _cases(OWN))
    def test_decomposed(self, text):
        """
        NFD spelling changes no verdict.
        """
        assert verdict(unicodedata.normalize("NFD", text)) == verdict(text)

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("\u202bعايز ألغي الأوردر\u202c", id="bidi marks"),
            pytest.param("can\u200bcel my\u200d order please", id="zero-width in Latin"),
            pytest.param("मुझे क्\u200dया करना है", id="joiner in Hindi"),
            pytest.param("ｃａｎｃｅｌ　ｍｙ　ｏｒｄｅｒ", id="full width"),
        ],
    )
    def test_same_after_cleaning(self, text):
        """
        Invisible characters and widths hide no language.
        """
        assert verdict(text).allowed

    def test_mixed_scripts(self):
        """
        Two scripts that share an utterance are told as mixed.
        """
        assert verdict("मेरा order number check कर दो please").language == "mixed"


class TestStrangers:
    @pytest.mark.parametrize("text", _cases(STRANGERS))
    def test_bypass(self, text):
        """
        Languages that only share a script with a trained one do not get through.
        """
        assert not verdict(text).allowed

    @pytest.mark.parametrize("text", _cases(STRANGERS))
    def test_decomposed(self, text):
        """
        NFD spelling lets no stranger in.
        """
        assert not verdict(unicodedata.normalize("NFD", text)).allowed

    @pytest.mark.parametrize(
        "text",
        ["si", "sí", "gracias", "merci", "danke", "terima kasih", "evet", "hapana", "شکریہ", "بله",
         "धन्यवाद हजुर", "नको", "छैन", "oui", "obrigado", "sim não"],
    )  # fmt: skip
    def test_short(self, text):
        """
        Their short replies do not get through either.
        """
        assert not verdict(text).allowed

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            pytest.param("вернуть деньги", Reason.OTHER_SCRIPT, id="Cyrillic"),
            pytest.param("எனக்கு வேண்டும்", Reason.OTHER_SCRIPT, id="Tamil"),
            pytest.param("ਹਾਂ ਜੀ", Reason.OTHER_SCRIPT, id="Gurmukhi"),
            pytest.param("我要退款", Reason.OTHER_SCRIPT, id="Chinese"),
            pytest.param("can\u0441el my order", Reason.OTHER_SCRIPT, id="one Cyrillic letter"),
            pytest.param("h\u03bfw much is it", Reason.OTHER_SCRIPT, id="one Greek letter"),
            pytest.param("open my я account", Reason.OTHER_SCRIPT, id="a foreign letter inside"),
            pytest.param("௧௨௩", Reason.OTHER_SCRIPT, id="Tamil digits"),
            pytest.param("১২৩", Reason.OTHER_SCRIPT, id="Bengali digits"),
            pytest.param("ٹھیک", Reason.OTHER_LETTERS, id="letters of Urdu"),
            pytest.param("đơn hàng ở đâu", Reason.OTHER_LETTERS, id="letters of Vietnamese"),
            pytest.param("quiero hablar con alguien", Reason.OTHER_WORDS, id="words of Spanish"),
        ],
    )
    def test_reason(self, text, reason):
        """
        The step that refused is named.
        """
        assert verdict(text).reason == reason


class TestNoLetters:
    @pytest.mark.parametrize("text", ["4", "12 345", "٤٥", "१२३", "+91 98200 12345", "50%"])
    def test_digits(self, text):
        """
        Digits of our scripts are an answer in any language.
        """
        assert verdict(text) == allowed(text)
        assert (verdict(text).allowed, verdict(text).language) == (True, "none")

    @pytest.mark.parametrize("text", ["", "👍", "😀😀", "?!", "...", "\u200b\u200e", "—"])
    def test_nothing_said(self, text):
        """
        Emoji, punctuation and what is empty after cleaning say nothing.
        """
        assert (verdict(text).allowed, verdict(text).reason) == (False, Reason.NOTHING_SAID)

    def test_emoji_beside_words(self):
        """
        Emoji beside words change nothing.
        """
        assert verdict("ok thanks 👍").allowed


class TestWords:
    @pytest.mark.parametrize(
        ("text", "script", "expected"),
        [
            pytest.param("don't say 3ayz", "latin", ["don't", "say", "3ayz"], id="Latin"),
            pytest.param("ठीक है, जी", "devanagari", ["ठीक", "है", "जी"], id="Devanagari"),
            pytest.param("لا، شُكرًا", "arabic", ["لا", "شُكرًا"], id="Arabic"),
            pytest.param("मेरा order 5", "latin", ["order"], id="one of two scripts"),
        ],
    )
    def test_cut(self, text, script, expected):
        """
        Words of a script are cut with their marks, digits and apostrophes.
        """
        assert words(text, script) == expected

    @pytest.mark.parametrize(
        ("one", "other", "script"),
        [
            pytest.param("Straße", "strasse", "latin", id="sharp s"),
            pytest.param("não", "nao", "latin", id="accents"),
            pytest.param("noooooo", "noo", "latin", id="drawn out"),
            pytest.param("ज़रूर", "जरूर", "devanagari", id="nukta"),
            pytest.param("हाँ", "हां", "devanagari", id="nasal"),
            pytest.param("أُريدُ", "اريد", "arabic", id="points and hamza"),
            pytest.param("کیا", "كيا", "arabic", id="Persian shapes"),
        ],
    )
    def test_fold(self, one, other, script):
        """
        Spellings of one word fold together.
        """
        assert fold(one, script) == fold(other, script)
