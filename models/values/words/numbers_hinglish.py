"""
Hindi number words in Latin letters, as callers' messages and recognisers spell them.

There is no standard spelling: each word is a pattern of `models.values.spelling`. Vowels double at
will, aspirates lose their h, doubled consonants become single.
"""

from models.values.word import Function

CARDINALS: dict[int, str] = {
    0: "sh(u|oo)nya sifar",
    1: "ek aik",
    2: "do",
    3: "teen tin tiin",
    4: "ch(a|aa)r",
    5: "p(a|aa)(n|)ch paanchh panchh",
    6: "ch(h|)(e|ah|eh|hey) chai(h) chhai chhay",
    7: "sa(a|)t",
    8: "a(a|)t(h|hh) aat",
    9: "n(au|ou|ao)",
    10: "d(a|u)s",
    11: "g(y|iy|ya|)(a|aa)ra(h|) gyrah igyarah",
    12: "b(a|aa)ra(h|) baarha",
    13: "t(e|ei)ra(h) terha",
    14: "ch(au|ou|o|aw)d(a|aa)(h|)",
    15: "p(a|u)(n|nn)(d|dh)(|a|e)ra(h|) pandrha",
    16: "s(o|oo)la(h|) soleh",
    17: "sa(t|tt)ra(h|) satarah sattarah",
    18: "a(th|tth|tt|tthh|thh)(a|aa)ra(h|)",
    19: "un(n|)(i|ee)s",
    20: "b(ee|i|ii)s",
    21: "(i|e)(k|kk)(i|ee)s",
    22: "b(a|aa)(|y|i)(i|ee)s",
    23: "te(|y)(i|ee)s tais",
    24: "ch(au|ou|o)b(|b)(i|ee)s",
    25: "p(a|aa)(ch|chch|cch|chh|cchh)(i|ee)s",
    26: "ch(|h)a(b|bb)(i|ee)s",
    27: "sa(t|tt)(a|aa)(|y)(i|ee)s",
    28: "a(th|tth|tt|tthh|thh)(a|aa)(|y)(i|ee)s",
    29: "un(|a|n|na)(t|tt)(i|ee)s",
    30: "t(ee|i|ii)s",
    31: "(i|e)k(|a)(t|tt)(i|ee)s",
    32: "ba(t|tt)(i|ee)s",
    33: "t(ai|e|ei|ee)(n|)t(i|ee)s",
    34: "ch(au|ou|o)(n|)t(i|ee)s",
    35: "p(ai|e|ei|ee)(n|)t(i|ee)s",
    36: "ch(|h)a(t|tt)(i|ee)s",
    37: "s(ai|e|ei)(n|)t(i|ee)s",
    38: "a(d|r|dh|rh)(|a)t(i|ee)s",
    39: "un(|a)t(a|aa)l(i|ee)s unch(a|aa)l(i|ee)s",
    40: "ch(a|aa)l(i|ee)s",
    41: "(i|e)k(|a)t(a|aa)l(i|ee)s",
    42: "b(a|i|)y(a|aa)l(i|ee)s",
    43: "t(ai|e|ei|i)(n|r|)t(a|aa)l(i|ee)s",
    44: "ch(au|ou|a|au)(v|w|vv|n|nv)(a|aa)l(i|ee)s",
    45: "p(ai|e|ei)(n|)t(a|aa)l(i|ee)s",
    46: "ch(|h)i(y|)(a|aa)l(i|ee)s",
    47: "s(ai|e|ei)(n|)t(a|aa)l(i|ee)s",
    48: "a(d|r|dh)(|a)t(a|aa)l(i|ee)s",
    49: "un(|a)(ch|cch)(a|aa)s unan(|a)ch(a|aa)s",
    50: "pa(ch|cch)(a|aa)s",
    51: "(i|e)(k|kk)y(a|aa)(v|w)(a|aa)n",
    52: "b(a|aa)(v|w)an",
    53: "t(i|e)r(|e|a)pan",
    54: "ch(au|ou|a)(v|w|vv|ww)an",
    55: "pach(|a)pan",
    56: "ch(|h)a(p|pp)an",
    57: "sa(t|tt)(a|aa)(v|w)an",
    58: "a(th|tth|tt)(a|aa)(v|w)an",
    59: "un(|a)sa(th|tth|t)",
    60: "s(aa|a)th",
    61: "(i|e)k(|a)sa(th|tth|t)",
    62: "b(a|aa)sa(th|tth|t)",
    63: "t(i|)r(|e|a)sa(th|tth|t)",
    64: "ch(au|ou|o)(n|)sa(th|tth|t)",
    65: "p(ai|e|ei)(n|)sa(th|tth|t)",
    66: "ch(|h)i(y|)(a|aa)sa(th|tth|t)",
    67: "sa(d|r|dh)(|a)sa(th|tth|t)",
    68: "a(d|r|dh)(|a)sa(th|tth|t)",
    69: "un(h|ah|)a(t|tt)ar",
    70: "sa(t|tt)ar",
    71: "(i|e)k(|a)ha(t|tt)ar",
    72: "b(a|aa)ha(t|tt)ar",
    73: "t(i|e)ha(t|tt)ar",
    74: "ch(au|ou|o)ha(t|tt)ar",
    75: "p(a|i)(ch|chh|chah|chha|chchh)a(t|tt)ar pa(ch|chh)(a|)ha(t|tt)ar",
    76: "ch(|h)iha(t|tt)ar",
    77: "sa(t|th|tah|t)(h|)a(t|tt)ar",
    78: "a(th|tth|thh|thah)(h|)a(t|tt)ar",
    79: "un(n|y|ny|)(a|aa)s(i|ee) uny(a|aa)s(i|ee)",
    80: "a(s|ss)(i|ee)",
    81: "(i|e)(k|kk)y(a|aa)s(i|ee)",
    82: "b(a|i|)y(a|aa)s(i|ee)",
    83: "tir(a|aa)s(i|ee)",
    84: "ch(au|ou)r(a|aa)s(i|ee)",
    85: "p(a|i)ch(a|aa)s(i|ee)",
    86: "ch(|h)i(y|)(a|aa)s(i|ee)",
    87: "sa(t|tt)(a|aa)s(i|ee)",
    88: "a(th|tth|tt)(a|aa)s(i|ee)",
    89: "n(a|)(v|w)(a|aa)s(i|ee)",
    90: "na(b|bb)(e|ey|ay) na(v|vv)e",
    91: "(i|e)(k|kk)y(a|aa)n(|a)(v|w|b)(e|ey|ay)",
    92: "b(a|aa)n(|a)(v|w|b)(e|ey|ay) bay(a|aa)n(v|w|b)e",
    93: "tir(a|aa)n(|a)(v|w|b)(e|ey|ay)",
    94: "ch(au|ou)r(a|aa)n(|a)(v|w|b)(e|ey|ay)",
    95: "p(a|an|i)ch(a|aa)n(|a)(v|w|b)(e|ey|ay)",
    96: "ch(|h)i(y|)(a|aa)n(|a)(v|w|b)(e|ey|ay)",
    97: "sa(t|tt)(a|aa)n(|a)(v|w|b)(e|ey|ay)",
    98: "a(th|tth|tt)(a|aa)n(|a)(v|w|b)(e|ey|ay)",
    99: "nin(y|n|ny|)(a|aa)n(|a)(v|w|b)(e|ey|ay)",
}

#: Spellings that two numbers share: sixty loses a vowel, seven gains an h.
SHARED: dict[tuple[int, ...], str] = {
    (60, 7): "saath sath",
}

#: Words that mean something else in Hindi too.
CONTEXT = (
    "ek aik chah che chhe cheh panch pach aat nou bara baara barah sola saath sath assi asi"
    " navasi nawasi navasee tais bais satar sattar pantis unasi"
)

#: Words that spell something else in English: numbers only in romanised Hindi, beside a unit.
COLLIDES = (
    "do teen tin char che ath saat sat nau nao das dus bees bis tees tis chai aat bais tais"
    " sath bawan batis gara gaara chatis nave unis pone pona saare ded so arab"
)

#: "so" is a common misspelling of "sau".
MULTIPLIERS: dict[int, str] = {
    100: "sau so",
    1000: "hazar hazaar hajar hajaar hzar",
    100_000: "laakh",
    10_000_000: "karod karor carod crod karodh",
    12: "darjan darzan",
    1_000_000_000: "arab",
}

FRACTIONS: dict[tuple[str, float], str] = {
    ("whole", 1.5): "d(e|ed|ai)(dh|rh) derh dedh ded derd",
    ("whole", 2.5): "(|a)dh(a|aa)(i|ee|yi) adhai dhaai",
    ("plus", 0.5): "s(a|aa)(dh|d|rh|ddh)(e|ey|ay) sadhe saade sarhe saare",
    ("plus", 0.25): "sa(v|w)(a|aa)",
    ("minus", 0.25): "p(au|o|ou|aw)n(e|ey|ay|a)",
    ("part", 0.25): "ch(au|ou)th(a|aa)(i|ee|yi)",
    ("half", 0.5): "(a|aa)dh(a|e|i|aa) aadha aadhe aadhi",
}

#: Those with a form of their own; the others are cardinals with an ending.
ORDINALS: dict[int, str] = {
    1: "pehl(a|i|aa|ee) pahl(a|i|aa|ee) phel(a|i)",
    2: "d(u|oo)sr(a|i|e|aa|ee) dusar(a|i)",
    3: "t(ee|i)sr(a|i|e|aa|ee)",
    4: "ch(au|ou)th(a|i|e|aa|ee)",
    6: "ch(|h)ath(a|i|e)",
}

#: Also "another".
ORDINALS_WEAK = "d(u|oo)sr(a|i|e|aa|ee) dusar(a|i)"

#: Words that prove a text to be romanised Hindi; none of them is an English word.
MARKERS = (
    "hai hain ka ki ke ko mein nahi nahin nhi kya kyu kyun aur baje bajhe mujhe muje mera"
    " meri mere mujhko humko hume hamko hamara apna apne apni aap aapka aapki aapke chahiye"
    " chaiye karo karna karke karen kare kariye karni karunga kar kardo tha thi hoga hogi"
    " honge wala wali wale tak bhi abhi haan haa ji kal aaj aj parso subah subha shaam sham"
    " raat dopahar ghante ghanta ghanto rupaye rupay rupiye rupaya hazar hazaar sau dino"
    " mahine mahina hafte hafta saal logo bacche bachche yaar matlab lekin agar phir iska"
    " uska isme usme kitne kitna kitni chahie dijiye dijie bhai milega dena lena batao bolo"
    " wahan yahan sirf thoda jaldi hua hui raha rahi rahe gaya gayi ghar paisa paise liye ek"
    " bata bataiye sakte sakta sakti hun hoon hu aana aao aaye aayega aayegi aayenge aaenge"
    " aaunga aaungi jana jao jaye jayega jayenge jaana chalega chalo lagega lagao lagaiye"
    " milenge milna batana bolna dekho suno rakho rukna ruko theek thik accha achha aisa"
    " kaise kaisa kahan kab kaun wo woh yeh kuch kuchh koi bahut zyada iske uske unka inka"
    " tumhara tum hamare hona chahta chahti pata wahi yahi jab tab waise krna krdo krke kro"
)

FUNCTIONS: dict[int, str] = {
    Function.AND: "aur",
    Function.OR: "ya",
    Function.ON: "ko",
    Function.TO: "se tak",
    Function.PERCENT: "pratishat pratishad fisdi feesadi fisadi parsent percnt",
    Function.POINT: "dashamlav",
    Function.GRADE: "kaksha",
    Function.OF: "ke ki ka",
    Function.BETWEEN: "beech bich",
    Function.STEM: (
        "kar de bata bhej likh rakh bol keh kah dikha dila kara karwa laga hata chala bana"
        " nikal chod chhod suna padha samjha rok daal khol pahucha jane aane rehne hone band"
    ),
    Function.ORDINAL_END: "va vi ve wa wi vin ven van",
    Function.RANKED: "wala wali wale vala vali vale manzil option",
}
