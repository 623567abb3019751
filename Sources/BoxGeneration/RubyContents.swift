import CSS
import Markup
import Primitives
import Styling

/// The contents of ruby containers as bases and annotations, before boxes are made (CSS Ruby 1, sections 2.2 and 2.3).
struct RubyContents {
  private let tree: StyledTree
  private let document: Document
  private let blocks: BlockMap
  private let boxTraits: [BoxTraits]

  init(_ tree: StyledTree, _ blocks: BlockMap, _ boxTraits: [BoxTraits]) {
    self.tree = tree
    document = tree.document
    self.blocks = blocks
    self.boxTraits = boxTraits
  }

  /// The boxes of an element's children and pseudo-elements, those of `display: contents` replaced by their own.
  func sources(in node: NodeID, _ pseudo: PseudoElement?) -> [BoxSource] {
    guard pseudo == nil else { return [] }
    var sources: [BoxSource] = []
    func addPseudo(_ pseudo: PseudoElement) {
      guard blocks.hasPseudoElements(node), let style = tree.style(of: node, pseudo) else { return }
      let traits = boxTraits[style.box.index]
      if traits.role != .none, traits.hasContent { sources.append(BoxSource(node: node, pseudo: pseudo, style: style)) }
    }
    addPseudo(.before)
    for child in document.children(of: node) {
      let style = tree.styles[child.index]
      if document.nodes[child.index].kind == .element {
        let role = boxTraits[style.box.index].role
        if role == .none { continue }
        if role == .contents {
          sources += self.sources(in: child, nil)
          continue
        }
      }
      sources.append(BoxSource(node: child, pseudo: nil, style: style))
    }
    addPseudo(.after)
    return sources
  }

  /// What a box is in the ruby container that it stands in.
  func part(_ source: BoxSource) -> RubyPart {
    if document.nodes[source.node.index].kind == .text { return document.isBlankText(source.node) ? .space : .content }
    let traits = boxTraits[source.style.box.index]
    return traits.role == .inline ? traits.display.rubyPart ?? .content : .content
  }

  /// Bases and annotations in segments, those that are missing as anonymous ones.
  func segments(_ sources: [BoxSource]) -> [RubySegment] {
    var segmentation = RubySegmentation()
    for source in sources {
      let part = part(source)
      switch part {
      case .baseContainer, .annotationContainer:
        let children = self.sources(in: source.node, source.pseudo).map { (part: self.part($0), source: $0) }
        let own = part == .baseContainer ? RubyPart.base : .annotation
        segmentation.add(part, source, units: RubySegmentation.units(children, own: own))
      default: segmentation.add(part, source)
      }
    }
    segmentation.finish()
    return segmentation.segments
  }

  /// The base runs from right to left.
  func isRightToLeft(_ unit: RubyUnit?) -> Bool {
    guard let source = unit?.sources.first else { return false }
    return tree.table.paragraphs[source.style.paragraph.index].direction == .rtl
  }

  /// An annotation that says the same as its base is not shown (CSS Ruby 1, section 2.4).
  func isHidden(_ annotation: RubyUnit?, _ bases: [RubyUnit?]) -> Bool {
    guard let annotation, bases.count == 1, let base = bases[0] else { return false }
    guard !annotation.sources.contains(where: { $0.pseudo != nil }), !base.sources.contains(where: { $0.pseudo != nil })
    else { return false }
    let text = textContent(annotation)
    return !text.isEmpty && text == textContent(base)
  }

  private func textContent(_ unit: RubyUnit) -> [UInt8] {
    var text: [UInt8] = []
    func add(_ node: NodeID) {
      let value = document.nodes[node.index]
      if value.kind == .text {
        text += document.bytes(value.range)
      } else {
        for child in document.children(of: node) { add(child) }
      }
    }
    for source in unit.sources { add(source.node) }
    return text
  }
}
