import BoxGeneration
package import Primitives
package import Shaping
import Text

/// The workspace of one worker for a chapter: its shaper, storage that is used again, counters, and contexts by their
/// mode. Nothing of it changes a page.
package final class LayoutWorkspace {
  package let inputs: LayoutInputs
  package let shaper: Shaper
  /// Nanoseconds on the wall that shaping took of layout's.
  package var shapingTime: UInt64 = 0
  package var diagnostics = DiagnosticSink()
  /// Boxes are laid out as if they were empty once this is requested: the page is worth nothing then, nor is what has been
  /// measured.
  package var cancellation: Cancellation {
    get { trials.cancellation }
    set { trials.cancellation = newValue }
  }
  /// Bounds the work that trials inside trials make, which grows with a power of their nesting.
  let trials = TrialBudget()
  let inline: InlinePool
  let page = PageBuilder()
  let boxLayout: any BoxLayout
  var subgrids = SubgridStore()
  /// The pitch of the page's lines, with a grid.
  private(set) lazy var gridPitch = inputs.settings.composition.baselineGrid ? context.bodyLineHeight() : nil
  private var contexts: [ContextKey: LayoutContext] = [:]
  /// The context used last: content asks for the same one many times in a row.
  private var current: LayoutContext?

  /// Contexts kept. Those of tables that are set smaller differ with each.
  private static let mostContexts = 32

  private struct ContextKey: Hashable {
    var pageBox: PageGeometry
    var mode: MeasureMode
  }

  init(_ inputs: LayoutInputs, shaper: Shaper, boxLayout: any BoxLayout) {
    self.inputs = inputs
    self.boxLayout = boxLayout
    self.shaper = shaper
    inline = InlinePool(texts: inputs.tree.texts.texts.count)
  }

  /// Lines set so far, with those of trials that were given up: work that grows faster than the text shows here.
  package var linesSet: Int { trials.linesSet }
  /// Floats placed so far, or put off to a later page one by one.
  package var floatsPlaced: Int { trials.floats }
  /// Positioned boxes looked at so far that a page before has left.
  package var positionedResumed: Int { trials.positioned }
  /// Places looked at so far for choices of the lines of whole texts.
  package var breaksConsidered: Int { trials.candidates }

  /// About the memory that is kept from page to page, in bytes: shapes of paragraphs and words.
  package var byteCount: Int { inline.byteCount + shaper.byteCount }

  /// The context of the chapter's own flow on the reader's page.
  package var context: LayoutContext {
    context(on: inputs.settings.page, mode: MeasureMode(writingMode: inputs.tree.writingMode))
  }

  /// The context of a page box and a mode, with what has been measured in it.
  func context(on pageBox: PageGeometry, mode: MeasureMode) -> LayoutContext {
    if let current, current.mode == mode, current.pageBox == pageBox { return current }
    let key = ContextKey(pageBox: pageBox, mode: mode)
    if let known = contexts[key] {
      current = known
      return known
    }
    if contexts.count >= Self.mostContexts { contexts.removeAll() }
    let made = LayoutContext(self, pageBox: pageBox, mode: mode)
    contexts[key] = made
    current = made
    return made
  }
}

/// Counts what is laid out more than once. Boxes measured, or tried beside floats, inside boxes that are themselves measured
/// or tried can ask for exponentially many trials; real books nest few, and never come near the bound.
final class TrialBudget {
  /// Boxes laid out by nested trials on one page before no more trials are made.
  static let limit = 100_000
  /// Trials that may be open without being counted.
  static let freeDepth = 3
  /// Columns in columns that are not counted: none but hostile content nests them deeper.
  private static let freeColumnDepth = 2
  /// The cost of a deeper column: 2,000 of them use the budget up.
  private static let costOfColumn = limit / 2000

  fileprivate var cancellation = Cancellation()
  private(set) var depth = 0
  private var work = 0
  /// Lines set on all pages so far, those of trials among them.
  private(set) var linesSet = 0
  /// Floats placed or put off so far, and positioned boxes met again that a page before has left.
  private(set) var floats = 0
  private(set) var positioned = 0
  /// Places where lines may end that were collected for choices so far.
  private(set) var candidates = 0

  /// All work is to be given up.
  var isCancelled: Bool { cancellation.isRequested }
  /// No more boxes are to be laid out only to see how large they are.
  var isExhausted: Bool { work > Self.limit }
  func begin() { depth += 1 }
  func end() { depth -= 1 }
  /// A box is laid out.
  func count() { if depth > Self.freeDepth { work += 1 } }
  func countLine() { linesSet += 1 }
  func countPositioned() { positioned += 1 }
  func countFloat() { floats += 1 }
  func count(candidates new: Int) { candidates += new }
  /// A column nested in so many others is laid out.
  func count(columnAtDepth depth: Int) { if depth > Self.freeColumnDepth { work += Self.costOfColumn } }
  /// A new page begins.
  func reset() {
    depth = 0
    work = 0
  }
}
