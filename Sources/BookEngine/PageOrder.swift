import ChapterEngine
import Layout
import Primitives

/// Puts the pages of chapters that are set at the same time in the order of the book, and gives them their numbers.
///
/// A value that its owner guards with a lock.
struct PageOrder {
  /// What comes next in the book.
  enum Next {
    /// A page that is asked for, with its number from 1.
    case page(PreparedPage, number: Int)
    /// The end of a chapter.
    case chapter(BookChapter)
  }

  /// What has come of a chapter.
  struct Outcome {
    var chapter: BookChapter
    /// nil where the book has no page of the chapter.
    var end: ChapterEnd?
    /// The page that shows nothing of such a chapter.
    var blank: PreparedPage?
  }

  private let only: NumberRange?
  /// The first chapter that is not complete; its pages come at once.
  private(set) var front = 0
  private var waiting: [[PreparedPage]]
  /// By chapter; nil while it is in work, and once it has been taken.
  private var outcomes: [Outcome?]
  /// Pages that wait, of all chapters.
  private var waitingCount = 0
  /// Pages that have their numbers.
  private(set) var pageCount = 0
  /// Where the book stands at the start of the chapter in front.
  private(set) var state = PageState()
  /// What comes of a book that shows nothing.
  private var blank: Outcome?
  private var isClosed = false

  init(chapters: Int, only: NumberRange?) {
    self.only = only
    waiting = Array(repeating: [], count: chapters)
    outcomes = Array(repeating: nil, count: chapters)
  }

  var isAtEnd: Bool { front == outcomes.count }

  /// Pages end at a number: chapters are laid out in order, since a page's number is known only when all pages before
  /// it are.
  var isSequential: Bool { only?.last != nil }

  /// Pages that are missing before the last one asked for; nil for all.
  var wanted: Int? { only?.last.map { $0 - pageCount - waitingCount } }

  /// The last page asked for has been laid out.
  var hasLastPage: Bool { wanted.map { $0 <= 0 } ?? false }

  /// Whether the next page of a chapter is asked for; `true` where its number is not known yet.
  ///
  /// - Parameter held: Pages made that do not wait here yet.
  func isWanted(inChapter chapter: Int, held: Int) -> Bool {
    guard let only, isSequential || chapter == front else { return true }
    return only.contains(pageCount + (isSequential ? waitingCount : waiting[chapter].count) + held + 1)
  }

  mutating func add(_ page: PreparedPage, toChapter chapter: Int) {
    waiting[chapter].append(page)
    waitingCount += 1
  }

  mutating func complete(_ chapter: Int, _ outcome: Outcome) { outcomes[chapter] = outcome }

  /// Nothing more is taken.
  mutating func close() { isClosed = true }

  /// Takes what comes next, as far as it is known.
  mutating func next() -> Next? {
    while front < outcomes.count, !isClosed {
      if let page = waiting[front].first {
        guard page.appendings != nil else { return nil }
        waiting[front].removeFirst()
        waitingCount -= 1
        if let number = number() { return .page(page, number: number) }
        continue
      }
      guard let outcome = outcomes[front] else { return nil }
      if outcome.blank != nil, blank == nil { blank = outcome }
      outcomes[front] = nil
      state.advance(over: outcome.end)
      front += 1
      return .chapter(outcome.chapter)
    }
    return nil
  }

  /// The number of the next page, which is spent; nil for one that is not asked for.
  private mutating func number() -> Int? {
    if let last = only?.last, pageCount >= last { return nil }
    pageCount += 1
    return only?.contains(pageCount) ?? true ? pageCount : nil
  }

  /// The page of a book that shows nothing, and its chapter; nil for other books, and once it has been taken.
  mutating func takeBlank() -> (page: PreparedPage?, number: Int, chapter: BookChapter)? {
    guard pageCount == 0, isAtEnd, let blank else { return nil }
    self.blank = nil
    let number = number()
    return (number == nil ? nil : blank.blank, number ?? 0, blank.chapter)
  }
}
