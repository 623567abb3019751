package import Fonts
package import Graphics
package import Images
package import Primitives

/// A consumer of finished pages that is no file of the command line's: the snapshot harness is one.
package protocol PageSink: Sendable {
  /// Reports the phase that a worker turns to. Called often, by several threads at once.
  ///
  /// - Parameter chapter: the path of the spine item in the book.
  func begin(_ phase: PagePhase, chapter: String)

  /// Turns a page into what is kept of it, on the thread of the worker that made it; several do so at once.
  func encode(_ page: PageContent) -> EncodedPage

  /// Takes the pages in book order. A page that shows how many pages the book has comes twice: first with its record alone,
  /// and after all others with its display list alone.
  ///
  /// - Parameter number: from 1.
  func append(_ page: EncodedPage, number: Int)
}

/// The phase a worker is in.
package enum PagePhase: String, Sendable { case parse, layout, paint }

/// A page as the engine makes it.
package struct PageContent {
  /// The display list; nil where that is not known yet.
  package var list: DisplayList?
  /// The page's layout record; nil where the sink has it already.
  package var record: PageRecordTemplate?
  /// The page's structure and text in a PDF; nil unless they are asked for.
  package var tags: String?
  package var fonts: FontLibrary
  package var images: ImageStore
}

/// A page as a sink keeps it.
package struct EncodedPage: Hashable, Sendable {
  package var display: [UInt8]?
  package var record: [UInt8]?
  /// What the page is in a PDF.
  package var tags: [UInt8]?

  package init(display: [UInt8]? = nil, record: [UInt8]? = nil, tags: [UInt8]? = nil) {
    self.display = display
    self.record = record
    self.tags = tags
  }
}

/// A layout record (a line of JSON) before the book is put together: the page has no number yet, and the faces of its runs
/// are positions in `fonts`.
package struct PageRecordTemplate: Sendable {
  var bytes: [UInt8]
  package var fonts: [FontID]

  /// The record without a line feed.
  ///
  /// - Parameters:
  ///   - number: the page's, from 1.
  ///   - font: the number to write for a position in `fonts`.
  package func filled(number: Int, font: (Int) -> Int) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(bytes.count + 64)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case LayoutRecorder.numberMark:
        line.append(contentsOf: String(number).utf8)
        index += 1
      case LayoutRecorder.fontMark:
        var position = 0
        index += 1
        while index < bytes.count, bytes[index] != LayoutRecorder.endMark {
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
