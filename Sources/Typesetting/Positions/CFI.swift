/// An EPUB canonical fragment identifier (EPUB CFI 1.1): a place in a publication, or a range, as steps through its documents.
///
///     let cfi = try CFI("epubcfi(/6/4[chap01ref]!/4[body01]/10[para05]/3:10)")
///
/// A value of syntax only; `Book.locator(for:)` looks the place up.
public struct CFI: Hashable, Sendable {
  /// An assertion in square brackets about a step or offset, to check it by: an `id`, or text before and after the
  /// place.
  public struct Assertion: Hashable, Sendable {
    /// A named parameter of an assertion, such as the side that is meant (`s`).
    public struct Parameter: Hashable, Sendable {
      /// Without blanks.
      public var name: String
      /// At least one.
      public var values: [String]
      /// A parameter with its values.
      public init(name: String, values: [String]) {
        self.name = name
        self.values = values
      }
    }
    /// The first value: an element's `id` after a step, the text before the place after an offset.
    public var first: String?
    /// The second value: the text after the place.
    public var second: String?
    /// Unknown ones are kept.
    public var parameters: [Parameter]

    /// An assertion of what is around the place.
    public init(first: String? = nil, second: String? = nil, parameters: [Parameter] = []) {
      self.first = first
      self.second = second
      self.parameters = parameters
    }
    /// The side of the place that is meant where both differ, as at a page's end (`s=b`, `s=a`).
    public var side: Side? {
      parameters.first { $0.name == "s" }?.values.first.flatMap { Side(rawValue: $0) }
    }
    var isEmpty: Bool { first == nil && second == nil && parameters.isEmpty }
  }

  /// The content that a place belongs to where a line or page ends at it.
  public enum Side: String, Hashable, Sendable, Codable {
    /// The text before the place.
    case before = "b"
    /// The text behind the place.
    case after = "a"
  }

  /// `/6`: even numbers are child elements, odd ones the text between them.
  public struct Step: Hashable, Sendable {
    /// Even for child elements, odd for the text between them.
    public var index: Int
    /// The `id` of the element.
    public var assertion: Assertion?
    /// An indirection `!` stands before the step: it starts in the document that the element before refers to.
    public var isIndirect: Bool
    /// A step to a child element or a text.
    public init(_ index: Int, assertion: Assertion? = nil, isIndirect: Bool = false) {
      self.index = index
      self.assertion = assertion
      self.isIndirect = isIndirect
    }
  }

  /// The place inside what the steps lead to.
  public struct Offset: Hashable, Sendable {
    /// UTF-16 units (`:10`).
    public var character: Int?
    /// Seconds of audio or video (`~2.5`).
    public var time: Double?
    /// Percent of a picture's width and height (`@50:75`).
    public var point: Point?
    /// The text around the place, or the side that is meant.
    public var assertion: Assertion?
    /// An indirection `!` stands before the offset: it counts in what the element before refers to.
    public var isIndirect: Bool
    /// A place in a picture or video.
    public struct Point: Hashable, Sendable {
      /// Percent of the width, from the left.
      public var x: Double
      /// Percent of the height, from the top.
      public var y: Double
      /// A place in a picture or video.
      public init(x: Double, y: Double) {
        self.x = x
        self.y = y
      }
    }
    /// A place inside what the steps lead to.
    public init(
      character: Int? = nil, time: Double? = nil, point: Point? = nil, assertion: Assertion? = nil,
      isIndirect: Bool = false
    ) {
      self.character = character
      self.time = time
      self.point = point
      self.assertion = assertion
      self.isIndirect = isIndirect
    }
  }

  /// Steps to a place, and the place in what they lead to.
  public struct Path: Hashable, Sendable {
    /// From the package document on.
    public var steps: [Step]
    /// nil for the element or text itself.
    public var offset: Offset?
    /// A path of steps.
    public init(steps: [Step] = [], offset: Offset? = nil) {
      self.steps = steps
      self.offset = offset
    }
    static func + (a: Path, b: Path) -> Path { Path(steps: a.steps + b.steps, offset: b.offset ?? a.offset) }
  }

  /// The place, or what both ends of a range have in common.
  public var path: Path
  /// Both ends of a range, to be added to `path`.
  public var range: Range?
  /// Both ends of a range.
  public struct Range: Hashable, Sendable {
    /// From the common path to the start.
    public var start: Path
    /// From the common path to the end.
    public var end: Path
    /// Both ends of a range, to be added to a common path.
    public init(start: Path, end: Path) {
      self.start = start
      self.end = end
    }
  }

  /// A place, or a range whose ends both begin with `path`.
  public init(path: Path, range: Range? = nil) {
    self.path = path
    self.range = range
  }

  /// The complete path to the place, or to the start of the range.
  public var start: Path { range.map { path + $0.start } ?? path }
  /// The complete path to the place, or to the end of the range.
  public var end: Path { range.map { path + $0.end } ?? path }
  /// The side of the place that is meant; nil when nothing is said, and for ranges, whose ends belong to what lies between.
  public var side: Side? {
    guard range == nil else { return nil }
    return path.offset.map { $0.assertion?.side } ?? path.steps.last?.assertion?.side
  }
}

extension CFI: Comparable {
  /// The order of places in a publication (EPUB CFI 1.1, section 3.3): assertions do not count, a time goes before a point in
  /// a picture, `y` before `x`. Where one place goes on with an offset and the other with a step, characters come first, then
  /// child elements, then times and points, and last what stands in a document referred to.
  public static func < (a: CFI, b: CFI) -> Bool {
    let starts = compare(a.start, b.start)
    return starts != 0 ? starts < 0 : compare(a.end, b.end) < 0
  }

  /// Continuations of a path after some steps, in the order in which places with the same steps before follow each
  /// other.
  private enum Continuation: Int {
    case end, character, child, media, reference
    init(_ path: Path, after steps: Int) {
      if steps < path.steps.count {
        self = path.steps[steps].isIndirect ? .reference : .child
      } else if let offset = path.offset {
        self = offset.isIndirect ? .reference : offset.character != nil ? .character : .media
      } else {
        self = .end
      }
    }
  }

  private static func compare(_ a: Path, _ b: Path) -> Int {
    var steps = 0
    while true {
      let (one, other) = (Continuation(a, after: steps), Continuation(b, after: steps))
      if one != other { return one.rawValue - other.rawValue }
      switch (steps < a.steps.count, steps < b.steps.count) {
      case (false, false): return compare(a.offset, b.offset)
      case (false, true): return -1
      case (true, false): return 1
      case (true, true): break
      }
      let difference = a.steps[steps].index - b.steps[steps].index
      if difference != 0 { return difference }
      steps += 1
    }
  }

  private static func compare(_ a: Offset?, _ b: Offset?) -> Int {
    func order(_ a: Double?, _ b: Double?) -> Int {
      switch (a, b) {
      case (nil, nil): 0
      case (nil, _): -1
      case (_, nil): 1
      case (let a?, let b?): a < b ? -1 : a > b ? 1 : 0
      }
    }
    let keys: [(Double?, Double?)] = [
      (a?.character.map(Double.init), b?.character.map(Double.init)), (a?.time, b?.time),
      (a?.point?.y, b?.point?.y), (a?.point?.x, b?.point?.x),
    ]
    return keys.lazy.map { order($0.0, $0.1) }.first { $0 != 0 } ?? 0
  }
}

extension CFI: CustomStringConvertible {
  /// The CFI as it is written: `epubcfi(…)`.
  public var description: String {
    var text = "epubcfi(" + path.description
    if let range { text += "," + range.start.description + "," + range.end.description }
    return text + ")"
  }
}

extension CFI.Path: CustomStringConvertible {
  /// The path as it is written, without `epubcfi(…)` around it.
  public var description: String {
    var text = ""
    for step in steps {
      text += (step.isIndirect ? "!/" : "/") + String(step.index)
      if let assertion = step.assertion { text += assertion.description }
    }
    guard let offset else { return text }
    if offset.isIndirect { text += "!" }
    if let character = offset.character { text += ":\(character)" }
    if let time = offset.time { text += "~" + Self.number(time) }
    if let point = offset.point { text += "@\(Self.number(point.x)):\(Self.number(point.y))" }
    if let assertion = offset.assertion { text += assertion.description }
    return text
  }

  /// Without a fraction where there is none.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}

extension CFI.Assertion: CustomStringConvertible {
  /// The assertion as it is written, in its brackets; empty when it says nothing.
  public var description: String {
    guard !isEmpty else { return "" }
    var text = "[" + Self.escaped(first ?? "")
    if let second { text += "," + Self.escaped(second) }
    for parameter in parameters {
      text += ";" + Self.escaped(parameter.name) + "=" + parameter.values.map(Self.escaped).joined(separator: ",")
    }
    return text + "]"
  }

  /// With a circumflex before each character that means something (EPUB CFI 1.1, section 2.3).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      if "^[](),;=".unicodeScalars.contains(character) { result += "^" }
      result.unicodeScalars.append(character)
    }
    return result
  }
}
