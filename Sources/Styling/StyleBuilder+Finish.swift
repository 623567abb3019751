import CSS
import Markup
import Primitives

/// Traits of an element that matter to the rules that do not depend on its declarations.
struct ElementTraits: OptionSet {
  var rawValue: UInt8
  static let root = Self(rawValue: 1)
  /// Headings, code and table cells: the reader's wishes for body text pass them by.
  static let apart = Self(rawValue: 2)
  static let preformatted = Self(rawValue: 4)
  /// An element that renders as one thing and cannot lose its box: `br`, images and their like.
  static let replaced = Self(rawValue: 8)
  /// Blocks of code whose letters are a size smaller, or two, so that their lines stay whole.
  static let smallCode = Self(rawValue: 16)
  static let smallestCode = Self(rawValue: 32)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(of node: Node, isRoot: Bool) {
    self = isRoot ? .root : []
    guard node.namespace == .html else { return }
    switch node.name {
    case .h1, .h2, .h3, .h4, .h5, .h6, .td, .th, .caption, .figcaption, .sub, .sup, .rt, .code, .kbd, .samp, .tt:
      insert(.apart)
    case .pre, .listing, .xmp, .plaintext, .textarea: insert([.apart, .preformatted])
    case .br, .wbr, .img, .image, .video, .audio, .canvas, .embed, .object, .iframe, .input, .textarea, .select, .meter,
      .progress:
      insert(.replaced)
    default: break
    }
  }
}

extension StyleBuilder {
  /// The rules that relate properties to each other and to the parent, after all declarations have been applied.
  func finish(_ traits: ElementTraits) {
    adjustBox(traits)
    if isLoaded(.box), isLoaded(.font), box.display == .rubyText { adjustAnnotation() }
    if settings.usesHouseStyle {
      adjustIndent()
      if traits.contains(.preformatted), let scale = CodeFit.scale(traits) {
        load(.font)
        font.size = font.size.scaled(by: scale)
      }
    }
    adjustToReader(traits)
  }

  /// Annotations beside single characters, which are bopomofo, have three tenths of their size and not the half that the user
  /// agent's sheet gives (CLREQ, positioning of bopomofo).
  private func adjustAnnotation() {
    let position = isLoaded(.text) ? text.rubyPosition : interner.table.texts[parent.text.index].rubyPosition
    if position == .interCharacter, font.size == parentFont.size.scaled(by: 0.5) {
      font.size = parentFont.size.scaled(by: 0.3)
    }
  }

  private func adjustBox(_ traits: ElementTraits) {
    let parentDisplay = traits.contains(.root) ? Display.block : parentBox.display
    let isItem = parentDisplay.holdsItems
    let turns = isLoaded(.paragraph) && paragraph.writingMode != parentParagraph.writingMode
    if isItem || turns || traits.contains(.root) { load(.box) }
    guard isLoaded(.box) else { return }
    box.originalDisplay = box.display
    if box.translate != nil || box.rotate != nil || box.scale != nil {
      box.transform = [box.translate, box.rotate, box.scale].compactMap { $0 } + box.transform
    }

    // A vertical box of old that clamps its lines is a block container (CSS Overflow 4, section 5.2.1).
    if let rare = box.rare?.values, rare.lineClamp != nil, rare.boxOrient.isVertical {
      if box.display == .flex { box.display = .flowRoot }
      if box.display == .inlineFlex { box.display = .inlineBlock }
    }

    // CSS 2.2, section 9.7.
    let isPositioned = box.position == .absolute || box.position == .fixed
    if box.display != .none {
      if isPositioned { box.float = .none }
      if box.display == .contents, traits.contains(.replaced) { box.display = .none }
      if isPositioned || box.float != .none || isItem || traits.contains(.root) {
        box.display = box.display.blockified
        if traits.contains(.root), box.display == .contents { box.display = .block }
      }
    }
    // Nothing surrounds the container of bases or annotations (CSS Ruby 1, section 3.3).
    if box.display == .rubyBaseContainer || box.display == .rubyTextContainer {
      box.margin = Sides(all: .zero)
      box.padding = Sides(all: .zero)
      if isLoaded(.border) { border = BorderGroup() }
    }
    // A float makes no sense on a flex item (CSS Flexbox 1, section 3).
    if isItem {
      box.float = .none
      box.clear = .none
      box.isLayeredItem = box.zIndex != nil && box.position == .static
    }

    // `visible` beside a scrolling value is `auto`, `clip` is `hidden` (CSS Overflow 3, section 3.1).
    let x = box.overflowX
    let y = box.overflowY
    if x.isScrollable != y.isScrollable {
      if !x.isScrollable { box.overflowX = x == .visible ? .auto : .hidden }
      if !y.isScrollable { box.overflowY = y == .visible ? .auto : .hidden }
    }
    // A vertical box in a horizontal line, and the reverse, is a block of its own (CSS Writing Modes 4, section 3.1).
    if turns, box.display == .inline { box.display = .inlineBlock }
  }

  /// The house style indents no paragraph that is set apart otherwise: by blank lines or by its alignment.
  private func adjustIndent() {
    guard isLoaded(.paragraph), isLoaded(.box), paragraph.indentOrigin == .house, !paragraph.indent.isZero else {
      return
    }
    let isAligned: Bool =
      switch paragraph.align {
      case .start, .left, .justify, .justifyAll, .houseJustify: true
      default: false
      }
    let (first, last) =
      paragraph.writingMode.isHorizontal
      ? (box.margin.top, box.margin.bottom) : (box.margin.left, box.margin.right)
    if !isAligned || isBlankLine(first) || isBlankLine(last) { paragraph.indent = .zero }
  }

  /// The margin is half a line or more.
  private func isBlankLine(_ margin: MarginValue) -> Bool {
    guard case .length(let value) = margin else { return false }
    guard case .length(let length) = value else { return true }
    switch length.unit {
    case .px:
      dependencies.insert(.rootFontSize)
      return length.value >= ownFont.size.resolved(rootFontSize: settings.rootFontSize) / 2
    case .rem:
      dependencies.insert(.rootFontSize)
      return length.value * settings.rootFontSize >= ownFont.size.resolved(rootFontSize: settings.rootFontSize) / 2
    case .em, .lh, .ic: return length.value >= 0.5
    default: return length.value > 0
    }
  }

  private var parentParagraph: ParagraphStyle { interner.table.paragraphs[parent.paragraph.index] }

  /// Applies the reader's settings, on body text only.
  private func adjustToReader(_ traits: ElementTraits) {
    if !settings.fontFamilyOverride.isEmpty, isLoaded(.font) || traits.contains(.root) {
      load(.font)
      let keepsOwn = font.families.contains { $0 == .generic(.monospace) || $0 == .generic(.math) }
      if !keepsOwn { font.families = settings.fontFamilyOverride }
    }
    if !traits.contains(.apart), isLoaded(.font) || traits.contains(.root) {
      load(.font)
      switch font.lineHeight {
      case .number(0), .length(.length(Length(0, .px))), .length(.length(Length(0, .rem))): break
      default: font.keepsLineHeight = false
      }
    }
    if settings.justifies != .auto, isLoaded(.paragraph) || traits.contains(.root) || traits.contains(.apart) {
      load(.paragraph)
      switch (settings.justifies, paragraph.align) {
      case (.on, .start), (.on, .left):
        if !traits.contains(.apart), paragraph.align == .start || paragraph.direction == .ltr {
          paragraph.align = .justify
        }
      case (.on, .justify), (.on, .houseJustify): if traits.contains(.apart) { paragraph.align = .start }
      case (.off, .justify), (.off, .justifyAll), (.off, .houseJustify): paragraph.align = .start
      default: break
      }
    }
    if settings.hyphenates != .auto, isLoaded(.text) || traits.contains(.root) || traits.contains(.apart) {
      load(.text)
      if settings.hyphenates == .off {
        if text.hyphens == .auto { text.hyphens = .manual }
      } else if traits.contains(.apart) {
        if text.hyphens == .auto { text.hyphens = .manual }
      } else if text.hyphens == .manual {
        text.hyphens = .auto
      }
    }
  }
}
