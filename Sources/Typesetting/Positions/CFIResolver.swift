import Markup
import Platform
import Primitives
import Publications

/// Leads CFI steps through a chapter's document, and back.
///
/// A step with an even number is a child element; an odd one is all the text between two elements, in however many nodes it
/// lies (EPUB CFI 1.1, section 3.1.1). What does not fit is mended as far as it can be: an `id` that stands elsewhere now is
/// followed, numbers past the end mean the end, and the text around the place decides between neighbouring ones.
struct CFIResolver {
  let source: ChapterSource
  private var document: Document { source.document }

  init(_ source: ChapterSource) { self.source = source }

  // MARK: From places to steps

  /// The steps from the document to a place.
  func path(to position: SourcePosition) -> CFI.Path {
    var node = position.node
    guard source.contains(node), !document.root.isNone else { return CFI.Path(steps: []) }
    var steps: [CFI.Step] = []
    var offset: CFI.Offset?
    if document[node].kind == .text {
      var character = Swift.max(0, position.offset)
      var elements = 0
      var sibling = document[node].previousSibling
      var isInChunk = true
      while !sibling.isNone {
        if document[sibling].kind == .element {
          elements += 1
          isInChunk = false
        } else if isInChunk {
          character += source.length(of: sibling)
        }
        sibling = document[sibling].previousSibling
      }
      steps.append(CFI.Step(elements * 2 + 1))
      offset = CFI.Offset(character: character)
      node = document[node].parent
    }
    let root = document.root
    while !node.isNone, node != root, node != Document.documentNode {
      steps.append(CFI.Step(document.step(of: node), assertion: assertion(of: node)))
      node = document[node].parent
    }
    return CFI.Path(steps: steps.reversed(), offset: offset)
  }

  /// All assertions in square brackets are to be found in the document, where steps and offset say or elsewhere.
  func hasAssertions(of path: CFI.Path) -> Bool {
    for step in path.steps where step.index & 1 == 0 {
      if let id = step.assertion?.first, source.element(fragment: id) == nil { return false }
    }
    guard let assertion = path.offset?.assertion, assertion.first != nil || assertion.second != nil else { return true }
    let quote = TextQuote(before: assertion.first ?? "", after: assertion.second ?? "")
    return QuoteSearch(source).units(of: quote, near: 0) != nil
  }

  private func assertion(of element: NodeID) -> CFI.Assertion? {
    guard let id = document.attributeValue(.id, of: element), !id.isEmpty else { return nil }
    return CFI.Assertion(first: id)
  }

  // MARK: From steps to places

  /// The place that steps from the document lead to; nil for a document without elements.
  func position(of path: CFI.Path) -> SourcePosition? {
    var element = document.root
    guard !element.isNone else { return nil }
    // The first step with an `id` from the end that the document still has.
    var first = 0
    for index in path.steps.indices.reversed() {
      guard path.steps[index].index & 1 == 0, let id = path.steps[index].assertion?.first else { continue }
      if let direct = walk(path.steps[...index]), document.attributeValue(.id, of: direct) == id {
        element = direct
        first = index + 1
        break
      }
      if let found = source.element(fragment: id) {
        element = found
        first = index + 1
        break
      }
    }
    for index in first..<Swift.max(first, path.steps.count) {
      let step = path.steps[index]
      // Embedded content has no places of its own.
      if index > 0, step.isIndirect { return SourcePosition(node: element, offset: 0) }
      if step.index & 1 == 1 {
        return refine(chunk(step.index, of: element), in: element, offset: path.offset)
      }
      if step.index == 0 { return start(of: element) }
      guard let child = child(step.index, of: element) else {
        return step.index > childCount(element) * 2 ? end(of: element) : start(of: element)
      }
      element = child
    }
    guard let offset = path.offset, offset.character != nil, !offset.isIndirect else {
      return SourcePosition(node: element, offset: 0)
    }
    // An offset in a picture's alternative text is a place in the picture; right behind other elements some writers mean
    // their text.
    if document[element].name == .img { return SourcePosition(node: element, offset: 0) }
    if source.length(of: element) == 0 {
      return (offset.character ?? 0) > 0 ? end(of: element) : SourcePosition(node: element, offset: 0)
    }
    return refine(
      (source.units(before: SourcePosition(node: element, offset: 0)), source.length(of: element)), in: element,
      offset: offset)
  }

  private func walk(_ steps: ArraySlice<CFI.Step>) -> NodeID? {
    var element = document.root
    for step in steps {
      guard let next = child(step.index, of: element) else { return nil }
      element = next
    }
    return element
  }

  private func child(_ number: Int, of element: NodeID) -> NodeID? {
    guard number & 1 == 0, number > 0 else { return nil }
    var current = 0
    for child in document.children(of: element) where document[child].kind == .element {
      current += 2
      if current == number { return child }
    }
    return nil
  }

  private func childCount(_ element: NodeID) -> Int {
    document.children(of: element).reduce(0) { $0 + (document[$1].kind == .element ? 1 : 0) }
  }

  private func start(of element: NodeID) -> SourcePosition {
    let first = document[element].firstChild
    return SourcePosition(node: !first.isNone && document[first].kind == .text ? first : element, offset: 0)
  }

  /// The place behind an element's content.
  private func end(of element: NodeID) -> SourcePosition {
    let units = source.units(before: SourcePosition(node: element, offset: 0)) + source.length(of: element)
    return source.length(of: element) == 0
      ? SourcePosition(node: document[element].subtreeEnd, offset: 0) : position(endingAt: units)
  }

  /// The place after so many units, at the end of a text node rather than at the start of the next.
  private func position(endingAt units: Int) -> SourcePosition {
    guard units > 0 else { return source.position(afterUnits: 0) }
    let last = source.position(afterUnits: units - 1)
    return SourcePosition(node: last.node, offset: last.offset + 1)
  }

  /// The units of the text between two child elements.
  private func chunk(_ number: Int, of element: NodeID) -> (start: Int, length: Int) {
    var elements = 0
    var start = source.units(before: SourcePosition(node: element, offset: 0))
    var length = 0
    for child in document.children(of: element) {
      if document[child].kind == .element {
        if elements * 2 + 1 == number { break }
        elements += 1
        start += length + source.length(of: child)
        length = 0
      } else {
        length += source.length(of: child)
      }
    }
    return elements * 2 + 1 < number ? (start + length, 0) : (start, length)
  }

  /// The place in a stretch of text: at the offset, unless the text says that it stands elsewhere near by.
  private func refine(_ chunk: (start: Int, length: Int), in element: NodeID, offset: CFI.Offset?) -> SourcePosition {
    let wanted = chunk.start + Swift.min(Swift.max(0, offset?.character ?? 0), chunk.length)
    var units = wanted
    if let assertion = offset?.assertion, assertion.first != nil || assertion.second != nil {
      let quote = TextQuote(before: assertion.first ?? "", after: assertion.second ?? "")
      units = QuoteSearch(source).units(of: quote, near: wanted) ?? wanted
    }
    if source.length(of: element) == 0 { return SourcePosition(node: element, offset: 0) }
    return units == chunk.start + chunk.length ? position(endingAt: units) : source.position(afterUnits: units)
  }
}

/// Finds a place by the text around it.
struct QuoteSearch {
  private let source: ChapterSource
  private let asRead: Bool
  /// - Parameter asRead: `true` if what is not read on, such as ruby, is left aside, and case.
  init(_ source: ChapterSource, asRead: Bool = false) {
    self.source = source
    self.asRead = asRead
  }

  /// Units before the place nearest to `near` that has this text around it, white space left aside; nil when there is none.
  func units(of quote: TextQuote, near: Int) -> Int? {
    let before = QuoteText.stripped(quote.before)
    var pattern = before + QuoteText.stripped(quote.after)
    if asRead { pattern = pattern.map(QuoteText.folded) }
    guard !pattern.isEmpty else { return nil }
    let all = source.text(from: 0, to: source.length, asRead: asRead)
    var text: [UInt16] = []
    var places: [UInt32] = []
    for (index, unit) in all.enumerated() where !QuoteText.isSpace(unit) {
      text.append(asRead ? QuoteText.folded(unit) : unit)
      places.append(UInt32(index))
    }
    guard text.count >= pattern.count else { return nil }
    var best: Int?
    for start in 0...(text.count - pattern.count) where text[start] == pattern[0] {
      guard text[start..<start + pattern.count].elementsEqual(pattern) else { continue }
      // White space between both sides belongs to the left one unless the place is at it.
      let place = start + before.count
      let low = place > 0 ? Int(places[place - 1]) + 1 : 0
      let high = place < places.count ? Int(places[place]) : all.count
      let stands = quote.before.isEmpty || quote.before.last?.isWhitespace == true
      let found = near >= low && near <= high ? near : stands ? high : low
      if best == nil || abs(found - near) < abs(best! - near) { best = found }
    }
    return best
  }
}

extension CFI {
  /// A range with as much as possible in its common path.
  init(from start: Path, to end: Path) {
    // Both ends keep at least one step, and what is common is whole steps.
    let most = Swift.max(0, Swift.min(start.steps.count, end.steps.count) - 1)
    let common = zip(start.steps, end.steps).prefix(most).prefix { $0 == $1 }.count
    self.init(
      path: Path(steps: Array(start.steps.prefix(common))),
      range: Range(
        start: Path(steps: Array(start.steps.dropFirst(common)), offset: start.offset),
        end: Path(steps: Array(end.steps.dropFirst(common)), offset: end.offset)))
  }
}

extension CFI.Path {
  /// Steps and offsets are equal, whatever is asserted.
  func isSamePlace(as other: Self) -> Bool {
    steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.index == $1.index && $0.isIndirect == $1.isIndirect }
      && offset?.character == other.offset?.character && offset?.time == other.offset?.time
      && offset?.point == other.offset?.point
  }

  /// Adds an assertion of the side that is meant (EPUB CFI 1.1, section 3.1.9).
  mutating func say(_ side: CFI.Side) {
    func say(in assertion: inout CFI.Assertion?) {
      assertion = assertion ?? CFI.Assertion()
      assertion?.parameters.append(.init(name: "s", values: [side.rawValue]))
    }
    if offset != nil {
      say(in: &offset!.assertion)
    } else if let last = steps.indices.last {
      say(in: &steps[last].assertion)
    }
  }
}

extension Book {
  /// The identifier of a place, with the `id`s of the elements it leads through to check it by.
  ///
  /// In books other than EPUBs the steps lead from the chapter's number.
  public func cfi(for locator: Locator) async -> CFI? {
    guard publication.spine.indices.contains(locator.chapter) else { return nil }
    return await Worker.perform {
      var path = path(to: locator)
      if let side = locator.side { path.say(side) }
      return CFI(path: path)
    }
  }

  /// The identifier of a stretch of text.
  public func cfi(for range: Range<Locator>) async -> CFI? {
    let chapters = publication.spine.indices
    guard chapters.contains(range.lowerBound.chapter), chapters.contains(range.upperBound.chapter) else { return nil }
    return await Worker.perform {
      CFI(from: path(to: range.lowerBound), to: path(to: range.upperBound))
    }
  }

  /// The place that an identifier names, or the start of its range.
  ///
  /// The `id`s and texts in square brackets lead to the place where the document has changed since.
  public func locator(for cfi: CFI) async throws(BookError) -> Locator {
    var locator = try await range(for: cfi).lowerBound
    locator.side = cfi.side
    return locator
  }

  /// The identifier as it ought to be saved from now on: with other steps where `id`s or texts in square brackets show that the
  /// place has moved since it was made (EPUB CFI 1.1, section 3.5); nil when the book no longer has what they speak of, so that
  /// the identifier is invalid.
  public func corrected(_ cfi: CFI) async -> CFI? {
    guard let range = try? await range(for: cfi) else { return nil }
    return await Worker.perform {
      guard hasAssertions(of: cfi.start), hasAssertions(of: cfi.end) else { return nil }
      /// The steps to where the place is now; times, points and assertions stay.
      func path(to locator: Locator, as old: CFI.Path) -> CFI.Path {
        var new = self.path(to: locator)
        if var offset = old.offset {
          if let character = new.offset?.character { offset.character = character }
          new.offset = offset
        } else if let said = old.steps.last?.assertion?.parameters, !said.isEmpty, let last = new.steps.indices.last {
          new.steps[last].assertion = new.steps[last].assertion ?? CFI.Assertion()
          new.steps[last].assertion?.parameters = said
        }
        return new
      }
      let start = path(to: range.lowerBound, as: cfi.start)
      guard cfi.range != nil else { return start.isSamePlace(as: cfi.path) ? cfi : CFI(path: start) }
      let end = path(to: range.upperBound, as: cfi.end)
      return start.isSamePlace(as: cfi.start) && end.isSamePlace(as: cfi.end) ? cfi : CFI(from: start, to: end)
    }
  }

  /// The range that an identifier names; empty when it names a place.
  public func range(for cfi: CFI) async throws(BookError) -> Range<Locator> {
    let found = await Worker.perform { () -> Range<Locator>? in
      guard let start = locator(at: cfi.start), let end = locator(at: cfi.end) else { return nil }
      return start..<end
    }
    guard let found else { throw BookError(.missing, part: cfi.description, "the book has no such place") }
    return found
  }

  // MARK: Inside a thread with room

  private func hasAssertions(of path: CFI.Path) -> Bool {
    let inside = path.steps.firstIndex(where: \.isIndirect) ?? path.steps.count
    let ids = Set(publication.spine.compactMap(\.referenceID))
    if inside > 0, let id = path.steps[inside - 1].assertion?.first, !ids.contains(id) { return false }
    guard inside < path.steps.count, let chapter = locator(at: path)?.chapter else { return inside > 0 }
    return CFIResolver(source(of: chapter)).hasAssertions(
      of: CFI.Path(steps: Array(path.steps[inside...]), offset: path.offset))
  }

  private func path(to locator: Locator) -> CFI.Path {
    let item = publication.spine[locator.chapter]
    var steps = packageSteps(of: locator.chapter).map { CFI.Step($0) }
    if let id = item.referenceID, !id.isEmpty { steps[steps.count - 1].assertion = CFI.Assertion(first: id) }
    var inside = CFIResolver(source(of: locator.chapter)).path(to: locator.position)
    guard !inside.steps.isEmpty else { return CFI.Path(steps: steps) }
    inside.steps[0].isIndirect = true
    return CFI.Path(steps: steps) + inside
  }

  private func packageSteps(of chapter: Int) -> [Int] {
    let steps = publication.spine[chapter].packageSteps
    return steps.isEmpty ? [6, chapter * 2 + 2] : steps
  }

  private func locator(at path: CFI.Path) -> Locator? {
    let inside = path.steps.firstIndex(where: \.isIndirect) ?? path.steps.count
    let outside = path.steps[..<inside]
    guard let last = outside.last else { return nil }
    let byID = last.assertion?.first.flatMap { id in publication.spine.firstIndex { $0.referenceID == id } }
    let numbers = outside.map(\.index)
    guard let chapter = byID ?? publication.spine.indices.first(where: { packageSteps(of: $0) == numbers }) else {
      return nil
    }
    guard inside < path.steps.count else { return Locator(startOfChapter: chapter) }
    let source = source(of: chapter)
    let position = CFIResolver(source).position(
      of: CFI.Path(steps: Array(path.steps[inside...]), offset: path.offset))
    return position.map { describe($0, chapter: chapter, source) }
  }

  /// A locator with progression and quote.
  func describe(_ position: SourcePosition, chapter: Int, _ source: ChapterSource) -> Locator {
    Locator(
      chapter: chapter, node: position.node, offset: position.offset, progression: source.progression(at: position),
      quote: source.quote(at: position))
  }

  /// The parsed document of a chapter.
  func source(of chapter: Int) -> ChapterSource {
    sources.source(of: chapter) { ChapterSource(publication.document(at: chapter).document) }
  }
}
