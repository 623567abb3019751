import BookEngine
import ChapterEngine
import Fonts
import Layout
import Primitives
import Publications
import Styling
import Typesetting

/// The layout of every page as JSON Lines (`--layout` in the command line's manual).
final class LayoutOutput: PageOutput, @unchecked Sendable {
  private let resources: BookResources
  /// The book, as the user names it.
  private let input: String
  // Pages are appended by one worker at a time.
  private let spool: RecordSpool

  init(_ resources: BookResources, input: String, to target: OutputTarget) throws(BookError) {
    self.resources = resources
    self.input = input
    spool = try RecordSpool(target)
  }

  var needs: PageNeeds { .record }

  func prepare(_ page: BookPage, _ tools: Void) -> PageRecordTemplate? { page.record }

  func append(_ record: PageRecordTemplate?, number: Int) throws(BookError) {
    if let record { try spool.append(record, number: number) }
  }

  func finish(_ book: BookEnd) throws(BookError) -> DiagnosticSink {
    if book.error?.kind != .missing { try spool.finish(book: bookLine(fonts: spool.fonts)) }
    return DiagnosticSink()
  }

  private func bookLine(fonts: [FontID]) -> [UInt8] {
    let metadata = resources.publication.metadata
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.value("book")
    writer.key("input")
    writer.value(input)
    writer.key("title")
    writer.value(metadata.title)
    writer.key("language")
    writer.value(metadata.language)
    writer.key("pageSize")
    writer.beginArray()
    writer.value(resources.settings.pageSize.width)
    writer.value(resources.settings.pageSize.height)
    writer.endArray()
    writer.key("engine")
    writer.beginObject()
    writer.key("typeset")
    writer.value(EngineVersion.current)
    for library in EngineVersion.libraries {
      writer.key(library.name.lowercased())
      writer.value(library.version)
    }
    writer.endObject()
    writer.key("fonts")
    writer.beginArray()
    for (index, id) in fonts.enumerated() {
      writer.beginObject()
      writer.key("id")
      writer.value(index)
      if let face = resources.fonts.face(id) {
        writer.key("family")
        writer.value(face.familyName)
        writer.key("style")
        writer.value(face.styleName)
        writer.key("weight")
        writer.value(Int(face.weight))
        writer.key("file")
        writer.value(face.fileName)
        if face.isEmbedded {
          writer.key("embedded")
          writer.value(true)
        }
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}

extension LayoutRecorder: PageRecorder {
  mutating func record(_ page: PageLayout, _ furniture: FurnishedPage?, missing: Int) -> PageRecordTemplate {
    let bytes = bytes(of: page, furniture, missing: missing)
    return PageRecordTemplate(bytes: bytes, fonts: fonts)
  }
}
