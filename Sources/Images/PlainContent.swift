/// The content of a `PlainSVG` as far as it is simple: paths without any property, or one picture. Ranges are those of bytes
/// in the document.
struct PlainContent {
  /// The data of the paths, in their order.
  private(set) var paths: [Range<Int>] = []
  private(set) var picture: Picture?
  /// The value of the root's `preserveAspectRatio`.
  private(set) var aspectRatio: Range<Int>?
  /// Anything else is in the document.
  private(set) var hasOthers = false

  /// The values of the attributes of an `image` element.
  struct Picture {
    var reference: Range<Int>?
    var x: Range<Int>?
    var y: Range<Int>?
    var width: Range<Int>?
    var height: Range<Int>?
    var aspectRatio: Range<Int>?
  }

  /// The document draws paths at most, as large as the initial `preserveAspectRatio` says.
  var isOfBlackPaths: Bool { !hasOthers && picture == nil && aspectRatio == nil }

  /// Adds an element.
  ///
  /// - Parameter parent: The name of the element that it is in; nil for the root.
  mutating func add(
    _ name: Range<Int>, _ attributes: [PlainSVG.Scanner.Attribute], in parent: Range<Int>?,
    of bytes: [UInt8]
  ) {
    guard !hasOthers else { return }
    func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
      PlainSVG.Scanner.equals(bytes, range, text)
    }
    let kind = Kind.allCases.first { equals(name, $0.name) }
    // Only groups, and the root, show what stands in them.
    let isShown = parent.map { equals($0, "svg") || equals($0, "g") } ?? true
    guard let kind, isShown, (kind == .root) == (parent == nil) else { return hasOthers = true }
    var image = Picture()
    for attribute in attributes {
      let hasReference = bytes[attribute.value].contains(UInt8(ascii: "&"))
      if equals(attribute.name, "d"), kind == .path, !hasReference, picture == nil {
        paths.append(attribute.value)
      } else if equals(attribute.name, "preserveAspectRatio"), kind == .root {
        aspectRatio = attribute.value
      } else if kind == .image, !hasReference,
        let part = Picture.parts.first(where: { equals(attribute.name, $0.name) }),
        image[keyPath: part.value] == nil
      {
        image[keyPath: part.value] = attribute.value
      } else if !Self.changesNothing(attribute.name, isRoot: kind == .root, bytes) {
        return hasOthers = true
      }
    }
    guard kind == .image else { return }
    if picture != nil || !paths.isEmpty { hasOthers = true }
    picture = image
  }

  private enum Kind: CaseIterable {
    case root, group, path, image, title, description

    var name: StaticString {
      switch self {
      case .root: "svg"
      case .group: "g"
      case .path: "path"
      case .image: "image"
      case .title: "title"
      case .description: "desc"
      }
    }
  }

  /// An attribute that does not bear on how an element without style rules is drawn.
  private static func changesNothing(_ name: Range<Int>, isRoot: Bool, _ bytes: [UInt8]) -> Bool {
    func isOne(of names: [StaticString]) -> Bool {
      names.contains { PlainSVG.Scanner.equals(bytes, name, $0) }
    }
    func starts(with prefix: StaticString) -> Bool {
      let count = prefix.utf8CodeUnitCount
      return name.count > count && PlainSVG.Scanner.equals(bytes, name.prefix(count), prefix)
    }
    return isOne(of: [
      "id", "class", "role", "lang", "xml:lang", "xml:space", "alt", "title", "xlink:title", "xlink:type",
    ])
      || starts(with: "aria-") || starts(with: "data-") || starts(with: "xmlns:")
      || isRoot && isOne(of: ["xmlns", "version", "baseProfile", "viewBox", "width", "height"])
  }
}

extension PlainContent.Picture {
  fileprivate static var parts: [(name: StaticString, value: WritableKeyPath<Self, Range<Int>?>)] {
    [
      ("href", \.reference), ("xlink:href", \.reference), ("x", \.x), ("y", \.y), ("width", \.width),
      ("height", \.height), ("preserveAspectRatio", \.aspectRatio),
    ]
  }
}
