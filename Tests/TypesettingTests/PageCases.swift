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
  ]

  static func words(_ count: Int) -> String {
    let words = ["the", "light", "keeper’s", "responsibilities", "in", "nightfall", "of", "considerable", "harbour"]
    return (0..<count).map { words[$0 * 5 % 9 == 4 ? 3 : $0 % 9] }.joined(separator: " ")
  }
}
