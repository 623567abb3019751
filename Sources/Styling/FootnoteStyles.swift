import CSS
import Markup
import Primitives

/// Styles of the footnote area and its parts at the foot of a page (CSS GCPM 3, section 2.4).
package struct FootnoteStyles: Sendable {
  package var area: ComputedStyle
  /// The rule between the text and the notes.
  package var separator: ComputedStyle
}

/// Default styles of footnotes where no rule speaks of them, made when a document has its first one.
struct FootnoteDefaults {
  private var call: Range<Int32>?
  private var note: Range<Int32>?
  private var ofCentred: Range<Int32>?
  private var ofHeading: Range<Int32>?
  private var moved: Range<Int32>?
  private(set) var isUsed = false

  /// A raised mark that leaves the distance of the lines as it is.
  mutating func callDefaults(_ cascade: inout Cascade) -> Range<Int32> {
    let known =
      call
      ?? cascade.appendHints([
        TypedDeclaration(.box(.verticalAlign), .verticalAlign(.super)),
        TypedDeclaration(.font(.fontSize), .fontSize(.length(.length(Length(0.83, .em))))),
        TypedDeclaration(.font(.lineHeight), .lineHeight(.number(0))),
      ])
    call = known
    return known
  }

  /// Notes are a size smaller than the text of their mark and never larger than body text. A note that lay in the text itself
  /// takes nothing else from a heading, a centred cell or an emphasised phrase around its mark.
  mutating func noteDefaults(
    isFootnote: Bool, parent: ComputedStyle, _ builder: StyleBuilder, _ cascade: inout Cascade
  ) -> Range<Int32> {
    isUsed = true
    func size(_ unit: LengthUnit) -> TypedDeclaration {
      TypedDeclaration(.font(.fontSize), .fontSize(.length(.length(Length(0.83, unit)))))
    }
    guard isFootnote else {
      let known = moved ?? cascade.appendHints([size(.em)])
      moved = known
      return known
    }
    func range(_ unit: LengthUnit, startsAtStart: Bool) -> Range<Int32> {
      let start = [TypedDeclaration(.paragraph(.textAlign), .keyword(TextAlign.start.rawValue))]
      return cascade.appendHints(
        [
          size(unit), TypedDeclaration(.font(.fontWeight), .fontWeight(.number(400))),
          TypedDeclaration(.font(.fontStyle), .keyword(FontSlant.normal.rawValue)),
          TypedDeclaration(.paragraph(.textIndent), .textIndent(.zero, isHanging: false, isEachLine: false)),
        ] + (startsAtStart ? start : []))
    }
    let base = builder.settings.rootFontSize
    let body = builder.rootFont?.size.resolved(rootFontSize: base) ?? base
    let isLarge = builder.table.fonts[parent.font.index].size.resolved(rootFontSize: base) > body
    if isLarge {
      let known = ofHeading ?? range(.rem, startsAtStart: true)
      ofHeading = known
      return known
    }
    switch builder.table.paragraphs[parent.paragraph.index].align {
    case .center, .webkitCenter, .end:
      let known = ofCentred ?? range(.em, startsAtStart: true)
      ofCentred = known
      return known
    default:
      let known = note ?? range(.em, startsAtStart: false)
      note = known
      return known
    }
  }

  /// A third of the measure (JLREQ 4.2.5).
  mutating func ruleDefaults(_ cascade: inout Cascade) -> Range<Int32> {
    cascade.appendHints([
      TypedDeclaration(.box(.display), .keyword(Display.block.rawValue)),
      TypedDeclaration(.logical(.inlineSize), .size(.length(.length(Length(33.333, .percent))))),
      TypedDeclaration(.logical(.borderBlockStartWidth), .length(Length(1, .px))),
      TypedDeclaration(.logical(.borderBlockStartStyle), .keyword(BorderStyle.solid.rawValue)),
      TypedDeclaration(.logical(.marginBlockStart), .margin(.length(.length(Length(0.6, .em))))),
      TypedDeclaration(.logical(.marginBlockEnd), .margin(.length(.length(Length(0.4, .em))))),
    ])
  }
}
