import Styling

/// A page that was made, with what the composer found on it, to come back to when others have been made in its place.
struct MadePage {
  let result: LayoutResult
  fileprivate let page: PageBuilder.Kept
  fileprivate let progress: FlowProgress
  fileprivate let pageFloats: PageFloats
  fileprivate let footnotes: FootnoteFlow

  /// The page that a composer has laid out last.
  ///
  /// - Complexity: O(1); the next page begins with arrays of its own.
  init(_ result: LayoutResult, by composer: PageComposer) {
    self.result = result
    page = composer.context.page.kept
    progress = composer.progress
    pageFloats = composer.pageFloats
    footnotes = composer.state.footnotes
  }
}

/// The page behind the one being made, chosen in order to judge that one. A page depends on nothing but where it begins
/// and on its page box, so it need not be made again in its turn.
struct PageAhead {
  /// Where it begins: the very token that the page before ended with, which tells that nothing has changed there since.
  let token: BreakToken
  let geometry: PageGeometry
  let traits: PageTraits
  fileprivate let choice: PageComposer.Choice

  init(token: BreakToken, geometry: PageGeometry, traits: PageTraits, choice: PageComposer.Choice) {
    self.token = token
    self.geometry = geometry
    self.traits = traits
    self.choice = choice
  }

  /// The faults of the page at its best.
  var faults: Int { choice.best.faults }

  /// What was chosen, where it is the page that begins at a token and has been begun.
  func choice(at token: BreakToken?, on page: PageBuilder) -> PageComposer.Choice? {
    self.token === token && geometry == page.geometry && traits == page.traits ? choice : nil
  }
}

extension PageComposer {
  /// Comes back to a page.
  mutating func show(_ made: MadePage) -> LayoutResult {
    context.page.restore(made.page)
    progress = made.progress
    pageFloats = made.pageFloats
    state.footnotes = made.footnotes
    return made.result
  }
}
