"""
Answering machines: greetings and network announcements in English, Hindi, Hinglish and Arabic.

Precise before complete: a caller who says "I'll leave you a message" or "he is not available" is a
caller. One phrase that only machines say is enough; what people say too needs a second one.
"""

import re

from models.language_words import Reading, read

#: Words before "leave a message" that make it a person's plan or question, not an instruction.
_IMPERATIVE = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "i", "to", "can", "could", "will", "would", "should", "may", "you", "he", "she", "we",
        "they", "not", "did", "must", "do", "me", "him", "her",
    )
) + r"(?<!n't )(?<!'ll )(?<!'d )"  # fmt: skip
_GONE = (
    r"(?:switched off|turned off|not reachable|unreachable|unavailable|not available|busy"
    r"|not answering|not responding|out of (?:coverage|network|service|range)|not in service"
    r"|no longer|does not exist|invalid|cannot be reached|on another call|speaking to"
    r"|not connected)"
)
_GONE_HI = "(?:बंद|स्विच|व्यस्त|बाहर|उपलब्ध नहीं|उत्तर नहीं|जवाब नहीं|सेवा में नहीं|कवरेज|मौजूद नहीं|अमान्य)"
_GONE_HINGLISH = (
    r"(?:switch\w* off|band|vyast|busy|bahar|uplabdh nah\w+|available nah\w+|jawab nah\w+"
    r"|coverage"
    r"|mojud nah\w+)"
)
_GONE_AR = (
    "(?:مغلق|مقفل|خارج (?:نطاق )?(?:الخدمة|التغطية)|غير متاح|غير موجود|لا يمكن الاتصال|مشغول حاليا)"
)
#: A wish or a question before "leave a message" in Arabic.
_WISH_AR = "".join(
    f"(?<!{word} )" for word in ("ممكن", "عايز", "اريد", "اقدر", "ابي", "ابغي", "بدي", "ان")
)

#: Said by machines only: a word of the first part must occur before its pattern is tried, which
#: keeps the guard at a few microseconds.
_MACHINE = (
    # English
    (("beep", "tone", "signal"),
     r"\b(?:after|at|following) the (?:beep|tone|signal)\b|\b(?:beep|tone) ke baad\b"),
    (("number you", "person you", "party you", "customer you", "subscriber", "caller you",
      "user you", "phone you", "mobile you", "that you", "extension you"),
     r"\b(?:number|person|party|customer|subscriber|caller|user|mobile|phone"
     r"|extension) (?:that )?"
     r"you(?:'ve| have| are|'re)? (?:just )?(?:dial|call|try|reach)\w*.{0,60}\b" + _GONE),
    (("dialled", "dialed"),
     r"\b(?:number|call) .{0,40}dial(?:l)?ed.{0,40}\b(?:incorrect|not (?:valid|in use))"),
    (("reached",),
     (r"\breached (?:the |my )?(?:voice ?mail|mailbox|answering (?:machine|service))"
     r"|\byou(?:'ve| have) reached [^.]{1,40}\b(?:leave|message|unavailable|unable|can't"
     r"|cannot)")),
    (("mail box", "mailbox", "voicemail", "voice mail"),
     (r"\b(?:mail ?box|voice ?mail(?: box)?) (?:is full|is currently full|has not been set up"
     r"|is not set up|cannot accept)")),
    (("forwarded", "transferred"),
     (r"\bcall (?:has been|is being) forwarded\b"
     r"|\b(?:forwarded|transferred) to (?:an? )?(?:automated |automatic )?voice")),
    (("your call",),
     (r"\b(?:take|answer|missed) your call\b.{0,80}\b(?:leave|message|get back|return|call you)"
     r"|\b(?:can't|cannot|can not|not able to|unable to|unavailable to|not available to"
     r"|not here to|not in a position to) (?:take|answer) your call\b"
     r"|\byour call (?:cannot|can't|could not) be (?:answered|completed|taken|connected)"
     r"|\byour call has been missed")),
    (("record", "recording"),
     (r"\brecord your (?:message|name)\b"
     r"|\bwhen you(?:'ve| have| are|'re)? (?:finished|done) recording\b")),
    (("leave",),
     _IMPERATIVE + r"\bleave (?:me |us )?(?:a|your|the) (?:\w+ ){0,2}(?:message|memo)\b"
     r"(?! (?:with|for (?!me\b|us\b|the (?:team|office))|to (?!me\b|us\b)|on (?:his|her|their)))"
     r"|\bleave (?:me |us )?(?:a|your) (?:\w+ )?(?:message|name)\b.{0,40}"
     r"\b(?:get back|call you back|return your call|reach out|respond)"
     r"|\bleave your name\b.{0,30}\bnumber\b"),
    (("the phone", "my phone", "to answer"),
     (r"\b(?:away from|not (?:by|near)) (?:the|my) phone\b"
     r"|\b(?:unable|not able) to answer (?:right now|at the moment|the phone|at this time)")),
    (("my earliest", "your message will", "are busy", "are currently", "are all"),
     (r"\bat my earliest (?:convenience|opportunity)|\byour message will (?:be|receive)\b"
     r"|\b(?:all|our) (?:agents|operators|lines|representatives) are (?:currently "
     r"|all )?busy\b")),
    # Hindi
    (("जिस ", "जो "),
     r"(?:जिस|जो) (?:नंबर|नम्बर|व्यक्ति|उपभोक्ता|ग्राहक|सब्सक्राइबर)\S* .{0,50}"
     r"(?:कॉल|काल|डायल|संपर्क|सम्पर्क|बात|पहुंच).{0,50}" + _GONE_HI),
    (("डायल", "मिलाया"),
     (r"(?:द्वारा|ने) (?:डायल|मिलाया|कॉल) ?(?:किया|किए|की)? ?(?:गया|गए)? ?(?:नंबर|नम्बर"
     r"|उपभोक्ता)")),
    (("बीप", "टोन", "ध्वनि", "सिग्नल"),
     r"(?:बीप|टोन|ध्वनि|सिग्नल) (?:की आवाज )?के (?:बाद|पश्चात)"),
    (("संदेश", "सन्देश", "मैसेज"),
     (r"(?:कृपया|प्लीज).{0,20}(?:संदेश|सन्देश|मैसेज) (?:छोड|रिकॉर्ड|दर्ज)"
     r"|अपना (?:नाम और )?(?:संदेश|सन्देश|मैसेज) (?:छोड|रिकॉर्ड|दर्ज)")),
    (("मेल",), r"(?:वॉइस|वॉयस|वाइस|वॉईस) ?मेल (?:बॉक्स|पर आपका|में आपका|सेवा|पर भेज)"),
    (("कृपया",),
     (r"कृपया (?:कुछ|थोडी) (?:समय|देर) (?:के )?(?:बाद|पश्चात) (?:पुनः|पुन|फिर|दोबारा|दुबारा"
     r"|प्रयास|कोशिश)")),
    (("आपकी कॉल",), r"आपकी कॉल (?:का उत्तर|का जवाब) नहीं"),
    # Hinglish
    (("jis ", "jo "),
     r"\b(?:jis|jo) (?:number|no|vyakti|customer|subscriber|upbhokta)\b.{0,50}"
     r"\b(?:call|dial|sampark|baat)\b.{0,50}\b" + _GONE_HINGLISH),
    (("dwara",), r"\bdwara (?:dial|call) (?:kiya|kiye) (?:gaya|gaye) number"),
    (("sandesh", "message"),
     (r"\b(?:kripya|kripaya|please)\b.{0,20}\b(?:sandesh|message) (?:chh?o\w+|record)"
     r"|\bapna (?:naam aur )?(?:sandesh|message) (?:chh?o[dr]\w*|record)")),
    (("kripya", "kripaya"),
     (r"\bkripa?ya (?:kuch|thodi|thode) (?:samay|der) (?:ke )?baad (?:punah?|phir|fir|dobara|prayas"
     r"|koshish)")),
    # Arabic
    (("الرقم", "المشترك", "النمر"),
     (r"(?:الرقم|المشترك|النمرة|النمره) (?:الذي |اللي )?(?:تم )?(?:طلبت|تطلب|اتصلت|تتصل"
     r"|تحاول|المطلوب)")),
    (("المشترك", "الهاتف", "الرقم", "الجوال", "الموبايل"),
     r"(?:المشترك|الهاتف|الرقم|الجوال|الموبايل) .{0,20}" + _GONE_AR),
    (("رسال", "اسمك", "مسج"),
     _WISH_AR + r"(?:^|\b)(?:فضلك |رجاء |الرجاء )?(?:اترك|اتركوا|سيب|يرجي ترك|الرجاء ترك|برجاء ترك"
     r"|رجاء ترك|يمكنك ترك|تفضل بترك|خلي) (?:لي |لنا |لينا )?(?:رسالة|رساله|رسالتك|رسالتكم"
     r"|اسمك|مسج)"
     r"(?! (?:مع|عند|ل))"),
    (("بعد ",),
     r"بعد (?:سماع )?(?:صوت )?(?:الصافرة|الصفارة|النغمة|الاشارة|البيب|التنبيه|الصفاره|النغمه)"),
    (("الصوتي", "الالي"), r"(?:البريد|الرد|المجيب) (?:الصوتي|الالي)"),
    (("مكالمت", "اتصال"),
     (r"(?:لا|لن|مش|ما) (?:استطيع|يمكنني|نستطيع|يمكننا|قادر|اقدر|نقدر|هقدر) (?:ال|ا|ن)?رد"
     r" (?:حاليا |الان )?علي (?:مكالمت|اتصال)"
     r"|مكالمت(?:ك|كم) (?:محولة|تم تحويل|مهمة)|تم تحويل مكالمت")),
)  # fmt: skip
#: Said by people too: one of each kind is needed.
_ABSENT = (
    ("my desk", "unable to", "missed your", "currently", "have reached", "'ve reached", "important",
     "appreciated", "लाइन", "महत्वपूर्ण", "حاليا", "الهاتف"),
    (r"\baway from my desk|\bunable to (?:answer|come to the phone)|\bmissed your call"
    r"|\bcurrently (?:unavailable|away|not accessible)"
    r"|\byou(?:'ve| have) reached (?!the wrong)|\byour (?:call|message) is (?:important"
    r"|appreciated)"
    r"|लाइन पर बने रहें|आपकी कॉल (?:हमारे लिए )?महत्वपूर्ण"
    r"|غير متواجد حاليا|غير متاح حاليا|بعيد عن الهاتف"),
)  # fmt: skip
_PROMISE = re.compile(
    r"\breturn (?:your|the) call|\b(?:get|getting) back to you|\bcall you back"
    r"|\b(?:respond|reply|reach out|response)\b|\bleave (?:a|me a|your) |\byour message\b"
    r"|\btry (?:again|your call again) later|\bplease (?:hold|stay on the line)"
    r"|बाद में (?:कॉल|संपर्क)|कृपया प्रतीक्षा"
    r"|(?:ساعاود|سنعاود|معاودة) الاتصال|(?:حاول|المحاولة) (?:مرة اخري|لاحقا|في وقت لاحق)"
    r"|يرجي (?:الانتظار|المحاولة)"
)
_RULES = tuple((words, re.compile(pattern)) for words, pattern in _MACHINE)
_ABSENT_WORDS, _ABSENT_PATTERN = _ABSENT[0], re.compile(_ABSENT[1])


def is_voicemail(text: str) -> bool:
    """
    Whether cleaned text is an answering machine or a network announcement.

    Args:
        text: Cleaned text, in any trained language.
    """
    return greets(read(text))


def greets(reading: Reading) -> bool:
    """As `is_voicemail`, of a text that was cut already."""
    flat = reading.flat
    for words, pattern in _RULES:
        for word in words:
            if word in flat:
                if pattern.search(flat):
                    return True
                break
    return (
        any(word in flat for word in _ABSENT_WORDS)
        and _ABSENT_PATTERN.search(flat) is not None
        and _PROMISE.search(flat) is not None
    )
