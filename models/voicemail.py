"""
Answering machines: greetings and network announcements in English, Hindi, Hinglish and Arabic.

Precise before complete: a caller who says "I'll leave you a message" or "he is not available" is a
caller. One phrase that only machines say is enough; what people say too needs a second one.
"""

import re

from models.language_words import flatten

_LINE = r"(?:number|person|party|customer|subscriber|caller|user|mobile|phone|extension)"
_GONE = (
    r"(?:switched off|turned off|not reachable|unreachable|unavailable|not available|busy"
    r"|not answering|not responding|out of (?:coverage|network|service|range)|not in service"
    r"|no longer|does not exist|invalid|cannot be reached|on another call|speaking to|not connected)"
)
#: Words before "leave a message" that make it a person's plan or question, not an instruction.
_IMPERATIVE = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "i", "to", "can", "could", "will", "would", "should", "may", "you", "he", "she", "we", "they",
        "not", "did", "must", "do", "me", "him", "her",
    )
) + r"(?<!n't )(?<!'ll )(?<!'d )"  # fmt: skip
#: Said by machines only.
_MACHINE = re.compile(
    "|".join(
        (
            r"\b(?:after|at|following) the (?:beep|tone|signal)\b",
            rf"\b{_LINE} (?:that )?you(?:'ve| have| are|'re)? (?:just )?(?:dial|call|try|reach)\w*"
            rf".{{0,60}}\b{_GONE}",
            r"\b(?:number|call) .{0,40}(?:dialled|dialed).{0,40}\b(?:incorrect|not (?:valid|in use))",
            r"\breached (?:the |my )?(?:voice ?mail|mailbox|answering (?:machine|service))",
            r"\byou(?:'ve| have) reached [^.]{1,40}\b(?:leave|message|unavailable|unable|can't|cannot)",
            r"\b(?:mail ?box|voice ?mail(?: box)?) (?:is full|is currently full|has not been set up"
            r"|is not set up|cannot accept)",
            r"\bcall (?:has been|is being) forwarded\b",
            r"\b(?:forwarded|transferred) to (?:an? )?(?:automated |automatic )?voice",
            r"\b(?:take|answer|missed) your call\b.{0,80}\b(?:leave|message|get back|return|call you)",
            r"\b(?:can't|cannot|can not|not able to|unable to|unavailable to|not available to"
            r"|not here to) (?:take|answer) your call\b",
            r"\byour call (?:cannot|can't|could not) be (?:answered|completed|taken|connected)",
            r"\brecord your (?:message|name)\b",
            r"\bwhen you(?:'ve| have| are|'re)? (?:finished|done) recording\b",
            rf"{_IMPERATIVE}\bleave (?:me |us )?(?:a|your|the) (?:\w+ ){{0,2}}(?:message|memo)\b"
            r"(?! (?:with|for (?!me\b|us\b|the (?:team|office))|to (?!me\b|us\b)|on (?:his|her|their)))",
            r"\b(?:away from|not (?:by|near)) (?:the|my) phone\b",
            r"\b(?:unable|not able) to answer (?:right now|at the moment|the phone|at this time)",
            r"\bnot in a position to answer your call|\bat my earliest (?:convenience|opportunity)",
            r"\byour message will (?:be|receive)\b|\byour call has been missed",
            r"\bleave (?:me |us )?(?:a|your) (?:\w+ )?(?:message|name)\b.{0,40}"
            r"\b(?:get back|call you back|return your call|reach out|respond)",
            r"\bleave your name\b.{0,30}\bnumber\b",
            r"\b(?:all|our) (?:agents|operators|lines|representatives) are (?:currently |all )?busy\b",
            # Hindi
            r"(?:जिस|जो) (?:नंबर|नम्बर|व्यक्ति|उपभोक्ता|ग्राहक|सब्सक्राइबर)\S* .{0,50}"
            r"(?:कॉल|काल|डायल|संपर्क|सम्पर्क|बात|पहुंच).{0,50}"
            r"(?:बंद|स्विच|व्यस्त|बाहर|उपलब्ध नहीं|उत्तर नहीं|जवाब नहीं|सेवा में नहीं|कवरेज|मौजूद नहीं|अमान्य)",
            r"(?:द्वारा|ने) (?:डायल|मिलाया|कॉल) ?(?:किया|किए|की)? ?(?:गया|गए)? ?(?:नंबर|नम्बर|उपभोक्ता)",
            r"(?:बीप|टोन|ध्वनि|सिग्नल) (?:की आवाज )?के (?:बाद|पश्चात)",
            r"(?:कृपया|प्लीज).{0,20}(?:संदेश|सन्देश|मैसेज) (?:छोड|छोङ|रिकॉर्ड|दर्ज)",
            r"अपना (?:नाम और )?(?:संदेश|सन्देश|मैसेज) (?:छोड|छोङ|रिकॉर्ड|दर्ज)",
            r"(?:वॉइस|वॉयस|वाइस|वॉइस) ?मेल (?:बॉक्स|पर आपका|में आपका|सेवा|पर भेज)",
            r"कृपया (?:कुछ|थोडी) (?:समय|देर) (?:के )?(?:बाद|पश्चात) (?:पुनः|पुन|फिर|दोबारा|दुबारा|प्रयास|कोशिश)",
            r"आपकी कॉल (?:का उत्तर|का जवाब) नहीं",
            # Hinglish
            r"\b(?:jis|jo) (?:number|no|vyakti|customer|subscriber|upbhokta)\b.{0,50}"
            r"\b(?:call|dial|sampark|baat)\b.{0,50}\b(?:switch\w* off|band|vyast|busy|bahar"
            r"|uplabdh nah\w+|available nah\w+|jawab nah\w+|coverage|mojud nah\w+)",
            r"\bdwara (?:dial|call) (?:kiya|kiye) (?:gaya|gaye) number",
            r"\b(?:beep|tone) ke baad\b",
            r"\b(?:kripya|kripaya|please)\b.{0,20}\b(?:sandesh|message) (?:chh?o\w+|record)",
            r"\bapna (?:naam aur )?(?:sandesh|message) (?:chh?o[dr]\w*|record)",
            r"\bkrip(?:a)?ya (?:kuch|thodi|thode) (?:samay|der) (?:ke )?baad (?:punah?|phir|fir|dobara"
            r"|prayas|koshish)",
            # Arabic
            r"(?:الرقم|المشترك|النمرة|النمره) (?:الذي |اللي )?(?:تم )?(?:طلبت|تطلب|اتصلت|تتصل|تحاول|المطلوب)",
            r"(?:المشترك|الهاتف|الرقم|الجوال|الموبايل) .{0,20}(?:مغلق|مقفل|خارج (?:نطاق )?(?:الخدمة|التغطية)"
            r"|غير متاح|غير موجود|لا يمكن الاتصال|مشغول حاليا)",
            r"(?<!ممكن )(?<!عايز )(?<!اريد )(?<!اقدر )(?<!ابي )(?<!ابغي )(?<!بدي )(?<!ان )"
            r"(?:^|\b)(?:فضلك |رجاء |الرجاء )?(?:اترك|اتركوا|سيب|يرجي ترك|الرجاء ترك|برجاء ترك|رجاء ترك|يمكنك ترك"
            r"|تفضل بترك|خلي) (?:لي |لنا |لينا )?(?:رسالة|رساله|رسالتك|رسالتكم|اسمك|مسج)(?! (?:مع|عند|ل))",
            r"بعد (?:سماع )?(?:صوت )?(?:الصافرة|الصفارة|النغمة|الاشارة|البيب|التنبيه|الصفاره|النغمه)",
            r"(?:البريد|الرد|المجيب) (?:الصوتي|الالي)",
            r"(?:لا|لن|مش|ما) (?:استطيع|يمكنني|نستطيع|يمكننا|قادر|اقدر|نقدر|هقدر) (?:ال|ا|ن)?رد (?:حاليا |الان )?علي"
            r" (?:مكالمت|اتصال)",
            r"مكالمت(?:ك|كم) (?:محولة|تم تحويل|مهمة)|تم تحويل مكالمت",
        )
    )
)
#: Said by people too: one of each kind is needed.
_ABSENT = re.compile(
    r"\baway from my desk|\bunable to (?:answer|come to the phone)|\bmissed your call"
    r"|\bcurrently (?:unavailable|away|not accessible)"
    r"|\byou(?:'ve| have) reached (?!the wrong)|\byour (?:call|message) is (?:important|appreciated)"
    r"|लाइन पर बने रहें|आपकी कॉल (?:हमारे लिए )?महत्वपूर्ण"
    r"|غير متواجد حاليا|غير متاح حاليا|بعيد عن الهاتف"
)
_PROMISE = re.compile(
    r"\breturn (?:your|the) call|\b(?:get|getting) back to you|\bcall you back"
    r"|\b(?:respond|reply|reach out|response)\b|\bleave (?:a|me a|your) |\byour message\b"
    r"|\btry (?:again|your call again) later|\bplease (?:hold|stay on the line)"
    r"|बाद में (?:कॉल|संपर्क)|कृपया प्रतीक्षा"
    r"|(?:ساعاود|سنعاود|معاودة) الاتصال|(?:حاول|المحاولة) (?:مرة اخري|لاحقا|في وقت لاحق)|يرجي (?:الانتظار|المحاولة)"
)


def is_voicemail(text: str) -> bool:
    """
    Whether cleaned text is an answering machine or a network announcement.

    Args:
        text: Cleaned text, in any trained language.
    """
    flat = flatten(text)
    return bool(_MACHINE.search(flat) or (_ABSENT.search(flat) and _PROMISE.search(flat)))
