import ChapterEngine
import Fonts
public import FoundationEssentials
import Graphics
import ImageCodecs
import Images
import Markup
import Platform
public import Primitives
import Publications
import RasterRendering

/// Covers, landmarks and navigation: all that a reading app asks of a book beside its chapters.
extension Book {
  /// A file of the book.
  public struct Resource: Hashable, Sendable {
    /// As the manifest says, or as the name of the file lets guess; empty when unknown.
    public var mediaType: String
    /// The file's content.
    public var bytes: Data
  }

  /// The cover image; nil when the book has none.
  public func cover() async -> Resource? {
    guard let path = coverPath else { return nil }
    return try? await resource(at: path)
  }

  /// The cover as a PNG file that fits into a size, for a shelf of books; nil when the book has no cover that can be drawn.
  public func coverThumbnail(fitting size: Size) async -> Data? {
    guard let path = coverPath else { return nil }
    return await Worker.perform {
      let images = ImageStore(limits: publication.limits, capacity: 0)
      let image = images.image(path: path, load: { try? publication.resource(at: path) })
      let info = images.info(image)
      guard !info.isBroken, let ratio = info.aspectRatio, ratio > 0 else { return nil }
      let height = Swift.min(size.height.pixels, size.width.pixels / Double(ratio))
      var list = DisplayList(size: Size(width: LayoutUnit(height * Double(ratio)), height: LayoutUnit(height)))
      list.items = [.image(image, Rect(width: list.size.width, height: list.size.height))]
      let fonts = FontLibrary(directories: [], usesSystemFonts: false, genericFamilies: [:])
      return Data(PNGEncoder().encode(RasterRenderer(fonts: fonts, images: images).render(list, scale: 1)))
    }
  }

  /// A file of the book by its path in the container; scrambled fonts come out whole. Paths never lead out of the book.
  public func resource(at path: String) async throws(BookError) -> Resource {
    guard let clean = ResourcePath.resolve("/" + path, relativeTo: "")?.path, !clean.isEmpty else {
      throw BookError(.missing, part: path, "the book has no such file")
    }
    let read = await Worker.perform { () -> Result<[UInt8], PublicationError> in
      do throws(PublicationError) { return .success(try publication.resource(at: clean)) } catch {
        return .failure(error)
      }
    }
    switch read {
    case .success(let bytes):
      return Resource(mediaType: publication.manifest.item(path: clean)?.mediaType ?? "", bytes: Data(bytes))
    case .failure(let error): throw BookError(error)
    }
  }

  /// The chapters of the parts of the book that have a kind of their own: `cover`, `toc`, `bodymatter` and others.
  public var landmarks: [ContentsEntry] { entries(publication.navigation.landmarks) }

  /// The pages of a printed edition.
  public var pageList: [ContentsEntry] { entries(publication.navigation.pageList) }

  func entries(_ list: [NavigationEntry]) -> [ContentsEntry] {
    list.map { entry in
      ContentsEntry(
        title: entry.title, href: entry.target?.description,
        chapter: entry.target.flatMap { publication.spineIndex(of: $0.path) }, level: entry.level, kind: entry.type)
    }
  }

  /// The headings of a book that is one page of HTML.
  var headings: [ContentsEntry] {
    sources.headings { Worker.run { findHeadings() } }
  }

  private func findHeadings() -> [ContentsEntry] {
    let resources = BookResources(publication: publication, settings: TypesettingSettings())
    let path = publication.spine[0].path
    let document = publication.document(at: 0).document
    var diagnostics = DiagnosticSink()
    let styles = ChapterStyles.resolve(
      document, path: path, resources: resources, language: publication.metadata.language,
      pageSize: resources.settings.pageSize, isFixedLayout: false, diagnostics: &diagnostics,
      cancellation: Cancellation())
    let fragments = document.elementsByFragment()
    // The levels of the headings that the next one may stand below.
    var open: [Int] = []
    return Heading.all(in: styles).map { heading in
      while let last = open.last, last >= heading.level { open.removeLast() }
      defer { open.append(heading.level) }
      let fragment = document.fragments(of: heading.node).first { fragments[$0] == heading.node }
      return ContentsEntry(
        title: heading.title, href: ResourcePath(path: path, fragment: fragment).description, chapter: 0,
        level: open.count, element: fragment == nil ? heading.node : nil)
    }
  }

  /// The place a line of the table of contents leads to; nil when it leads nowhere in the reading order.
  public func locator(for entry: ContentsEntry) async -> Locator? {
    if let element = entry.element, let chapter = entry.chapter {
      return await Worker.perform {
        describe(SourcePosition(node: element, offset: 0), chapter: chapter, source(of: chapter))
      }
    }
    guard let href = entry.href else { return nil }
    return await locator(forLink: href)
  }

  /// The place a link leads to, as the book writes it; nil when it leads out of the reading order.
  ///
  /// - Parameters:
  ///   - href: A path with or without a fragment, or a CFI.
  ///   - chapter: The chapter the link stands in; nil for paths that count from the container's root.
  public func locator(forLink href: String, in chapter: Int? = nil) async -> Locator? {
    let base = chapter.flatMap { publication.spine.indices.contains($0) ? publication.spine[$0].path : nil }
    guard let target = publication.resolve(base == nil ? "/" + href : href, relativeTo: base ?? "") else { return nil }
    // A CFI counts from the package document, which is no chapter.
    if let fragment = target.fragment, fragment.hasPrefix("epubcfi("), let cfi = try? CFI(fragment) {
      return try? await locator(for: cfi)
    }
    guard let found = publication.spineIndex(of: target.path) else { return nil }
    guard let fragment = target.fragment, !fragment.isEmpty else { return Locator(startOfChapter: found) }
    return await Worker.perform {
      let source = source(of: found)
      guard let element = source.element(fragment: fragment) else { return Locator(startOfChapter: found) }
      return describe(SourcePosition(node: element, offset: 0), chapter: found, source)
    }
  }

  /// The place of a locator that was saved: where it is, or, if the text there is no longer what its quote says, where that
  /// text stands now; else what its progression says.
  public func locator(repairing saved: Locator) async -> Locator {
    let count = publication.spine.count
    return await Worker.perform {
      let chapter = Swift.min(Swift.max(0, saved.chapter), Swift.max(0, count - 1))
      guard count > 0 else { return saved }
      let source = source(of: chapter)
      guard let quote = saved.quote, !(quote.before + quote.after).allSatisfy(\.isWhitespace) else {
        return describe(saved.position, chapter: chapter, source)
      }
      if chapter == saved.chapter, source.contains(saved.node), source.quote(at: saved.position).agrees(with: quote) {
        return describe(saved.position, chapter: chapter, source)
      }
      // Nearest chapters first; half of the quote is better than none.
      let near = chapter - 2...chapter + 2
      let order =
        [chapter]
        + near.filter { $0 != chapter && $0 >= 0 && $0 < count }.sorted {
          abs($0 - chapter) < abs($1 - chapter)
        }
      let patterns = [quote, TextQuote(before: "", after: quote.after), TextQuote(before: quote.before, after: "")]
      for pattern in patterns where QuoteText.stripped(pattern.before + pattern.after).count >= 8 {
        for candidate in order {
          let source = self.source(of: candidate)
          let guess = Int(Double(source.length) * (saved.progression ?? 0))
          guard let units = QuoteSearch(source, asRead: true).units(of: pattern, near: guess) else { continue }
          // The start of a chapter stays one, though something may stand before its text.
          if saved.node == Document.documentNode { return describe(saved.position, chapter: candidate, source) }
          return describe(source.position(afterUnits: units), chapter: candidate, source)
        }
      }
      guard let progression = saved.progression else { return describe(saved.position, chapter: chapter, source) }
      let units = Int(Double(source.length) * Swift.min(Swift.max(0, progression), 1))
      return describe(source.position(afterUnits: units), chapter: chapter, source)
    }
  }
}
