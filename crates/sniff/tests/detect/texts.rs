//! Sentences written for these tests, each with an encoding in use for its language.

/// Encoding, language, text.
pub const TEXTS: &[(&str, &str, &str)] = &[
    (
        "windows-1252",
        "fr",
        "Le train de sept heures est arrivé à l'heure, mais la gare était déjà fermée. Nous avons attendu près d'une fenêtre où il faisait moins froid, et le garçon nous a apporté du café.",
    ),
    (
        "windows-1252",
        "de",
        "Die Brücke über den Fluss wurde im März geöffnet. Früher mussten die Leute mit einem Boot übersetzen, was bei Nebel gefährlich war; jetzt fährt stündlich ein Bus zur größten Mühle.",
    ),
    (
        "windows-1252",
        "es",
        "La niña perdió el paraguas en el jardín, pero su tío lo encontró detrás del árbol. Mañana volverán todos para comer piñones y mirar cómo los pájaros bajan de la montaña.",
    ),
    (
        "windows-1252",
        "pt",
        "A estação fica longe do centro, mas os ônibus não param até à noite. O avô contou que, quando era jovem, as ruas ainda não tinham iluminação e ninguém saía depois do jantar.",
    ),
    (
        "windows-1252",
        "sv",
        "På ön växer det bara några få träd, men där finns många fåglar. När båten lägger till på våren är det första man hör måsarnas skrik över stränderna.",
    ),
    (
        "windows-1252",
        "da",
        "Bageren på hjørnet åbner først klokken otte, så børnene må vente på deres brød. Om søndagen står der altid en lang kø, også når det sner eller blæser fra øst.",
    ),
    (
        "windows-1252",
        "fi",
        "Järven jää oli vielä niin paksua, että sen yli pääsi hiihtäen. Illalla sytytimme tulen, keitimme kahvia ja kuuntelimme, kuinka metsässä satoi hiljalleen räntää.",
    ),
    (
        "windows-1250",
        "pl",
        "Wczoraj późnym wieczorem spadł śnieg i przykrył całą łąkę. Dzieci już o świcie wyszły z sankami, choć mróz był tak wielki, że rzęsy zamarzały im na policzkach.",
    ),
    (
        "windows-1250",
        "cs",
        "Když přišel podzim, začali v údolí sklízet jablka. Děti lezly po žebřících, dědeček třídil ovoce do beden a večer všichni společně pekli koláče v staré peci.",
    ),
    (
        "windows-1250",
        "hu",
        "A régi könyvtár ablakából jól látszott a folyó és a túlsó part erdője. Délutánonként öregek ültek a lépcsőn, és arról beszélgettek, milyen hűvös lesz az ősz.",
    ),
    (
        "ISO-8859-2",
        "sk",
        "Vo vysokých horách ešte ležal sneh, keď sa pastieri vydali k chatám. Cesta viedla okolo potoka, ktorý bol taký prudký, že most museli znovu opraviť žltými doskami.",
    ),
    (
        "windows-1254",
        "tr",
        "Küçük dükkânın önünde her sabah aynı kedi oturuyordu. Bakkal ona süt verir, çocuklar da okula giderken başını okşardı; yağmur yağdığında içeri girmesine izin verilirdi.",
    ),
    (
        "windows-1257",
        "lt",
        "Kai ežeras užšąla, žvejai eina ant ledo ir gręžia skyles. Vaikai čiuožia šalia kranto, o močiutė laukia namuose su karšta arbata ir šviežiai iškeptu pyragu.",
    ),
    (
        "windows-1257",
        "lv",
        "Rudenī mežā bija tik daudz sēņu, ka grozi ātri kļuva pilni. Vakarā tās tīrījām pie galda, dzērām tēju un klausījāmies, kā vējš pūš ap māju.",
    ),
    (
        "windows-1253",
        "el",
        "Το πλοίο έφυγε από το λιμάνι πριν ξημερώσει. Στο κατάστρωμα κάθονταν λίγοι επιβάτες με τα παλτά τους, και ο καπετάνιος έλεγε ιστορίες για τα νησιά που περνούσαμε.",
    ),
    (
        "windows-1255",
        "he",
        "בבוקר יצאנו לשוק הישן כדי לקנות לחם ופירות. המוכר סיפר לנו שהגשם ירד כל הלילה ושהרחובות עדיין רטובים, ולכן הלכנו לאט בין הדוכנים וחזרנו הביתה לפני הצהריים.",
    ),
    (
        "windows-1256",
        "ar",
        "وصل القطار إلى المدينة قبل شروق الشمس، وكان الناس ينتظرون في المحطة. جلس الرجل العجوز قرب النافذة وشرب الشاي، ثم بدأ يحكي للأطفال عن القرية التي ولد فيها.",
    ),
    (
        "windows-874",
        "th",
        "เมื่อวานนี้ฝนตกหนักมากจนถนนหน้าบ้านมีน้ำท่วม เด็กๆ ออกไปเล่นน้ำกันอย่างสนุกสนาน ส่วนคุณยายนั่งดูอยู่ที่ระเบียงและเตรียมอาหารเย็นไว้ให้ทุกคน",
    ),
    (
        "windows-1251",
        "ru",
        "Старый мост через реку починили только к осени. До этого всем приходилось ездить через соседнее село, и дорога занимала почти час, особенно после сильного дождя.",
    ),
    (
        "KOI8-R",
        "ru",
        "Вечером на веранде пили чай с вареньем и говорили о том, как быстро прошло лето. Дети уже спали, а собака лежала у порога и слушала, как в саду падают яблоки.",
    ),
    (
        "KOI8-U",
        "uk",
        "Навесні ми посадили біля хати вишні, і вже за кілька років вони щедро вродили. Сусіди приходили з кошиками, а ввечері всі разом варили варення й співали пісень.",
    ),
    (
        "IBM866",
        "ru",
        "Почтальон приходил ровно в девять, снимал шапку и долго искал в сумке письмо. Если письма не было, он вздыхал и обещал, что завтра оно непременно придёт.",
    ),
    (
        "windows-1251",
        "bg",
        "През лятото къщата до морето беше пълна с гости. Сутрин ходехме на плажа, а вечер баща ми разказваше за пътуванията си и всички слушаха мълчаливо.",
    ),
    (
        "Shift_JIS",
        "ja",
        "昨日の夜から雨が降り続いているので、今朝は駅まで歩かずにバスに乗りました。窓の外では、傘をさした人たちが急いで歩いていました。",
    ),
    (
        "EUC-JP",
        "ja",
        "山の上の小さな村では、秋になると祭りが開かれます。子供たちは太鼓をたたき、お年寄りは昔の歌を歌いながら夜遅くまで踊ります。",
    ),
    (
        "ISO-2022-JP",
        "ja",
        "この手紙は先週書きましたが、忙しくて今日まで送ることができませんでした。返事を楽しみに待っています。",
    ),
    (
        "EUC-KR",
        "ko",
        "어제 저녁에는 비가 많이 와서 버스가 늦게 도착했습니다. 우리는 정류장 옆 작은 가게에서 따뜻한 차를 마시며 비가 그치기를 기다렸습니다.",
    ),
    (
        "GBK",
        "zh-CN",
        "昨天晚上下了一场大雨，今天早晨街道上还有很多积水。孩子们穿着雨鞋去上学，老人们坐在门口喝茶，谈论今年的收成。",
    ),
    (
        "Big5",
        "zh-TW",
        "昨天晚上下了一場大雨，今天早晨街道上還有很多積水。孩子們穿著雨鞋去上學，老人們坐在門口喝茶，談論今年的收成。",
    ),
    (
        "UTF-8",
        "",
        "Grüße aus Köln: 日本語と한국어 und ein bisschen Ελληνικά, ohne dass jemand die Kodierung nennt.",
    ),
    (
        "UTF-16LE",
        "",
        "Вечером на веранде пили чай с вареньем и говорили о том, как быстро прошло лето, а потом пошёл дождь.",
    ),
    (
        "UTF-16BE",
        "",
        "昨天晚上下了一场大雨，今天早晨街道上还有很多积水。孩子们穿着雨鞋去上学，老人们坐在门口喝茶。",
    ),
];
