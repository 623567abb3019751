package import CSS

/// The ranks of the layers of a sheet, which normal declarations of one origin are sorted by before their specificity
/// (CSS Cascade 5, section 6.4): from `weakest` upwards, rules outside of layers last.
package struct LayerRanks: Hashable, Sendable {
  /// Of rules in no layer.
  package static let unlayered = UInt8.max
  /// Of the first layer; presentational hints are weaker.
  static let weakest: UInt8 = 1

  /// Of rules that stand under no condition.
  fileprivate var outer = unlayered
  /// By condition; empty for a sheet without layers.
  fileprivate var byCondition: [UInt8] = []

  package init() {}

  /// The ranks that occur in sheets, the weakest first.
  static func all(of sheets: [LayerRanks]) -> [UInt8] {
    var found: Set<UInt8> = [unlayered]
    for sheet in sheets {
      found.insert(sheet.outer)
      found.formUnion(sheet.byCondition)
    }
    return found.sorted()
  }

  package subscript(condition: ConditionID) -> UInt8 {
    condition == Stylesheet.noCondition || byCondition.isEmpty ? outer : byCondition[Int(condition)]
  }
}

/// The layers of the sheets of one origin, in the order they are first named.
struct LayerTree {
  private struct Layer {
    var name: String
    var children: [Int] = []
  }
  /// The first one stands for rules outside of layers.
  private var layers = [Layer(name: "")]
  static let root = 0

  /// The layers of a sheet while its order among others is not yet known: those of its conditions that were entered.
  struct Places {
    var outer: Int
    var byCondition: [Int] = []
  }

  /// Enters the layers that the conditions of `sheet` name, from those `places` has to `end`.
  ///
  /// - Parameter results: which conditions hold; layers under others are not there.
  mutating func enter(_ sheet: Stylesheet, upTo end: Int, _ results: [Bool], _ places: inout Places) {
    for id in places.byCondition.count..<max(end, places.byCondition.count) {
      let condition = sheet.conditions[id]
      let parent = place(condition.parent, places)
      let isLayer = condition.test == .layer && results[id]
      places.byCondition.append(
        isLayer ? child(of: parent, named: condition.range.isEmpty ? nil : sheet.layerName(condition)) : parent)
    }
  }

  /// The layer of what stands under a condition that was entered.
  func place(_ condition: ConditionID, _ places: Places) -> Int {
    condition == Stylesheet.noCondition ? places.outer : places.byCondition[Int(condition)]
  }

  private mutating func child(of parent: Int, named name: String?) -> Int {
    if let name, let known = layers[parent].children.first(where: { layers[$0].name == name }) { return known }
    layers.append(Layer(name: name ?? ""))
    layers[parent].children.append(layers.count - 1)
    return layers.count - 1
  }

  /// The ranks of each sheet's layers, once all are entered: layers in a layer are weaker than its own rules. Layers beyond
  /// 254 share the last rank.
  func ranks(of sheets: [Places]) -> [LayerRanks] {
    guard layers.count > 1 else { return sheets.map { _ in LayerRanks() } }
    var ranks = [UInt8](repeating: LayerRanks.unlayered, count: layers.count)
    var next = LayerRanks.weakest
    // A stack of its own: layers in layers are as deep as a sheet likes.
    var open: [(layer: Int, child: Int)] = [(Self.root, 0)]
    while let (layer, child) = open.last {
      if child < layers[layer].children.count {
        open[open.count - 1].child += 1
        open.append((layers[layer].children[child], 0))
      } else {
        open.removeLast()
        guard layer != Self.root else { break }
        ranks[layer] = next
        next = min(LayerRanks.unlayered - 1, next + 1)
      }
    }
    return sheets.map { places in
      var result = LayerRanks()
      result.outer = ranks[places.outer]
      let own = places.byCondition.map { ranks[$0] }
      if own.contains(where: { $0 != result.outer }) { result.byCondition = own }
      return result
    }
  }

  /// The ranks of sheets that import none.
  static func ranks(of sheets: [Stylesheet], media: MediaEnvironment) -> [LayerRanks] {
    var tree = LayerTree()
    let places = sheets.map { sheet in
      var places = Places(outer: root)
      if sheet.hasLayers {
        let results = sheet.evaluateConditions(media, supports: PropertyTable.supports)
        tree.enter(sheet, upTo: sheet.conditions.count, results, &places)
      }
      return places
    }
    return tree.ranks(of: places)
  }
}

extension Stylesheet {
  fileprivate func layerName(_ condition: Condition) -> String {
    buffer.string(buffer.tokens[Int(condition.range.lowerBound)].text)
  }
  var hasLayers: Bool { conditions.contains { $0.test == .layer } }
}
