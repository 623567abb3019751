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
  ]

  static func words(_ count: Int) -> String {
    let words = ["the", "light", "keeper’s", "responsibilities", "in", "nightfall", "of", "considerable", "harbour"]
    return (0..<count).map { words[$0 * 5 % 9 == 4 ? 3 : $0 % 9] }.joined(separator: " ")
  }
}
