import BoxGeneration
import CSS
import Fonts
package import Layout
import Markup
import Platform
package import Primitives
import Shaping
import Styling
import Text

/// A page of a chapter, laid out, with what its margin boxes can show.
package struct ComposedPage: Sendable {
  package let layout: PageLayout
  let facts: PageFacts
}

/// The pages of a chapter, made in order in one thread; from any page on once the mark before it is known.
package struct PagedChapter {
  package let chapter: StyledChapter
  /// Turns pages into what is shown.
  package let drawing: PageDrawing
  /// Tells what pages mean, page by page.
  package let tagging: PageTagging
  /// The inputs of layout.
  package let inputs: LayoutInputs
  /// The state of the book before the next page.
  package private(set) var state: PageState
  /// Once it is requested, pages that are made are to be thrown away, and `restart` to be called. That of the chapter
  /// unless another one is set.
  package var cancellation: Cancellation {
    didSet { workspace.cancellation = cancellation }
  }
  private let workspace: LayoutWorkspace
  private var composer: PageComposer
  private let marks: PageMarkIndex
  private var statistics = StageStatistics()
  private var times = StageTimes()

  /// - Parameters:
  ///   - state: The state of the book before the first page.
  ///   - recordsClusters: Places of all characters are kept, for reading apps and for tags.
  package init(_ chapter: StyledChapter, from state: PageState = PageState(), recordsClusters: Bool = false) {
    let start = Clock.threadTime
    self.chapter = chapter
    cancellation = chapter.cancellation
    let shaper = chapter.shaper
    shaper.use(chapter.shapingSettings)
    let resources = chapter.resources
    var styles = chapter.styles
    if !chapter.isFixedLayout, let factor = resources.settings.lineHeight {
      styles.table.setReaderLineHeight(factor)
    }
    inputs = LayoutInputs(
      tree: chapter.tree, styles: styles.table, fonts: chapter.fonts, images: resources.images,
      settings: chapter.layoutSettings(recordsClusters: recordsClusters),
      shapeImages: LayoutInputs.shapeImages(of: styles.table) { resources.image(at: $0) })
    workspace = FormattingContexts.workspace(inputs, shaper: shaper)
    workspace.cancellation = cancellation
    let pageStyles = chapter.isFixedLayout ? PageStyles() : styles.pageStyles
    composer = PageComposer(workspace, pageStyles: pageStyles, pagesBefore: state.pages)
    marks = PageMarkIndex(chapter.tree)
    self.state = state
    self.state.elements = [:]
    drawing = PageDrawing(chapter, inputs, styles)
    tagging = PageTagging(chapter, inputs)
    times.layout = Clock.threadTime - start
  }

  /// Forgets what has been laid out and measured, but not the words. The next page is the first of a book that begins
  /// with the chapter, unless a mark is gone to.
  package mutating func restart() { restart(chapter) }

  /// Goes over to other settings, which must leave the boxes as they are (`StyledChapter.kept(under:)`), and restarts.
  package mutating func use(_ resources: BookResources) { restart(chapter.using(resources)) }

  private mutating func restart(_ chapter: StyledChapter) {
    let cancellation = cancellation
    self = PagedChapter(chapter, recordsClusters: inputs.settings.recordsClusters)
    self.cancellation = cancellation
  }

  /// Lays the next page out; nil after the last one.
  package mutating func nextPage() -> ComposedPage? {
    let start = (processor: Clock.threadTime, wall: Clock.wallTime)
    let shapingBefore = workspace.shapingTime
    let layout = composer.nextPage()
    let page = layout.map { layout in
      count(layout.lines)
      let style = chapter.styles.pageStyles[layout.traits]?.style
      let facts = state.advance(over: layout, marks: marks, style: style.map { chapter.styles.table[$0.box] })
      return ComposedPage(layout: layout, facts: facts)
    }
    // Layout calls the shaper when it reaches a paragraph and counts its time on the wall: of the page's processor time
    // it took the same share.
    let spent = Clock.threadTime - start.processor
    let shaped = min(
      1, Double(workspace.shapingTime - shapingBefore) / Double(max(1, Clock.wallTime - start.wall)))
    let shaping = UInt64(Double(spent) * shaped)
    times.shape += shaping
    times.layout += spent - shaping
    return page
  }

  private mutating func count(_ lines: [LineFragment]) {
    statistics.add("lines", lines.count)
    statistics.add("lines.hyphenated", lines.count { $0.isHyphenated })
    statistics.add("lines.loose", lines.count { $0.looseness > 0 })
    statistics.add("lines.stacked", WordStacks.count(in: lines, of: chapter.tree.texts))
  }

  /// Counts the rivers of a page.
  package mutating func countRivers(on page: PageLayout) {
    statistics.add("lines.rivers", Rivers.count(on: page, fonts: chapter.fonts))
  }

  // MARK: Marks

  /// The start of the next page, to go back to: under the same settings also after a restart.
  package struct Mark {
    fileprivate var composer: PageComposer.Checkpoint
    fileprivate var state: PageState
    /// The mark to be saved; nil where it cannot be.
    package var encoded: [UInt8]? { composer.encoded(with: state) }
  }

  /// The state before the next page.
  package var mark: Mark { Mark(composer: composer.checkpoint, state: state) }

  /// A mark that was saved; nil when it is damaged.
  package func mark(encoded: [UInt8]) -> Mark? {
    PageComposer.Checkpoint.decode(encoded, bounds: composer.checkpointBounds).map { Mark(composer: $0, state: $1) }
  }

  /// The next page will be the one that followed the mark.
  package mutating func go(to mark: Mark) {
    composer.checkpoint = mark.composer
    state = mark.state
  }

  /// The last element, in document order, in which the next page starts; nil before the first page, after the last, and
  /// inside anonymous boxes.
  var furthestNode: NodeID? { composer.token?.furthestNode(in: chapter.tree) }

  // MARK: What came of it

  /// What a page cannot show, its margin boxes left out.
  package func losses(on page: PageLayout) -> PageLosses {
    let tree = chapter.tree
    var losses = PageLosses()
    losses.characters = MissingCharacters(on: page, tree.texts, workspace.shaper)
    guard !tree.undrawn.isEmpty else { return losses }
    var met: Set<NodeID> = []
    for fragment in page.fragments where fragment.kind == .box && !fragment.box.isNone {
      let node = tree[fragment.box].node
      if let reason = tree.undrawn[node], met.insert(node).inserted { losses.pictures.append((node, reason)) }
    }
    return losses
  }

  /// All faults met so far.
  package var diagnostics: DiagnosticSink {
    var all = chapter.diagnostics
    all.append(contentsOf: workspace.diagnostics)
    all.append(contentsOf: workspace.shaper.diagnostics)
    return all
  }

  /// Counters and times of all stages so far.
  package var figures: ChapterFigures {
    var figures = chapter.figures
    figures.times.add(times)
    figures.counters.merge(statistics)
    figures.counters.merge(workspace.shaper.statistics)
    figures.counters.counters["lines.set"] = workspace.linesSet
    figures.counters.counters["lines.considered"] = workspace.breaksConsidered
    figures.counters.counters["floats.placed"] = workspace.floatsPlaced
    figures.counters.counters["positioned.resumed"] = workspace.positionedResumed
    return figures
  }

  /// About the memory it takes, in bytes.
  package var byteCount: Int { chapter.byteCount + workspace.byteCount }
}

/// Counters and times of the stages of a chapter.
package struct ChapterFigures {
  package var counters = StageStatistics()
  package var times = StageTimes()
}

extension StyledChapter {
  /// Counters and times of the stages before layout.
  package var figures: ChapterFigures { ChapterFigures(counters: statistics, times: times) }
}
