import FoundationEssentials
import Platform
import Primitives
import Synchronization

/// An action that a browser asks for (`POST decisions`).
struct ReviewAction: Decodable, Sendable {
  /// `accepted`, `expected`, `skip`, `regression`, `reopened`, `comment` or `assign`.
  var action: String
  var cluster: String?
  /// `book:profile:12`: this page alone.
  var page: String?
  var by: String
  /// The reason, the comment, or the name of the assignee.
  var text: String
  /// The number of statements on the cluster when the reviewer decided.
  var seen: Int
}

/// A run that several people look at and decide on at once. One decides at a time; pages are drawn beside it.
package final class ReviewDesk: Sendable {
  private struct State {
    var review: Review
    /// Of the file of decisions when it was read.
    var stamp: FileStamp?
  }

  private let state: Lock<State>
  private let report: HTMLReport
  private let store: SnapshotStore?
  /// The page that browsers get.
  let page: [UInt8]
  /// The folder of the images of pages.
  let images: String

  /// Reads a run and makes the page of it.
  ///
  /// - Parameters:
  ///   - decisions: the file of decisions; nil is that of the run.
  ///   - store: whose baseline moves when a unit is wholly accepted; nil moves none.
  ///   - reviewer: the name that decisions are signed with unless the reader gives another.
  package init(
    _ folder: String, decisions: String? = nil, store: SnapshotStore? = nil, reviewer: String? = nil
  ) throws(HarnessError) {
    let review = try Review(folder, decisions: decisions)
    var old: Reference?
    if let against = review.comparison.against, SnapshotStore.isStore(against) || RunFolder.isRun(against) {
      old = try Reference(against)
    }
    let contents = RunReport(
      review.comparison, of: review.run, manifest: review.manifest, old: old, summary: review.summary)
    report = HTMLReport(contents, of: review.run, manifest: review.manifest, old: old)
    images = report.imagesFolder
    page = report.servedPage(reviewer: reviewer)
    self.store = store
    state = Lock(State(review: review, stamp: FileStamp(of: review.path)))
  }

  /// The state with all that has been said, by others too.
  func current() throws(HarnessError) -> ReviewState { try locked { state throws(HarnessError) in Self.told(state) } }

  private static func told(_ state: State) -> ReviewState {
    let version = state.stamp.map { "\($0.size)-\($0.seconds)-\($0.nanoseconds)" } ?? "0"
    return ReviewState(state.review, version: version)
  }

  private func locked<Value: Sendable>(
    _ body: (inout State) throws(HarnessError) -> Value
  ) throws(HarnessError) -> Value {
    let result = state.withLock { state -> Result<Value, HarnessError> in
      do throws(HarnessError) {
        let stamp = FileStamp(of: state.review.path)
        if stamp != state.stamp {
          try state.review.update()
          state.stamp = stamp
        }
        return .success(try body(&state))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The outcome of an action.
  enum Outcome: Sendable {
    case done(ReviewState)
    /// Somebody was there before: what they said.
    case conflict(ReviewState)
  }

  private static let maximumText = 4000

  /// Does what a browser wants. Fails with 64 for what makes no sense.
  func perform(_ action: ReviewAction) throws(HarnessError) -> Outcome {
    func line(_ text: String, _ name: String) throws(HarnessError) -> String {
      let text = text.split {
        $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
      }
      .joined(separator: " ")
      guard text.utf8.count <= Self.maximumText else { throw HarnessError(64, "the \(name) is too long") }
      return text
    }
    let by = try line(action.by, "name")
    let text = try line(action.text, "text")
    guard !by.isEmpty else { throw HarnessError(64, "there is no name") }
    guard !text.isEmpty || action.action == "assign" else { throw HarnessError(64, "there is no reason") }
    guard let id = action.cluster else { throw HarnessError(64, "there is no cluster") }
    var scope = ReviewScope(clusters: [id])
    if let name = action.page {
      guard let page = Self.page(name) else { throw HarnessError(64, "there is no such page") }
      scope.pages = [page]
    }
    return try locked { state throws(HarnessError) in
      let told = Self.told(state)
      guard told.seen(id) == action.seen else { return .conflict(told) }
      switch action.action {
      case "comment": try state.review.addNote(on: id, by: by, comment: text)
      case "assign": try state.review.addNote(on: id, by: by, assignee: text)
      default:
        guard let verdict = Verdict(rawValue: action.action) else { throw HarnessError(64, "there is no such action") }
        try state.review.decide(
          Review.Statement(verdict, reason: text, by: by), on: scope, store: verdict == .accepted ? store : nil,
          keepsVerdicts: false)
      }
      state.stamp = FileStamp(of: state.review.path)
      return .done(Self.told(state))
    }
  }

  /// `book:profile:12`, `book:profile:o12` for one that is gone.
  private static func page(_ name: String) -> ReviewScope.Page? {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let number = Int(parts[2].hasPrefix("o") ? String(parts[2].dropFirst()) : parts[2]) else {
      return nil
    }
    return ReviewScope.Page(book: parts[0], profile: parts[1], number: number)
  }

  /// Draws a page of the run by its name.
  ///
  /// - Returns: The part of the report that `report.js` shows, as JSON; nil where no page of that name has changed.
  func drawing(_ name: String) throws(HarnessError) -> [UInt8]? { try report.drawing(of: name) }

  /// The declarations that made the elements on a page look as they do, as JSON; nil where no page of that name has changed.
  func elements(_ name: String) -> [UInt8]? { report.elements(of: name) }
}
