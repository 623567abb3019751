import Graphics
import Layout
import Markup
import Primitives
import Publications
import Styling

extension StyledChapter {
  /// The stages of a chapter that a change of settings leaves as it is.
  package enum Kept: Comparable {
    case document
    /// Document, styles, boxes, and the shapes of words.
    case boxes
    /// Everything but what is drawn.
    case pages
  }

  /// The stages kept under other settings for the same book.
  package func kept(under new: BookResources) -> Kept {
    let old = resources.settings
    var same = new.settings
    same.theme = old.theme
    same.keep(.drawing, of: old)
    guard same != old || old.scale != new.settings.scale else { return .pages }
    func flipsMedia() -> Bool {
      let pages = (viewport ?? old.pageSize, viewport ?? new.settings.pageSize)
      return ChapterStyles.mediaOutcome(document, path: item.path, resources: resources, pageSize: pages.0)
        != ChapterStyles.mediaOutcome(document, path: item.path, resources: new, pageSize: pages.1)
    }
    if same == old { return flipsMedia() ? .document : .pages }
    same.keep(.layout, of: old)
    guard same == old, new.settings.isFlush == old.isFlush, !refersToPages, old.media != .print else {
      return .document
    }
    if styles.dependencies.contains(.rootFontSize), new.settings.fontSize != old.fontSize { return .document }
    if styles.dependencies.contains(.pageSize), viewport == nil {
      let (own, other) = (new.settings, old)
      guard own.pageSize == other.pageSize, own.marginLeft == other.marginLeft, own.marginRight == other.marginRight,
        own.marginTop == other.marginTop, own.marginBottom == other.marginBottom
      else { return .document }
    }
    return flipsMedia() ? .document : .boxes
  }
}

extension TypesettingSettings {
  /// Takes all settings of others that change no stage before this one.
  fileprivate mutating func keep(_ stage: Setting.Stage, of others: Self) {
    for setting in Self.table where setting.stage <= stage { setting.copy(from: others, to: &self) }
  }
}
