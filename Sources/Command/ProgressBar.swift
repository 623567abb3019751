import ArgumentParser
import BookOutput
import Platform
import Synchronization
import Typesetting

package enum ProgressMode: String, ChoiceArgument { case auto, always, never }

/// A line on standard error that says how far a run is: chapters, pages, and the time that is left.
package final class ProgressBar: Sendable {
  private struct State {
    var lastDrawn: ContinuousClock.Instant?
    var isShown = false
  }
  private let isOn: Bool
  private let start = ContinuousClock.now
  private let state = Lock(State())

  package init(mode: ProgressMode, isQuiet: Bool) {
    switch mode {
    case .always: isOn = true
    case .never: isOn = false
    case .auto: isOn = !isQuiet && StandardStream.error.isTerminal
    }
  }

  func update(_ progress: RunProgress) {
    update(progress.fraction, "\(progress.chapters)/\(progress.chapterCount) chapters, \(progress.pages) pages")
  }

  /// - Parameters:
  ///   - fraction: the share that is done, 0 to 1.
  ///   - text: The line told beside the bar.
  package func update(_ fraction: Double, _ text: @autoclosure () -> String) {
    guard isOn else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      if let last = state.lastDrawn, now - last < .milliseconds(100) { return }
      state.lastDrawn = now
      state.isShown = true
      let width = 24
      let filled = Int((fraction * Double(width)).rounded())
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      var line = "\r\(bar) \(text())"
      let elapsed = (now - start) / .seconds(1)
      if fraction > 0.02, elapsed > 1 {
        line += ", \(Self.duration(elapsed / fraction * (1 - fraction))) left"
      }
      StandardStream.error.write((line + "\u{1B}[K").utf8)
    }
  }

  /// Takes the line away.
  package func finish() {
    guard isOn else { return }
    state.withLock { state in
      if state.isShown { StandardStream.error.write("\r\u{1B}[K".utf8) }
      state.isShown = false
    }
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }
}
