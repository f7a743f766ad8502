"""Given names that are frequent where our callers live: a bare "I am …" needs one to be a name."""

from models.values.spelling import key

#: Folded.
NAMES = frozenset(
    key(name)
    for name in """
    ahmed ahmad hasan hussain khalid saleh saud sultan turki majed nasir zaid zayd hani gamal
    abdulrahman abdulaziz abdelrahman mahmood moustafa sayed wafaa fatimah bhavesh ravindra
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
    abhishek akash alok anand aniket ankit ankita anu arif arvind ashwin asif bhavna chandan
    chetan dinesh divya farida firoz gaurav gayatri geeta girish gopal govind gupreet hari harish
    harpreet hemant himanshu imtiaz irfan jagdish jaya jyoti kalpana kamal kapil kartik khushboo
    kishore komal krishna kunal lakshmi lalit lata madhu mahesh mamta manish manju manoj meena
    meenakshi mohit mukesh nandini naresh naveen neelam neeraj nikhil nilesh nitin pallavi pankaj
    parul pawan prakash pradeep pramod pranav prashant prateek praveen preeti pushpa raghav rajat
    rajeev rajni rajendra ritu rukhsana sachin sahil salman sameer sangeeta sanjeev saurabh savita
    shabana shalini shankar sharad shilpa shruti shubham shweta simran smita sneha sonia subhash
    sudhir sumit surbhi surendra swati tanvi tarun tushar umesh usman varun vandana vikas
    vinay vineet vinod vishal vivek yash yogesh
    adel aliaa asmaa ayman basma dalia doaa ehab eman essam fadi fares ghada hamza hanan hany
    hazem hossam iman jamal kamel karima khadija magdy maha marwa mazen mervat mohsen
    nabil nada naglaa nermin nourhan osama ramy rasha rawan riham saad saeed saif samah sameh
    shaimaa sherif tamer wael walid wesam yara yasser ziad
    adam alan alex alice andrew ann anthony barbara beth brian carol charlotte chloe claire diane
    dominic donna edward elizabeth eric frances frank gareth gary george graham greg hannah harry
    heather helen ian jack jacob jason jennifer jessica joan joseph joshua julia julie karen kate
    katherine keith kevin laura liam louise margaret martin matthew megan michael michelle natalie
    nathan nicholas nick nicola oliver olivia patricia patrick paul peter philip rachel rebecca
    richard robert roger ryan sean sharon simon sophie stephanie stephen steve steven stuart susan
    thomas timothy tony victoria
    अमित अनिल अनीता अर्चना अर्जुन अजय अशोक आयशा इमरान कविता किरण दीपक दीपा नेहा निशा पूजा
    आकाश आलोक आनंद अंकित अंकिता अरविंद आशीष भावना चेतन दिनेश दिव्या गौरव गीता गोविंद हरीश
    हेमंत हिमांशु जगदीश जया ज्योति कमला कपिल कार्तिक कुणाल लक्ष्मी लता मधु महेश ममता
    मनीष मंजू मनोज मीना मोहित मुकेश नंदिनी नरेश नवीन नीलम नीरज निखिल नितिन पल्लवी पंकज पवन
    प्रदीप प्रमोद प्रशांत प्रवीण प्रीति पुष्पा राजीव राजेंद्र रितु सचिन साहिल समीर संगीता
    संजीव सौरभ सविता शंकर शिल्पा श्वेता स्मिता स्नेहा सोनिया सुभाष सुधीर सुमन सुमित सुरेंद्र स्वाति
    तरुण उमेश वंदना वरुण विनय विनोद विशाल विवेक योगेश रुबीना शबाना सलमा इरफान आरिफ
    प्रिया फरहान फ़रहान मीरा मोहन राकेश राज राजेश
    राहुल रमेश रवि रेखा रोहित संजय सीमा सुनीता सुनील सुरेश विजय विक्रम श्रेया संदीप मोहम्मद
    احمد محمد محمود مصطفي علي عمر خالد كريم طارق هشام حسن حسين ابراهيم يوسف عمرو سامي سامح
    وليد ناصر سالم فهد فيصل سلطان
    عبدالله عبدالرحمن سعود تركي ماجد نبيل هاني ياسر اسلام اشرف ايمن باسم بلال جمال حازم رامي
    سعيد شريف منصور راشد حمد
    مني ياسمين فاطمه مريم ساره سلمي نور هبه رانيا دينا ليلي نوره هند ريم امل ايمان خديجه
    ادهم احلام اسماء اسماعيل اسامه ايهاب ايناس بسمه بندر تامر ثامر جاسم حاتم حسام
    حمدي خلود داليا دعاء رضا رشا رغد روان رهف زياد زكريا سهام سهير سوسن شادي
    شهد شيرين صلاح طلال عادل عاطف عبير عبدالعزيز عبداللطيف عبدالمجيد عبدالمحسن
    عثمان عصام عفاف علياء عماد غاده غازي فادي فارس فاتن فريده فوزي لولوه مازن
    مروان مروه مشعل معتز معاذ منال منيره نايف نجلاء نواف نورا نورهان نوف نهي وائل
    وجدان وسام هيثم يارا يحيي
    زينب عائشه شيماء نادين نادر هدي هاله سميره
    """.split()
)
