import BoxGeneration
import Primitives
import Styling
import Text

/// The grid of lines that all pages have in common (CSS Line Grid 1; JLREQ, section 2.5.2).
extension LayoutContext {
  /// The line height that most of the chapter's text has; nil for a chapter without text.
  ///
  /// - Complexity: O(boxes), once a chapter.
  func bodyLineHeight() -> LayoutUnit? {
    var amounts: [(height: LayoutUnit, units: Int)] = []
    for box in tree.boxes where box.content == .text && box.kind != .marker {
      let height = lineMetrics(box.style.font).lineHeight
      let units = tree.texts.texts[box.text.index].units.count
      if let known = amounts.firstIndex(where: { $0.height == height }) {
        amounts[known].units += units
      } else if amounts.count < 64 {
        amounts.append((height, units))
      }
    }
    let most = amounts.max { ($0.units, $1.height) < ($1.units, $0.height) }
    return most.flatMap { $0.height >= LayoutUnit(4) && $0.height < LayoutUnit(1000) ? $0.height : nil }
  }

  /// The distance by which a line moves down so that its baseline stands on the grid.
  ///
  /// - Parameters:
  ///   - baseline: Of the line as it would stand, from the page area's block-start edge.
  ///   - slack: The way that the line may move up instead: white below the line before and above its own letters.
  func shiftToGrid(baseline: LayoutUnit, slack: LayoutUnit) -> LayoutUnit {
    guard settings.composition.baselineGrid, let pitch = workspace.gridPitch else { return .zero }
    let place = baseline + pageBox.spaceAbove(in: writingMode)
    var below = place.rawValue % pitch.rawValue
    if below < 0 { below += pitch.rawValue }
    if below <= Swift.max(0, slack.rawValue) { return LayoutUnit(rawValue: -below) }
    return LayoutUnit(rawValue: pitch.rawValue - below)
  }
}
