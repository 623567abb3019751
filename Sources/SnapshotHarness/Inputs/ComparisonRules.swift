/// The rules of `corpus.yaml` and `profiles.yaml` for comparisons: masks and tolerances (snapshot harness, 4.5, 4.6).
extension YAMLFile {
  /// Parts of pages (`box`: x, y, width, height) or of a document (`href`, and `node` as CFI steps) to leave out.
  func masks(_ node: YAMLNode?) throws(HarnessError) -> [Mask] {
    guard let node else { return [] }
    var masks: [Mask] = []
    guard let list = node.sequence else { throw fault(node, "a list of masks is expected") }
    for entry in list {
      let values = try mapping(entry, allowed: ["box", "href", "node"])
      var mask = Mask(href: values["href"]?.string, node: values["node"]?.string)
      if let box = values["box"] {
        let sides = box.sequence?.compactMap(\.number) ?? []
        guard sides.count == 4 else { throw fault(box, "a box is [x, y, width, height]") }
        mask.box = RecordBox(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
      }
      guard mask != Mask() else { throw fault(entry, "a mask needs a box, an href or a node") }
      masks.append(mask)
    }
    return masks
  }

  /// The name of a preset, or its numbers.
  func tolerance(_ node: YAMLNode?) throws(HarnessError) -> PixelTolerance? {
    guard let node else { return nil }
    if let name = node.string {
      guard let preset = PixelTolerance(preset: name) else {
        throw fault(node, "a tolerance is exact, legacy-10px, or numbers")
      }
      return preset
    }
    let values = try mapping(node, allowed: ["max-channel", "max-pixels", "window", "max-in-window", "decides"])
    func whole(_ key: String) throws(HarnessError) -> Int {
      guard let number = try self.number(values[key]) else { return 0 }
      return Int(max(0, min(number, 1e9)))
    }
    return PixelTolerance(
      maxChannel: try whole("max-channel"), maxPixels: try whole("max-pixels"), window: try whole("window"),
      maxInWindow: try whole("max-in-window"), decides: values["decides"]?.bool)
  }

  /// Tolerances of tags, in the order they are written.
  func tolerancesByTag(_ node: YAMLNode?) throws(HarnessError) -> [(tag: String, tolerance: PixelTolerance)] {
    guard let node else { return [] }
    guard let mapping = node.mapping else { throw fault(node, "a tolerance for each tag is expected") }
    var list: [(tag: String, tolerance: PixelTolerance)] = []
    for (key, value) in mapping {
      guard let tag = key.string, let tolerance = try self.tolerance(value) else {
        throw fault(key, "a tag is expected")
      }
      list.append((tag, tolerance))
    }
    return list
  }
}
