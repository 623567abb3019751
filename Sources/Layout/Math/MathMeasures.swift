import BoxGeneration
import CSS
import Fonts
import Primitives
import Styling

/// The measures of formulas in a font (MathML Core, section 5.1), in CSS px: those of the face's MATH table, or the fallbacks that
/// browsers take for faces without one.
struct MathMeasures {
  private let constants: MathConstants?
  private let face: FontFace
  let size: Float
  private let xHeight: LayoutUnit
  private let isCentral: Bool
  /// `math-style` is `normal`.
  let isDisplayed: Bool

  init(_ style: ComputedStyle, _ context: LayoutContext) {
    face = context.primaryFace(style.font)
    constants = face.mathConstants
    size = context.fontSize(style.font)
    isCentral = context.isCentral
    xHeight = LayoutUnit(context.lengthBasis(style.font).xHeight)
    isDisplayed = context.styles.texts[style.text.index].mathStyle == .normal
  }

  func pixels(_ units: Int32) -> LayoutUnit { LayoutUnit(face.metrics.scaled(units, size: size)) }

  private func value(_ constant: KeyPath<MathConstants, Int32>, _ fallback: LayoutUnit) -> LayoutUnit {
    constants.map { pixels($0[keyPath: constant]) } ?? fallback
  }
  private func value(
    _ constant: KeyPath<MathConstants, (compact: Int32, normal: Int32)>, _ fallback: LayoutUnit
  ) -> LayoutUnit {
    constants.map { pixels(isDisplayed ? $0[keyPath: constant].normal : $0[keyPath: constant].compact) } ?? fallback
  }

  /// The default thickness of rules: that of underlines.
  private var rule: LayoutUnit { pixels(face.metrics.underlineThickness) }

  /// A central baseline is itself in the middle of the letters.
  var axis: LayoutUnit { isCentral ? .zero : value(\.axisHeight, xHeight / 2) }
  var displayOperatorHeight: LayoutUnit? { constants.map { pixels($0.displayOperatorMinHeight) } }

  // MARK: Fractions

  var fractionRule: LayoutUnit { value(\.fractionRuleThickness, rule) }
  var numeratorShift: LayoutUnit { value(\.fractionNumeratorShiftUp, .zero) }
  var denominatorShift: LayoutUnit { value(\.fractionDenominatorShiftDown, .zero) }
  var numeratorGap: LayoutUnit { value(\.fractionNumeratorGapMin, isDisplayed ? rule * 3 : rule) }
  var denominatorGap: LayoutUnit { value(\.fractionDenominatorGapMin, isDisplayed ? rule * 3 : rule) }
  var stackTopShift: LayoutUnit { value(\.stackTopShiftUp, .zero) }
  var stackBottomShift: LayoutUnit { value(\.stackBottomShiftDown, .zero) }
  var stackGap: LayoutUnit { value(\.stackGapMin, rule * (isDisplayed ? 7 : 3)) }

  // MARK: Radicals

  var radicalGap: LayoutUnit {
    value(\.radicalVerticalGap, isDisplayed ? rule + xHeight / 4 : rule * 5 / 4)
  }
  var radicalRule: LayoutUnit { value(\.radicalRuleThickness, rule) }
  var radicalExtraAscender: LayoutUnit { value(\.radicalExtraAscender, rule) }
  var radicalKernBefore: LayoutUnit { value(\.radicalKernBeforeDegree, LayoutUnit(size * 5 / 18)) }
  var radicalKernAfter: LayoutUnit { value(\.radicalKernAfterDegree, LayoutUnit(-size * 10 / 18)) }
  /// The part of the sign's height by which the index stands above its foot.
  var radicalRaise: Float { constants.map { Float($0.radicalDegreeBottomRaisePercent) / 100 } ?? 0.6 }

  // MARK: Scripts

  var subscriptShift: LayoutUnit { value(\.subscriptShiftDown, xHeight / 3) }
  var subscriptTop: LayoutUnit { value(\.subscriptTopMax, xHeight * 4 / 5) }
  var subscriptDrop: LayoutUnit { value(\.subscriptBaselineDropMin, xHeight / 2) }
  func superscriptShift(isCramped: Bool) -> LayoutUnit {
    isCramped ? value(\.superscriptShiftUpCramped, xHeight) : value(\.superscriptShiftUp, xHeight)
  }
  var superscriptBottom: LayoutUnit { value(\.superscriptBottomMin, xHeight / 4) }
  var superscriptDrop: LayoutUnit { value(\.superscriptBaselineDropMax, xHeight / 2) }
  var scriptGap: LayoutUnit { value(\.subSuperscriptGapMin, LayoutUnit(0.2 * size)) }
  var superscriptBottomWithSubscript: LayoutUnit {
    value(\.superscriptBottomMaxWithSubscript, xHeight * 4 / 5)
  }
  var spaceAfterScript: LayoutUnit { value(\.spaceAfterScript, xHeight / 4) }

  // MARK: Limits

  /// The distances of a script over or under its base.
  struct Limit {
    /// Between base and script.
    var gap: LayoutUnit
    /// The least distance of the script's baseline from the edge of the base.
    var shift = LayoutUnit.zero
    /// Beyond the script.
    var extra = LayoutUnit.zero
  }
  enum LimitKind { case largeOperator, stretchy, other }

  func over(_ kind: LimitKind) -> Limit {
    switch kind {
    case .largeOperator:
      Limit(gap: value(\.upperLimitGapMin, .zero), shift: value(\.upperLimitBaselineRiseMin, .zero))
    case .stretchy: Limit(gap: value(\.stretchStackGapAboveMin, .zero), shift: value(\.stretchStackTopShiftUp, .zero))
    case .other: Limit(gap: value(\.overbarVerticalGap, rule * 3), extra: value(\.overbarExtraAscender, rule))
    }
  }
  func under(_ kind: LimitKind) -> Limit {
    switch kind {
    case .largeOperator:
      Limit(gap: value(\.lowerLimitGapMin, .zero), shift: value(\.lowerLimitBaselineDropMin, .zero))
    case .stretchy:
      Limit(gap: value(\.stretchStackGapBelowMin, .zero), shift: value(\.stretchStackBottomShiftDown, .zero))
    case .other: Limit(gap: value(\.underbarVerticalGap, rule * 3), extra: value(\.underbarExtraDescender, rule))
    }
  }
  /// The height of a base that an accent stands on without being raised.
  var accentBase: LayoutUnit { value(\.accentBaseHeight, xHeight) }
}

extension LayoutContext {
  /// The baseline of a table in a formula, from its upper edge: the axis of the text around it goes through its middle unless it says
  /// otherwise (MathML 3, section 3.5.1); nil for other tables.
  func mathTableBaseline(of box: BoxID, _ result: LayoutResult) -> LayoutUnit? {
    guard !tree.mathTables.isEmpty, let alignment = tree.mathTables[box] else { return nil }
    let axis = MathMeasures(tree.boxes[box.index].style, self).axis
    let rect = rowRect(of: alignment.row, in: result.fragment) ?? (.zero, result.size.block)
    switch alignment.edge {
    case .top: return rect.start
    case .bottom: return rect.end
    case .center, .baseline: return (rect.start + rect.end) / 2
    case .axis: return (rect.start + rect.end) / 2 + axis
    }
  }

  /// The upper and lower edge of a row in a table's fragment; nil where there is none of that number.
  private func rowRect(of number: Int, in table: FragmentID) -> (start: LayoutUnit, end: LayoutUnit)? {
    guard number != 0, !table.isNone else { return nil }
    var rows: [(start: LayoutUnit, end: LayoutUnit)] = []
    func collect(_ id: FragmentID, _ offset: LayoutUnit) {
      var child = page[id].firstChild
      while !child.isNone {
        let fragment = page[child]
        let place = offset + fragment.offset.block
        switch tree.boxes[fragment.box.index].kind {
        case .tableRow: rows.append((place, place + fragment.size.block))
        case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: collect(child, place)
        default: break
        }
        child = fragment.nextSibling
      }
    }
    collect(table, .zero)
    let index = number > 0 ? number - 1 : rows.count + number
    return rows.indices.contains(index) ? rows[index] : nil
  }
}
