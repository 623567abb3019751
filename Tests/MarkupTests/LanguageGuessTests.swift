import Markup
import Testing

@Suite struct LanguageGuessTests {
  private func guess(_ text: String) -> String { LanguageGuess.language(of: Array(text.utf8)[...]) }

  @Test(arguments: [
    ("en", "The keeper of the lighthouse was asleep. What the sea had brought, she found in the morning."),
    (
      "fr", "Le gardien du phare dormait. Ce que la mer avait apporté, elle le trouva dans les rochers avec une lettre."
    ),
    ("de", "Der Wärter des Leuchtturms schlief. Was die See gebracht hatte, fand sie am Morgen nicht."),
    ("es", "El guardián del faro dormía. Lo que el mar había traído lo encontró por la mañana con los niños."),
    ("it", "Il guardiano del faro dormiva. Quello che il mare aveva portato lo trovò con gli altri nella barca."),
    (
      "pt",
      "O guarda do farol dormia. Aquilo que o mar trouxe não foi encontrado pela mulher, mas pelos meninos da aldeia."
    ),
    ("ca", "El guardià del far dormia. Allò que el mar va portar ho va trobar amb els nens, però això no és tot."),
    ("gl", "O gardián do faro durmía. O que trouxo o mar foi unha caixa, pero non había nada nela, como sempre."),
    ("eu", "Zaindaria lo zegoen eta argia piztuta zen. Itsasoak ekarri zuen kutxa hori ez dute ireki."),
    ("nl", "De wachter van de vuurtoren sliep. Wat de zee had gebracht, vond zij het eerst niet op het strand."),
    ("af", "Die wagter van die vuurtoring het geslaap. Wat die see gebring het, was nie vir hulle nie."),
    ("da", "Fyrmesteren sov, og lyset var ikke tændt. Hvad havet havde bragt, blev fundet af en dreng efter stormen."),
    ("nb", "Fyrvokteren sov, og lyset var ikke tent. Hva havet hadde brakt, ble funnet av en gutt etter stormen."),
    ("sv", "Fyrvaktaren sov och ljuset var inte tänt. Vad havet hade fört med sig hittades av en pojke efter stormen."),
    ("fi", "Majakanvartija nukkui, mutta valo ei ollut sammunut. Hän oli jo vanha, ja meri tuntui kuin ystävältä."),
    ("is", "Vitavörðurinn svaf og ljósið var ekki kveikt. Það sem hafið bar með sér fannst þegar hún kom."),
    ("et", "Majakavaht magas, aga tuli ei olnud kustunud. Ta oli juba vana ja meri oli tema ainus sõber."),
    ("lv", "Bākas sargs gulēja, bet gaisma nebija izdzisusi. Viņš bija vecs, un jūra ir viņa draugs kā vienmēr."),
    ("lt", "Švyturio sargas miegojo, bet šviesa buvo įjungta. Tai yra senas bokštas, kurį jis saugo jau daug metų."),
    (
      "pl",
      "Latarnik spał, ale światło nie zgasło. To, co przyniosło morze, jest już tylko wspomnieniem dla wszystkich."
    ),
    ("cs", "Strážce majáku spal, ale světlo nezhaslo. Když přišlo ráno, byl už na břehu a hledal, co moře přineslo."),
    ("sk", "Strážca majáka spal, ale svetlo nezhaslo. Keď prišlo ráno, bol už na brehu a hľadal, čo more prinieslo."),
    (
      "sl",
      "Čuvaj svetilnika je spal, a luč ni ugasnila. Ko je prišlo jutro, je bil že na obali in tudi sam ni vedel, kaj bi."
    ),
    (
      "hr",
      "Čuvar svjetionika je spavao, ali svjetlo nije bilo ugašeno. Kada je došlo jutro, bio je već na obali, kao i mi."
    ),
    ("hu", "Az őr aludt, de a fény nem aludt ki. Amit a tenger hozott, az egy láda volt, és senki sem nyitotta ki."),
    (
      "ro",
      "Paznicul farului dormea, dar lumina nu era stinsă. Ce a adus marea este o ladă pe care nu a deschis-o nimeni."
    ),
    (
      "tr", "Fener bekçisi uyuyordu ama ışık sönmemişti. Denizin getirdiği sandık için herkes çok şey söyledi ve güldü."
    ),
    ("vi", "Người gác đèn đã ngủ, nhưng ngọn đèn không tắt. Những gì biển mang đến là một chiếc hộp của ai đó."),
    (
      "id",
      "Penjaga mercusuar itu tidur, tetapi lampunya tidak padam. Peti yang dibawa laut ada di pantai karena badai."
    ),
    (
      "ms",
      "Penjaga rumah api itu tidur, tetapi lampunya tidak padam. Peti yang dibawa laut itu boleh dibuka kerana ribut."
    ),
    ("tl", "Natutulog ang bantay ng parola, ngunit hindi namatay ang ilaw. May kahon na dala ng dagat sa mga bato."),
    ("sq", "Rojtari i farit flinte, por drita nuk ishte fikur. Kjo është arka që deti ka sjellë për ne."),
    ("cy", "Yr oedd ceidwad y goleudy yn cysgu, ond nid oedd y golau wedi diffodd. Mae blwch ar y traeth."),
    ("ga", "Bhí an coimeádaí ina chodladh, ach ní raibh an solas múchta. Tá bosca ag an bhfarraige agus is linn é."),
    ("eo", "La gardisto dormis, sed la lumo ne estingiĝis. Tiu kesto, kiun la maro portis, estas de li kaj mi."),
    (
      "la", "Custos turris dormiebat, sed lumen non erat exstinctum. Arca, quae ex mari venit, in litore est et aperta."
    ),
    ("ru", "Смотритель маяка спал, но огонь не погас. Вечером они пришли на берег."),
    ("uk", "Доглядач маяка спав, але вогонь не згас. Увечері вони прийшли на беріг."),
    ("be", "Вартаўнік маяка спаў, але агонь не згас. Увечары яны прыйшлі на бераг."),
    ("bg", "Пазачът на фара спеше, но светлината не беше угаснала. Вечерта те отидоха на брега."),
    ("sr", "Чувар светионика је спавао, али светло није било угашено. Увече су дошли његови пријатељи."),
    ("mk", "Чуварот на светилникот спиеше, но светлото не беше изгаснато. Вечерта дојде ќерката негова."),
    ("hi", "दीपघर का रखवाला सो रहा था और रोशनी बुझी नहीं थी। समुद्र से एक बक्सा आया है।"),
    ("el", "Ο φύλακας του φάρου κοιμόταν, αλλά το φως δεν είχε σβήσει."),
    ("ko", "등대지기는 잠들었지만 불은 꺼지지 않았다."), ("ja", "灯台守は眠っていたが、灯りは消えていなかった。"), ("zh-Hans", "守灯塔的人睡着了，灯还没有灭，这时海里来了一个箱子。"),
  ])
  func `Two sentences tell their language`(language: String, text: String) {
    #expect(guess(text) == language)
  }

  @Test(arguments: [
    "Anna Lindqvist, Juan de la Cruz, Pieter van den Berg, Nguyễn Văn An, Giulia della Rosa, José dos Santos",
    "int main(void) { for (int i = 0; i < n; i++) { if (a[i] == 0) return -1; } return 0; }",
    "def gate(x):\n  if x is not None and x in y:\n    return [i for i in x]\n  else:\n    import os\n",
    "SELECT gate, wheel FROM locks WHERE gate IN (1, 2) AND wheel IS NOT NULL ORDER BY gate;", "12 34 56", "Hmm.", "",
    "दीपः प्रकाशते रात्रौ समुद्रः गर्जति च",
  ])
  func `Names, code and numbers are of no language`(text: String) {
    #expect(guess(text) == "")
  }

  @Test(arguments: [
    ("ja", "水車の番人は、毎朝ここで水位を読みます。"), ("ko", "물레방아지기는 아침마다 수위를 읽습니다."), ("zh-Hans", "看水车的人每天早上在这里读水位。"),
    ("ru", "Смотритель каждое утро читает здесь уровень воды."), ("el", "Ο φύλακας διαβάζει κάθε πρωί τη στάθμη."),
  ])
  func `Commands between the sentences of a manual do not hide its language`(language: String, sentence: String) {
    let command = "$ sluice --open gate --log\n"
    #expect(guess("\(sentence)\n\n\(command)\n\(sentence)\n") == language)
  }
}
