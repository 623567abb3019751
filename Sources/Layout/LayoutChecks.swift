import BoxGeneration
import Primitives

/// Invariants of layout, checked in builds with `CHECK_LAYOUT`, as those of the tests are; elsewhere they cost nothing.
enum LayoutChecks {
  /// A digest of what a trial must leave as it was; nil where nothing is checked.
  static func digest(of page: PageLayout) -> Int? {
    #if CHECK_LAYOUT
      var hasher = Hasher()
      for fragment in page.fragments {
        hasher.combine(fragment.offset)
        hasher.combine(fragment.size)
        hasher.combine(fragment.flags)
        hasher.combine(fragment.firstChild)
        hasher.combine(fragment.lastChild)
        hasher.combine(fragment.nextSibling)
      }
      hasher.combine(page.geometries)
      hasher.combine(page.glyphs.count)
      return hasher.finalize()
    #else
      return nil
    #endif
  }

  /// Trials leave no trace.
  static func trialLeftNoTrace(on page: PageLayout, digestBefore: Int?) {
    #if CHECK_LAYOUT
      precondition(digest(of: page) == digestBefore, "a trial has left something on the page")
    #endif
  }
}
