package import Primitives

package enum FontStyleTag {}
package enum TextStyleTag {}
package enum ParagraphStyleTag {}
package enum ListStyleTag {}
package enum BoxStyleTag {}
package enum BorderStyleTag {}
package enum BackgroundStyleTag {}
package enum PageStyleTag {}

/// The computed style of one element or pseudo-element: eight ids of interned groups, compared as integers.
///
/// The first four groups hold inherited properties and are shared with the parent until a declaration changes them.
package struct ComputedStyle: Hashable, Sendable {
  package var font: Identifier<FontStyleTag>
  package var text: Identifier<TextStyleTag>
  package var paragraph: Identifier<ParagraphStyleTag>
  package var list: Identifier<ListStyleTag>
  package var box: Identifier<BoxStyleTag>
  package var border: Identifier<BorderStyleTag>
  package var background: Identifier<BackgroundStyleTag>
  package var page: Identifier<PageStyleTag>

  package init(
    font: Identifier<FontStyleTag>, text: Identifier<TextStyleTag>, paragraph: Identifier<ParagraphStyleTag>,
    list: Identifier<ListStyleTag>,
    box: Identifier<BoxStyleTag>, border: Identifier<BorderStyleTag>, background: Identifier<BackgroundStyleTag>,
    page: Identifier<PageStyleTag>
  ) {
    self.font = font
    self.text = text
    self.paragraph = paragraph
    self.list = list
    self.box = box
    self.border = border
    self.background = background
    self.page = page
  }
  /// The initial value of every property: group 0 of every table.
  package static let initial = ComputedStyle(
    font: .init(0), text: .init(0), paragraph: .init(0), list: .init(0), box: .init(0), border: .init(0),
    background: .init(0), page: .init(0))

  /// The style of an anonymous box inside this one: inherited groups kept, the others initial (CSS 2.2, section 9.2.1.1).
  package var anonymousChild: ComputedStyle {
    var style = self
    style.box = .init(0)
    style.border = .init(0)
    style.background = .init(0)
    style.page = .init(0)
    return style
  }
}
