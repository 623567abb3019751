/// Documents whose pages depended on other pages once, or that broke an invariant of layout: each the smallest that did.
enum PageCases {
  static let all: [(fault: String, body: String)] = [
    (
      "lines chosen on the page before",
      "<p style=\"text-wrap: balance\">\(words(60))</p><p style=\"text-wrap: pretty; text-align: justify\">\(words(90))</p>"
    ),
    (
      "a hyphen shaped for another script and another line",
      """
      <div style="writing-mode: vertical-rl"><p style="hyphens: auto">“Come” at unaccountably</p></div>
      <div style="hyphens: auto">\(words(50))</div>
      """
    ),
    (
      "a marker on the page of its item and on that of its line",
      "<div style=\"columns: 2\"><li><pre>keeper</pre></li></div>"
    ),
    (
      "a picture scaled on an earlier page",
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="500" height="900" viewBox="0 0 5 9"/><p>\(words(40))</p>
      <figure style="break-inside: avoid; margin: 0"><svg xmlns="http://www.w3.org/2000/svg" width="90" height="104"
      viewBox="0 0 9 9"/><figcaption>harbour</figcaption></figure><p>\(words(20))</p>
      """
    ),
    (
      "sizes measured under another mode",
      """
      <table style="white-space: nowrap"><tr><td><div id="a">\(words(9))</div></td><td>\(words(9))</td></tr></table>
      <div style="display: flex"><div>\(words(30))</div><div><table><tr><td>\(words(4))</td></tr></table></div></div>
      """
    ),
    (
      "positioned boxes and floats carried over a break that was tried",
      """
      <h2>sea</h2><div style="position: relative"><span style="position: absolute; top: 130px">wind</span>\(words(12))
      <span style="float: left; width: 80px">\(words(20))</span>\(words(40))</div><h2>wind</h2><p>\(words(30))</p>
      """
    ),
    (
      "a float met on a page that its cell does not begin on",
      """
      <p>\(words(9))</p><table><tr><td style="padding: 32px 80px"><div style="float: right; width: 0">PASS</div></td>
      </tr></table><p>\(words(9))</p>
      """
    ),
    (
      "content drawn above its box, which goes on on the next page",
      "<p>\(words(4))</p><div style=\"padding: 9px; margin: -90px 0\"><p style=\"margin-top: -60px\">\(words(60))</p></div>"
    ),
    (
      "a float in a word that fits no line",
      "<div style=\"width: 40px\">responsibilities<span style=\"float: right\">the</span>nightfall</div><p>\(words(40))</p>"
    ),
    (
      "a page break in columns that stand on one page",
      """
      <div style="display: flex"><div style="columns: 3"><h2 style="break-after: page">sea</h2>the</div></div>
      <p>\(words(40))</p>
      """
    ),
    (
      "a float in a float that would rather begin on the next page",
      """
      of well-known sea (there) responsibilities in at the in in and sea<div style="float: right; margin: 16px 1px;
      padding: 4px"><div style="float: left">“Come” at sea responsibilities lantern<h2>light nightfall of lantern</h2>
      </div></div>
      """
    ),
    (
      "a box that had been measured to be higher than a page, and fits one that it stands above",
      """
      considerable keeper 灯台守considerable of sea responsibilities(there)<li><div style="float: right; width: 62px;
      margin: -213px -42px"><h2 style="margin: 11px 9px">stood in in well-known sea the</h2><h2>“Come” the 灯台守</h2></div>
      <div style="display: grid"><p style="padding: 8px">灯台守</p></div></li>
      """
    ),
    (
      "a table that sticks out of an orthogonal flow",
      """
      <div style="writing-mode: vertical-lr"><table><tr><td rowspan="3"><p style="height: 198px"></p></td><td>lantern</td></tr>
      </table></div><p>\(words(60))</p>
      """
    ),
    (
      "the marker of a picture that fills its page",
      """
      <ol style="margin: 27px 1px"><li><figure><svg xmlns="http://www.w3.org/2000/svg" width="197" height="200"
      viewBox="0 0 9 9"></svg></figure></li></ol><p>\(words(60))</p>
      """
    ),
    (
      "the space below a row that its page divides",
      """
      and<ul><table style="display: inline-table"><tr><td>wind wind אור stood אור said: considerable<svg
      xmlns="http://www.w3.org/2000/svg" width="71" height="121" viewBox="0 0 9 9"></svg></td><td>unaccountably</td></tr></table></ul>
      """
    ),
    (
      "an orthogonal flow in a grid that goes on beside the page and ends below it",
      """
      <div style="display: grid; padding: 10px"><pre style="writing-mode: vertical-lr">her unaccountably unaccountably
      considerable well-known her stood lantern considerable (there) wind</pre></div>
      """
    ),
    (
      "the header of a table that goes on below floats which fill its page",
      """
      <table><thead>(there)</thead><span style="float: left; width: 20px">the keeper stood</span>considerable<td>a sea 海
      unaccountably</td>nightfall well-known in keeper said: unaccountably of light unaccountably אור</table>
      """
    ),
    (
      "content that sticks out of a grid in a grid and ends below the page",
      """
      <div style="display: grid"><div style="display: grid; grid-template-rows: 30px auto"><p>灯台守 (there) the stood<span
      style="float: left">海 keeper nightfall of considerable and</span>אור and in “Come” in “Come” stood in and 灯台守</p></div></div>
      """
    ),
    (
      "lines of a flex item that a negative margin behind them makes less high",
      """
      <div style="display: flex"><ol>unaccountably considerable in her light unaccountably sea and 海 said: considerable
      nightfall<h3 style="margin: 15px 0px">in</h3><p style="margin: -141px -98px"></p></ol></div>
      """
    ),
    (
      "words of a grid item that are broken at the page's edge, and were not where it was measured",
      """
      <p>the light keeper</p><div style="display: grid; grid-template-columns: 200px 40px"><p>sea</p><pre>responsibilities at
      stood said</pre></div><p>\(words(15))</p>
      """
    ),
    (
      "lines that stick out of a box of a given height in an inline grid in columns",
      """
      <div style="columns: 2"><div style="display: inline-grid"><div style="width: 87px"><pre style="height: 264px">nightfall
      灯台守 sea “Come” the light responsibilities considerable and keeper unaccountably in wind wind nightfall</pre></div></div></div>
      """
    ),
    (
      "an inline flex container in columns whose rows were set again behind its end",
      """
      <div style="columns: 2">海<div style="display: inline-flex"><figure><svg xmlns="http://www.w3.org/2000/svg" width="175"
      height="84" viewBox="0 0 9 9"></svg></figure>nightfall and well-known keeper considerable unaccountably keeper wind of the a
      אור wind sea sea of</div></div>
      """
    ),
    (
      "lines that stick out of a flex container in a float in columns",
      """
      <div style="columns: 2"><div style="float: left"><div style="float: left; width: 31px">\(words(25))</div><p>at</p><div
      style="display: flex; height: 189px"><p>\(words(30))</p>\(words(9))</div></div></div>
      """
    ),
    (
      "the rest of an inline table, as high as its page with the space below its rows",
      """
      the well-known of keeper at said: well-known light the unaccountably of<table style="display: inline-table"><th
      colspan="4">responsibilities</th><tr><td>nightfall of the lantern of 灯台守 灯台守</td></tr>lanternthe in stood the wind
      harbour<tr>(there)</tr></table>
      """
    ),
    (
      "the header of a table that goes on below a float, where no row has room",
      """
      <div style="display: flex; padding: 10px"><table><thead><th colspan="4">灯台守</th></thead><br></br><td></td><td
      rowspan="2" colspan="2"></td>sea unaccountably wind her and nightfall said:<tr><span
      style="float: right; width: 42px">“Come”<span style="float: left">אור אור</span>(there) the</span><td>lantern 灯台守 in
      אור light her 灯台守 wind</td></tr>sea considerable<td></td><td><h1 style="margin: 14px 7px; writing-mode: vertical-lr">“Come”
      (there) considerable wind</h1></td><tr>and<td rowspan="3"></td>unaccountably<td>well-known</td></tr></table></div>
      """
    ),
    (
      "a break in a box of a given height in columns, where what follows it is kept with it",
      """
      <div style="columns: 2"><p style="break-after: avoid; height: 71px">\(words(4))</p>\(words(9))</div>
      """
    ),
    (
      "the rest of an inline flex container, placed again where the lines below it moved on",
      """
      <td><ul></ul></td><td>said: (there) 海 a of אור said: lantern and<div style="display: inline-flex"><p>a lantern in in 灯台守 at
      (there) a of and of responsibilities 灯台守 (there) at considerable and and at wind “Come” a “Come” harbour lantern stood
      keeper unaccountably 灯台守 considerable אור and and of her keeper nightfall</p></div>in אור the wind</td><td>at “Come” at her
      said: sea “Come” stood nightfall harbour אור<span></span>אור light nightfall wind 海 wind considerable “Come” sea keeper wind
      responsibilities and keeper considerable nightfall the a said:<span style="float: right; width: 25px">considerable
      responsibilities harbour אור and in</span>nightfall wind considerable stood</td><tr><br></br><td></td><ol><figure
      style="padding: 9px"><figcaption>a a and</figcaption></figure></ol></tr><td></td><td></td><td rowspan="3"></td><td>of
      lantern in אור nightfall in 海 unaccountably nightfall said:</td>
      """
    ),
    (
      "clamped lines, higher than a page, are recorded as left beyond its end",
      """
      <p>\(words(60))</p><div style="display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 6; line-height: 32px">
      \(words(60))</div><p>\(words(60))</p>
      """
    ),
    (
      "a float of many pages with a negative margin below it is whole, since it takes no room",
      """
      <p>\(words(20))</p><div style="float: left; width: 200px; margin-bottom: -5000px">\(words(300))</div><p>\(words(90))</p>
      """
    ),
    (
      "a flow that turns keeps its margins by where it was tried first",
      """
      <div style="writing-mode: vertical-rl"><ol>her<figure style="writing-mode: vertical-lr; border: 4px solid"><svg
      xmlns="http://www.w3.org/2000/svg" width="254" height="73" viewBox="0 0 9 9"></svg>unaccountably</figure></ol></div>
      """
    ),
    (
      "an inline block behind an ellipsis is on no page",
      """
      <p>\(words(90))</p><div style="width: 100px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis">a<span
      style="display: inline-block">\(words(9))</span></div><p>\(words(60))</p>
      """
    ),
  ]

  static func words(_ count: Int) -> String {
    let words = ["the", "light", "keeper’s", "responsibilities", "in", "nightfall", "of", "considerable", "harbour"]
    return (0..<count).map { words[$0 * 5 % 9 == 4 ? 3 : $0 % 9] }.joined(separator: " ")
  }
}
