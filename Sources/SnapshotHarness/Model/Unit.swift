/// The unit of work: one book of the corpus under one profile.
package struct UnitKey: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  /// The book's name in the corpus, unique there: letters and digits of any script, `-`, `_`, `.` and `/`.
  package var book: String
  /// A name of `profiles.yaml`.
  package var profile: String

  package init(book: String, profile: String) {
    self.book = book
    self.profile = profile
  }

  package var description: String { "\(book) (\(profile))" }
  package static func < (left: UnitKey, right: UnitKey) -> Bool {
    (left.book, left.profile) < (right.book, right.profile)
  }
}

/// The outcome of a unit (snapshot harness, 7.2).
package enum UnitOutcome: String, Codable, Sendable, CaseIterable {
  case ok
  case okWithWarnings = "ok-with-warnings"
  /// The input is no book that can be read (exit code 65).
  case rejected
  /// A limit of the engine's own was reached (exit code 75).
  case limit
  case crash
  case hang
  case outOfMemory = "out-of-memory"
  /// The child left something that cannot be read, or an exit code that means nothing.
  case invalidOutput = "invalid-output"

  /// The book was set to its end.
  package var isSuccess: Bool { self == .ok || self == .okWithWarnings }
}

/// The description of a unit that did not end well.
package struct UnitFailure: Hashable, Codable, Sendable {
  /// The stage of the engine that was at work: `open`, `layout`, `paint`, `encode`.
  package var phase: String
  /// The place that it had come to: the chapter's path in the book; empty when not known.
  package var chapter: String
  /// Up to where pages of the book were finished, as `chapter.xhtml /4/2/6:120`: the end of the last line of the last of
  /// them; nil for none.
  package var reached: String?
  /// The signal that ended the child; 0 for none.
  package var signal: Int
  package var exitCode: Int
  /// The end of what the child said on standard error.
  package var message: String
  /// Names of the innermost functions, when they could be found: what equal crashes are told by.
  package var stack: [String]

  package init(
    phase: String = "", chapter: String = "", signal: Int = 0, exitCode: Int = 0, message: String = "",
    stack: [String] = []
  ) {
    self.phase = phase
    self.chapter = chapter
    self.signal = signal
    self.exitCode = exitCode
    self.message = message
    self.stack = stack
  }
}

/// The fingerprints of a page: what levels A and B compare. 64-bit stable hashes.
package struct PageHashes: Hashable, Codable, Sendable {
  /// Of the display list with faces and images by their content (level B).
  package var display: UInt64
  /// Of what the layout record tells of the page (`RecordHash`, level C).
  package var record: UInt64
  /// Of what the page is in a PDF; 0 where that is not known.
  package var pdf: UInt64

  package init(display: UInt64, record: UInt64, pdf: UInt64 = 0) {
    self.display = display
    self.record = record
    self.pdf = pdf
  }
}

/// All that a run keeps about a unit apart from its pages: `result.json`.
package struct UnitResult: Hashable, Codable, Sendable {
  package var key: UnitKey
  package var title: String
  package var language: String
  package var outcome: UnitOutcome
  package var failure: UnitFailure?
  package var pages: [PageHashes]
  /// Warnings, as the command line prints them, each once.
  package var warnings: [String]
  /// `--stats` with its dotted keys, and `child.wall`, `child.cpu` (ms), `child.peakBytes` and `child.jobs`; where the
  /// machine counts them, `child.instructions`.
  package var statistics: [String: Double]

  package init(
    key: UnitKey, title: String = "", language: String = "", outcome: UnitOutcome = .ok, failure: UnitFailure? = nil,
    pages: [PageHashes] = [], warnings: [String] = [], statistics: [String: Double] = [:]
  ) {
    self.key = key
    self.title = title
    self.language = language
    self.outcome = outcome
    self.failure = failure
    self.pages = pages
    self.warnings = warnings
    self.statistics = statistics
  }
}
