package import ChapterEngine
package import Fonts
package import Graphics
package import Images
package import Layout
package import PDFRendering
package import Primitives
import Publications

/// A page of a book as outputs are given it: a value, with what they have asked for.
package struct BookPage: Sendable {
  /// What all pages of the book share: faces, pictures, settings.
  package let resources: BookResources
  /// Position of its chapter in the spine.
  package let chapter: Int
  /// The path of the chapter in the book.
  package let path: String
  /// As the page is shown; nil unless an output paints.
  package internal(set) var list: DisplayList?
  /// Upright, with what it means; nil unless an output tags.
  package internal(set) var tagged: TaggedPage?
  /// Its layout record; nil unless one is asked for.
  package internal(set) var record: PageRecordTemplate?
  /// The first fault of the chapter's pages so far for PDF/UA-1; nil where they lack nothing, or nobody tags.
  package internal(set) var lackForAccessibility: String?
  /// The characters on it that no font has.
  var missing = MissingCharacters()

  /// The faces of the ids in its display list.
  package var fonts: FontLibrary { resources.fonts }
  /// The pictures of the ids in its display list.
  package var images: ImageStore { resources.images }

  init(_ chapter: StyledChapter) {
    resources = chapter.resources
    self.chapter = chapter.index
    path = chapter.item.path
  }
}

/// A layout record (a line of JSON) before the book is put together: the page has no number yet, and the faces of its
/// runs are positions in `fonts`.
///
/// What is known only when all pages before are stands as marks in control characters, which JSON text cannot contain.
package struct PageRecordTemplate: Sendable {
  /// Stands for the page's number.
  package static let numberMark: UInt8 = 1
  /// The position of a face in `fonts`, in decimal digits, stands between these two.
  package static let fontMark: UInt8 = 2
  package static let endMark: UInt8 = 3

  private let bytes: [UInt8]
  package let fonts: [FontID]

  package init(bytes: [UInt8], fonts: [FontID]) {
    self.bytes = bytes
    self.fonts = fonts
  }

  /// The record without a line feed.
  ///
  /// - Parameters:
  ///   - number: The page's, from 1.
  ///   - font: The number to write for a position in `fonts`.
  package func filled(number: Int, font: (Int) -> Int) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(bytes.count + 64)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case Self.numberMark:
        line.append(contentsOf: String(number).utf8)
        index += 1
      case Self.fontMark:
        var position = 0
        index += 1
        while index < bytes.count, bytes[index] != Self.endMark {
          position = position * 10 + Int(bytes[index] - 0x30)
          index += 1
        }
        index += 1
        line.append(contentsOf: String(position < fonts.count ? font(position) : 0).utf8)
      default:
        line.append(bytes[index])
        index += 1
      }
    }
    return line
  }
}

/// Makes the layout records of one chapter, page by page.
package protocol PageRecorder {
  /// - Parameters:
  ///   - furniture: What stands around the page's content.
  ///   - missing: The number of the page's characters that no font has.
  mutating func record(_ page: PageLayout, _ furniture: FurnishedPage?, missing: Int) -> PageRecordTemplate
}

/// A chapter, all of whose pages have been taken.
package struct BookChapter: Sendable {
  /// Position in the spine.
  package let index: Int
  /// Its structure in a PDF; nil where nobody tags, or no page was painted.
  package var structure: ChapterStructure?
  /// Its text in reading order; nil unless it is asked for.
  package var text: String?
}

/// A book, when nothing comes any more.
package struct BookEnd: Sendable {
  package let resources: BookResources
  /// All of the book was asked for.
  package let isWhole: Bool
  /// The error that ended it early.
  package internal(set) var error: BookError?
  package internal(set) var statistics: BookStatistics
}

/// Counters and times of a book that is set.
package struct BookStatistics: Sendable {
  package internal(set) var pages = 0
  package internal(set) var chapters = 0
  package internal(set) var counters = StageStatistics()
  package internal(set) var times = StageTimes()
  /// When the first page was written (`Clock.wallTime`).
  package internal(set) var firstPage: UInt64?

  mutating func add(_ chapter: ChapterFigures) {
    chapters += 1
    times.add(chapter.times)
    counters.merge(chapter.counters)
  }
}
