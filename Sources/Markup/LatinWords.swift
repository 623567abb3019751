/// The commonest words of languages in Latin letters, for guesses at the language of a text. There are no words of one
/// letter and none of programming languages, which stand in texts of all languages.
enum LatinWords {
  static let languages: [(language: String, words: String)] = [
    ("en", "the of to and was that his her which had were they but have been you are there what would their she him"),
    ("fr", "le les et des une est dans qui pas pour sur ce au du je nous vous cette mais avec sont plus aux ses elle"),
    ("de", "der und das nicht ich ein mit den von sie ist zu auf dem eine sich auch es im wird werden für als wie war"),
    ("es", "el los las que una por con del se su para como más pero lo fue sus este esta muy había cuando sin sobre"),
    ("it", "il che di non una per gli della del con sono da come più anche nel alla questo ma dei era si lo ha mi"),
    ("pt", "os que não uma com da em um para se mais como mas dos foi ao das seu ele são você pela isso à quando"),
    ("ca", "els amb que una per les dels és no del al aquest aquesta seva també com més va són però això hi ha quan"),
    ("gl", "unha que non dos das co polo máis como é ao tamén pero foi súa nos na seu eles cando moi ou desde"),
    ("eu", "eta da ez bat dira du zen ere dute baina hau izan dago bere egin ziren horren beste dela zuen hori"),
    ("nl", "de het een van en dat niet te zijn op voor met die aan er ook wordt bij maar naar worden hij ze om zij"),
    ("af", "die en van het nie dat vir om sy met hy wat was te word ons haar hulle aan deur kan daar maar ook"),
    ("da", "og det er en til af ikke jeg på som den der de med han et kan at efter meget hvad også blev fra hun havde"),
    ("nb", "og det er en til av ikke jeg på som den de med han et kan at etter mye hva også ble fra hun hadde seg"),
    ("sv", "och att det är en som inte jag på av för den med han till ett kan efter mycket vad också om från hade sig"),
    ("fi", "ja ei että oli hän se mutta ovat joka kun myös niin kuin olla voi jos ne mitä hänen sen minä ollut tämä"),
    ("is", "og að er ekki var en það sem við til um hann ég með voru þetta þú hún fyrir eru eða ein hafði"),
    ("et", "ja ei et see oli ta kui mis aga ka oma ning siis võib selle tema või mida kes ma pole olid"),
    ("lv", "un ir ka uz no ar bija kas par viņš nav bet tas vai lai pie arī tiek viņa pēc jau kā"),
    ("lt", "ir kad yra buvo tai iš su bet jis kaip ne apie jo ar už dar gali jų nuo kurie tik į buvęs ką"),
    ("pl", "się nie na że jest jak ale był przez po od za co czy tego dla są oraz może jego już tylko było"),
    ("cs", "se na že je to ale by jsem jako po jeho byl byla který když nebo které jsou tak není už bylo při"),
    ("sk", "sa na že je to ale by som ako po jeho bol bola ktorý keď alebo ktoré sú tak nie už bolo pri čo"),
    ("sl", "in je na se da za so pa ki ne bi ni bil kot ali pri če tudi bilo lahko ter po kako sem"),
    ("hr", "je na se da su za nije kao što od bi ili ali sam koji koja bio može samo kako iz već bila"),
    ("hu", "az és nem hogy egy van volt is ez meg de csak ha mint azt vagy még már el lehet olyan ki"),
    ("ro", "și în de la nu cu că este pe care un mai din pentru sunt se ale sau lui fost dar nici ca"),
    ("tr", "ve bir bu için da de ile olarak çok daha gibi ne ama değil olan sonra kadar her onun mi şey"),
    ("vi", "và của là có không được cho một trong các với những này để người đã từ khi thì cũng như ra"),
    (
      "id",
      "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga adalah ke karena bisa tersebut tetapi jika"
    ),
    (
      "ms",
      "yang dan di itu dengan untuk tidak ini dalam akan pada juga ialah kerana boleh daripada kepada telah tetapi jika"
    ),
    ("tl", "ang ng sa mga na at ay hindi ito si kanyang niya ako isang ni para kung siya nang ko mo"),
    ("sq", "dhe të në që është nuk një për me se ka po si nga kjo ishte janë por kur së ai"),
    ("mt", "li ta il ma dan hija kien minn jew lil huwa għal din mill biex meta hu ġie"),
    ("cy", "yn yr ar mae ei wedi oedd am nid ond hi fod ef dim hyn ac ni sydd gan yw"),
    ("ga", "an agus na ar is ní go bhí sé le sí tá mar ag ach nach air seo bhfuil don"),
    ("eo", "la kaj de en estas ne mi al kiu li por ke ĝi kun sed estis pri oni tiu kiel ĉi"),
    ("la", "et in est non ad cum ut quod sed qui quae ex sunt atque aut hoc esse enim etiam nec ab neque eius"),
  ]
}
