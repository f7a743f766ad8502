import pytest

from models.text import clean
from models.voicemail import is_voicemail

MACHINES = (
    "please leave a message",
    "Please leave your message after the tone",
    "the number you have dialled is switched off",
    "hi you've reached john please leave a message",
    "the person you are trying to call is not available",
    "at the beep record your message",
    "your call has been forwarded to an automatic voice message system",
    "i can't take your call right now",
    "the mailbox is full and cannot accept messages",
    "i'm away from my phone i'll get back to you",
    "currently occupied leave a message",
    "hi this is sam leave me a message and i'll call you back",
    "आप जिस नंबर पर कॉल कर रहे हैं वह अभी स्विच ऑफ है",
    "जिस नंबर से आप संपर्क करना चाहते हैं वह व्यस्त है",
    "आपके द्वारा डायल किया गया नंबर उपलब्ध नहीं है",
    "कृपया बीप के बाद अपना संदेश छोड़ें",
    "aap jis number par call kar rahe hain wo abhi switched off hai",
    "kripya beep ke baad apna sandesh chhode",
    "aapke dwara dial kiya gaya number vyast hai",
    "الرقم الذي طلبته غير متاح حاليا",
    "الهاتف الذي طلبته مغلق أو خارج نطاق الخدمة",
    "من فضلك اترك رسالة بعد الصافرة",
    "سيب رسالتك بعد الصفارة",
    "يرجى ترك رسالة",
    "لا أستطيع الرد على مكالمتك الآن",
    "المشترك المطلوب غير متاح",
    "تم تحويل مكالمتك إلى البريد الصوتي",
)

CALLERS = (
    "you can leave a message with my wife",
    "I'll leave you a message",
    "can i leave a message for him",
    "please leave a message with my secretary",
    "i left a message yesterday",
    "i don't want to leave a message",
    "should i leave a message",
    "just leave a message for my husband",
    "he is not available right now",
    "i'm busy right now i'll call you back soon",
    "please call me back later",
    "sorry i missed your call what is it about",
    "my voicemail is broken",
    "you've reached the wrong person",
    "my phone is switched off",
    "he can't come to the phone",
    "i called the number you gave me",
    "i'm unable to answer that",
    "the number you have is wrong",
    "आप जिस नंबर पर कॉल कर रहे हैं वो मेरा नहीं है",
    "थोड़ी देर बाद कॉल करना",
    "मैसेज भेज दो",
    "mujhe message chhod dena",
    "thodi der baad call karo",
    "mera number band ho gaya",
    "ممكن اترك رسالة",
    "عايز اسيب رسالة للمدير",
    "الرقم غلط",
    "المنتج اللي طلبته غير متاح",
    "الجوال اللي طلبته وصل مكسور",
    "رقم الطلب اللي طلبته امبارح",
)


@pytest.mark.parametrize("text", MACHINES)
def test_machine(text):
    """
    Greetings and network announcements are told in every trained language.
    """
    assert is_voicemail(clean(text).text)


@pytest.mark.parametrize("text", CALLERS)
def test_caller(text):
    """
    Callers who speak of messages, numbers and absence are callers.
    """
    assert not is_voicemail(clean(text).text)
