/// A rectangle in CSS px from the page's top left corner, as layout records write it: `[x, y, width, height]`.
package struct RecordBox: Hashable, Codable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    self.init(
      x: try values.decode(Double.self), y: try values.decode(Double.self), width: try values.decode(Double.self),
      height: try values.decode(Double.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    for value in [x, y, width, height] { try values.encode(value) }
  }
}

/// A place in the document: EPUB CFI steps of a block and UTF-16 offsets in its text.
package struct RecordSource: Hashable, Codable, Sendable {
  package var node: String
  package var start: Int
  package var end: Int

  package init(node: String, start: Int, end: Int) {
    self.node = node
    self.start = start
    self.end = end
  }
}

/// A run of a line: text of one face, size and colour.
package struct RunRecord: Hashable, Codable, Sendable {
  /// Number of the face in the book line of the records.
  package var font: Int
  package var size: Double
  package var color: String
  package var text: String
  package var x: Double
  package var width: Double
  /// The other two sides, for lines that run downwards.
  package var y: Double?
  package var height: Double?

  package init(
    font: Int, size: Double, color: String, text: String, x: Double, width: Double, y: Double? = nil,
    height: Double? = nil
  ) {
    self.y = y
    self.height = height
    self.font = font
    self.size = size
    self.color = color
    self.text = text
    self.x = x
    self.width = width
  }
}

/// A line of a page, as the layout record describes it.
package struct LineRecord: Hashable, Codable, Sendable {
  package var text: String
  package var box: RecordBox
  package var baseline: Double
  package var dir: String
  package var writing: String
  package var hyphenated: Bool
  package var source: RecordSource
  package var role: String
  /// Of a heading, from 1.
  package var level: Int?
  package var lang: String
  /// The text of the list marker before the line.
  package var marker: String?
  package var runs: [RunRecord]
  /// A hash of the computed values of the line's block and of what it stands in, in hexadecimal; nil where it is not known.
  package var style: String?
  /// The number of the face that gives the block's lines their least height; nil where it is not known.
  package var primary: Int?
  /// CFI steps of the outermost table that the line stands in; nil where there is none, or it is not known.
  package var table: String?
  /// The scale of the text against its styles, in a table that is made smaller to fit its page; nil where it is 1, or not known.
  package var scale: Double?

  package init(
    text: String, box: RecordBox, baseline: Double, dir: String = "ltr", writing: String = "horizontal-tb",
    hyphenated: Bool = false, source: RecordSource, role: String = "p", level: Int? = nil, lang: String = "",
    marker: String? = nil, runs: [RunRecord] = []
  ) {
    self.text = text
    self.box = box
    self.baseline = baseline
    self.dir = dir
    self.writing = writing
    self.hyphenated = hyphenated
    self.source = source
    self.role = role
    self.level = level
    self.lang = lang
    self.marker = marker
    self.runs = runs
  }
}

/// An image, link or note of a page.
package struct PlacedRecord: Hashable, Codable, Sendable {
  /// The target of a link, the path of an image, the id of a note.
  package var href: String
  package var box: RecordBox
  package var missing: Bool?
  /// The alternative text of an image.
  package var alt: String?
  /// CFI steps of an image's element.
  package var source: String?

  package init(href: String, box: RecordBox, missing: Bool? = nil, alt: String? = nil, source: String? = nil) {
    self.source = source
    self.href = href
    self.box = box
    self.missing = missing
    self.alt = alt
  }
}

/// The record that level C compares: a page of `--layout`.
package struct PageRecord: Hashable, Codable, Sendable {
  package var number: Int
  package var chapter: Int
  package var href: String
  package var size: [Double]
  package var lines: [LineRecord]
  package var images: [PlacedRecord]
  package var links: [PlacedRecord]

  package init(
    number: Int, chapter: Int, href: String, size: [Double], lines: [LineRecord], images: [PlacedRecord] = [],
    links: [PlacedRecord] = []
  ) {
    self.number = number
    self.chapter = chapter
    self.href = href
    self.size = size
    self.lines = lines
    self.images = images
    self.links = links
  }
}

/// A face that pages use.
package struct FaceRecord: Hashable, Codable, Sendable {
  package var id: Int
  package var family: String
  package var style: String
  package var weight: Int
  package var file: String
  /// Its name in display lists; nil where it is not known.
  package var key: UInt64?

  package init(id: Int, family: String, style: String, weight: Int, file: String, key: UInt64? = nil) {
    self.id = id
    self.key = key
    self.family = family
    self.style = style
    self.weight = weight
    self.file = file
  }
}
