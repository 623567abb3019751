/// Descriptions of the parts that masks hide (4.6).
extension Mask: CustomStringConvertible {
  package var description: String {
    var parts: [String] = []
    if let href { parts.append(href) }
    if let node { parts.append(node) }
    if let box {
      parts.append("[" + [box.x, box.y, box.width, box.height].map(ChangeTable.format).joined(separator: ", ") + "]")
    }
    return parts.joined(separator: " ")
  }

  /// Takes out of a page what is hidden.
  ///
  /// - Returns: the areas that its pixels are not looked at in; nil where the mask does not concern the page.
  func apply(to page: inout PageRecord) -> [RecordBox]? {
    if let href, href != page.href { return nil }
    if let node {
      func isInside(_ line: LineRecord) -> Bool {
        line.source.node == node || line.source.node.hasPrefix(node + "/")
      }
      let boxes = page.lines.filter(isInside).map(\.box)
      if boxes.isEmpty { return nil }
      page.lines.removeAll(where: isInside)
      return boxes
    }
    guard let box else {
      page.lines.removeAll()
      page.images.removeAll()
      page.links.removeAll()
      return [RecordBox(x: -1e6, y: -1e6, width: 2e6, height: 2e6)]
    }
    page.lines.removeAll { box.contains($0.box.center) }
    page.images.removeAll { box.contains($0.box.center) }
    page.links.removeAll { box.contains($0.box.center) }
    return [box]
  }

  /// Those of the masks that hide nothing in any of the sources: no line, and no image.
  static func unused(_ masks: [Mask], in sources: [any UnitSource]) -> [Mask] {
    var waiting = masks
    for source in sources {
      for page in source.result.pages.indices {
        if waiting.isEmpty { return [] }
        guard let record = source.record(of: page + 1) else { continue }
        waiting.removeAll { mask in
          var rest = record
          guard mask.apply(to: &rest) != nil else { return false }
          return rest != record || mask.box == nil
        }
      }
    }
    return waiting
  }
}

extension RecordBox {
  fileprivate var center: (x: Double, y: Double) { (x + width / 2, y + height / 2) }

  fileprivate func contains(_ point: (x: Double, y: Double)) -> Bool {
    point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
  }

  func contains(_ box: RecordBox) -> Bool {
    box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height
  }
}
