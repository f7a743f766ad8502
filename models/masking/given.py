"""Given names that are frequent where our callers live: a bare "I am …" needs one to be a name."""

from models.values.spelling import key

#: Folded.
NAMES = frozenset(
    key(name)
    for name in """
    aarav abdul abdullah aditya aisha ajay ali amit amina amira anil anita anjali anna arjun
    archana arun ashok asha ayesha ben
    chris colin daniel david deepak deepa diya emily emma fahad faisal farah farhan fatima
    fatma grace hana hassan heba hesham
    hind hisham huda hussein ibrahim imran ishaan james jane john joe karan karim kavita
    khaled kiran laila lena linda layla
    lucy mahmoud mariam mary maryam meera mina mohamed mohammed mohammad mona mostafa
    mustafa nadia nasser neha nisha noor
    nora omar pooja priya raj rahul rajesh rakesh ramesh rania ravi reem rekha rohan rohit
    ruby sam samir sandeep sanjay sara
    sarah salem salim salma seema shreya siobhan sunil sunita suresh tariq tarek tom usha
    vijay vikram yasmin yasmine yousef
    youssef yusuf zainab zahra
    अमित अनिल अनीता अर्चना अर्जुन अजय अशोक आयशा इमरान कविता किरण दीपक दीपा नेहा निशा पूजा
    प्रिया फरहान फ़रहान मीरा मोहन राकेश राज राजेश
    राहुल रमेश रवि रेखा रोहित संजय सीमा सुनीता सुनील सुरेश विजय विक्रम श्रेया संदीप मोहम्मद
    احمد محمد محمود مصطفي علي عمر خالد كريم طارق هشام حسن حسين ابراهيم يوسف عمرو سامي سامح
    وليد ناصر سالم فهد فيصل سلطان
    عبدالله عبدالرحمن سعود تركي ماجد نبيل هاني ياسر اسلام اشرف ايمن باسم بلال جمال حازم رامي
    سعيد شريف منصور راشد حمد
    مني ياسمين فاطمه مريم ساره سلمي نور هبه رانيا دينا ليلي نوره هند ريم امل ايمان خديجه
    زينب عائشه شيماء نادين نادر هدي هاله سميره
    """.split()
)
