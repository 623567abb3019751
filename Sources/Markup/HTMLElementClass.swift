import Primitives

/// The classes of elements that HTML's parser asks for by name (HTML, section 13.2.4.2 and the insertion modes).
struct HTMLElementClass: OptionSet {
  let rawValue: UInt32

  /// May not be closed over by the end of another element.
  static let special = Self(rawValue: 1 << 0)
  /// Bounds a scope.
  static let scope = Self(rawValue: 1 << 1)
  /// Bounds table scope.
  static let tableScope = Self(rawValue: 1 << 2)
  /// Its end may be implied.
  static let impliedEnd = Self(rawValue: 1 << 3)
  /// Kept in the list of active formatting elements.
  static let formatting = Self(rawValue: 1 << 4)
  /// Its start ends an open paragraph, its end tag ends it plainly.
  static let block = Self(rawValue: 1 << 5)
  static let heading = Self(rawValue: 1 << 6)
  /// Has no content and no end tag.
  static let void = Self(rawValue: 1 << 7)
  /// Belongs into the head.
  static let metadata = Self(rawValue: 1 << 8)
  /// Its content is text only.
  static let textOnly = Self(rawValue: 1 << 9)
  /// Ends SVG and MathML around it.
  static let breakout = Self(rawValue: 1 << 10)
  /// A part of a table other than a cell.
  static let tablePart = Self(rawValue: 1 << 11)
  static let cell = Self(rawValue: 1 << 12)
  /// Text in it belongs before the table.
  static let fosters = Self(rawValue: 1 << 13)
  /// thead, tbody and tfoot.
  static let rowGroup = Self(rawValue: 1 << 14)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The classes of an element of HTML.
  init(_ name: Atom) { self = name.isStatic ? Self.table[Int(name.rawValue)] : [] }

  private static let table: [Self] = {
    var table = [Self](repeating: [], count: Int(Atom.staticCount))
    let names = AtomTable()
    func add(_ element: Self, _ list: String) {
      // Bytes: to find the characters of a text takes ten times as long.
      for name in list.utf8.split(separator: UInt8(ascii: " ")) {
        if let atom = names.lookup(String(Substring(name))), atom.isStatic { table[Int(atom.rawValue)].insert(element) }
      }
    }
    add(
      .special,
      """
      address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd \
      details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header \
      hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript \
      object ol p param plaintext pre script search section select source style summary table tbody td template \
      textarea tfoot th thead title tr track ul wbr xmp
      """)
    add(.scope, "applet caption html table td th marquee object template select")
    add(.tableScope, "html table template")
    add(.impliedEnd, "dd dt li optgroup option p rb rp rt rtc")
    add(.formatting, "a b big code em font i nobr s small strike strong tt u")
    add(
      .block,
      """
      address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup \
      main menu nav ol search section summary ul
      """)
    add(.heading, "h1 h2 h3 h4 h5 h6")
    add(.void, "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
    add(.metadata, "base basefont bgsound link meta title style script template")
    add(.textOnly, "title textarea style script xmp iframe noembed")
    add(
      .breakout,
      """
      b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta \
      nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
      """)
    add(.tablePart, "caption col colgroup tbody tfoot thead tr")
    add(.cell, "td th")
    add(.fosters, "table tbody tfoot thead tr")
    add(.rowGroup, "tbody tfoot thead")
    return table
  }()
}
