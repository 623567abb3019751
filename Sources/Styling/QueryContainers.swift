import CSS
import Markup
import Primitives

/// The elements that rules and lengths can ask for their size (CSS Conditional 5, section 2), as far as they are styled.
struct QueryContainers {
  struct Container {
    var node: NodeID
    /// The container around, from 1 in `list`; 0 for none.
    var outer: UInt32
    var type: ContainerType
    var names: [String]
    var isVertical: Bool
    /// The content box in CSS px; nil for an element without a box that has a size.
    var width: Double?
    var height: Double?

    /// The axes it answers for.
    var axes: ContainerAxes {
      switch type {
      case .normal: []
      case .size: [.width, .height]
      case .inlineSize: isVertical ? .height : .width
      }
    }
  }

  private var list: [Container] = []
  /// The innermost container that is a node or around it, from 1 in `list`; empty until there is one.
  private var byNode: [UInt32] = []
  private var sizes = ContentSizes()

  /// Takes in a styled element, after its parent. True when it is a container.
  mutating func enter(
    _ node: NodeID, in document: Document, _ styles: ComputedStyles, _ builder: StyleBuilder
  ) -> Bool {
    let style = styles[node.index]
    let parent = document.nodes[node.index].parent
    let outer = byNode.isEmpty || parent.isNone ? 0 : byNode[parent.index]
    guard style.box.index != 0, let rare = builder.table.boxes[style.box.index].rare?.values,
      rare.containerType != .normal || !rare.containerNames.isEmpty
    else {
      if !byNode.isEmpty { byNode[node.index] = outer }
      return false
    }
    if byNode.isEmpty { byNode = [UInt32](repeating: 0, count: document.nodes.count) }
    let paragraph = builder.table.paragraphs[style.paragraph.index]
    var container = Container(
      node: node, outer: outer, type: rare.containerType, names: rare.containerNames,
      isVertical: !paragraph.writingMode.isHorizontal)
    if container.type != .normal {
      (container.width, container.height) = size(of: node, in: document, styles, builder, countsLaterElements: true)
    }
    list.append(container)
    byNode[node.index] = UInt32(list.count)
    return true
  }

  /// The content box of an element, in CSS px; nil for one without a box that has a size.
  mutating func size(
    of node: NodeID, in document: Document, _ styles: ComputedStyles, _ builder: StyleBuilder,
    countsLaterElements: Bool
  ) -> (width: Double?, height: Double?) {
    builder.dependencies.formUnion([.pageSize, .rootFontSize])
    if countsLaterElements { builder.dependencies.insert(.laterElements) }
    return sizes.containerSize(of: node, in: document, styles, builder)
  }

  /// The sizes of the nearest containers of each axis around an element.
  func sizes(around node: NodeID, in document: Document) -> (width: Double?, height: Double?) {
    let parent = document.nodes[node.index].parent
    return byNode.isEmpty || parent.isNone ? (nil, nil) : sizes(of: parent)
  }

  /// The sizes of the nearest containers of each axis, the element itself among them.
  func sizes(of node: NodeID) -> (width: Double?, height: Double?) {
    var (width, height): (Double?, Double?)
    var place = byNode.isEmpty ? 0 : byNode[node.index]
    while place != 0, width == nil || height == nil {
      let container = list[Int(place) - 1]
      if width == nil, container.axes.contains(.width) { width = container.width }
      if height == nil, container.axes.contains(.height) { height = container.height }
      place = container.outer
    }
    return (width, height)
  }

  /// The nearest container, from `start` outwards, that a query can be asked of (section 3.1); nil when there is none.
  func container(for query: ContainerQuery, from start: NodeID, in document: Document) -> Container? {
    var place = byNode.isEmpty ? 0 : byNode[start.index]
    while place != 0 {
      let container = list[Int(place) - 1]
      guard let axes = query.axes(isVertical: container.isVertical) else { return nil }
      if query.name.isEmpty || container.names.contains(query.name), axes.isSubset(of: container.axes) {
        return container
      }
      place = container.outer
    }
    return nil
  }
}
