import Graphics
import Primitives

/// Graphs of filters in stored display lists. Which image an `feImage` shows is not stored.
extension DisplayWriter {
  mutating func graph(_ graph: FilterGraph) {
    rect(graph.region)
    count(graph.primitives.count)
    for primitive in graph.primitives {
      rect(primitive.region)
      flag(primitive.isLinear)
      count(primitive.inputs.count)
      for input in primitive.inputs {
        switch input {
        case .source: count(0)
        case .sourceAlpha: count(1)
        case .nothing: count(2)
        case .result(let index): count(3 + index)
        }
      }
      kind(primitive.kind)
    }
  }

  private mutating func floats(_ values: [Float]) {
    count(values.count)
    values.forEach { float($0) }
  }

  private mutating func kind(_ kind: FilterGraph.Kind) {
    switch kind {
    case .flood(let color):
      count(0)
      self.color(color)
    case .blur(let x, let y):
      count(1)
      [x, y].forEach { unit($0) }
    case .offset(let x, let y):
      count(2)
      [x, y].forEach { unit($0) }
    case .matrix(let values):
      count(3)
      floats(values)
    case .transfer(let transfers):
      count(4)
      count(transfers.count)
      for transfer in transfers {
        switch transfer {
        case .identity: count(0)
        case .table(let values):
          count(1)
          floats(values)
        case .discrete(let values):
          count(2)
          floats(values)
        case .linear(let slope, let intercept):
          count(3)
          floats([slope, intercept])
        case .gamma(let amplitude, let exponent, let offset):
          count(4)
          floats([amplitude, exponent, offset])
        }
      }
    case .composite(let compositing):
      count(5)
      switch compositing {
      case .over: count(0)
      case .inside: count(1)
      case .out: count(2)
      case .atop: count(3)
      case .xor: count(4)
      case .lighter: count(5)
      case .arithmetic(let k1, let k2, let k3, let k4):
        count(6)
        floats([k1, k2, k3, k4])
      }
    case .merge: count(6)
    case .blend(let mode):
      count(7)
      count(Int(mode.rawValue))
    case .morphology(let x, let y, let dilates):
      count(8)
      [x, y].forEach { unit($0) }
      flag(dilates)
    case .image(_, let rect):
      count(9)
      self.rect(rect)
    case .tile(let rect):
      count(10)
      self.rect(rect)
    case .displacement(let scale, let x, let y):
      count(11)
      unit(scale)
      count(Int(x.rawValue))
      count(Int(y.rawValue))
    case .convolution(let convolution):
      count(12)
      [convolution.columns, convolution.rows, convolution.targetX, convolution.targetY].forEach { count($0) }
      floats(convolution.matrix + [convolution.divisor, convolution.bias])
      count(Int(convolution.edge.rawValue))
      flag(convolution.preservesAlpha)
    case .shadow(let x, let y, let blurX, let blurY, let color):
      count(13)
      [x, y, blurX, blurY].forEach { unit($0) }
      self.color(color)
    }
  }
}

extension DisplayReader {
  mutating func graph() throws -> FilterGraph {
    let region = try rect()
    let primitives: [FilterGraph.Primitive] = try array { reader in
      let region = try reader.rect()
      let isLinear = try reader.flag()
      let inputs: [FilterGraph.Input] = try reader.array { reader in
        switch try reader.count() {
        case 0: .source
        case 1: .sourceAlpha
        case 2: .nothing
        case let index: .result(index - 3)
        }
      }
      return FilterGraph.Primitive(try reader.kind(), inputs: inputs, region: region, isLinear: isLinear)
    }
    return FilterGraph(primitives, region: region)
  }

  private mutating func floats(_ count: Int? = nil) throws -> [Float] {
    let values: [Float] = try array { try $0.float() }
    if let count, values.count != count { throw CorruptData() }
    return values
  }

  private mutating func byteChoice<Choice: RawRepresentable<UInt8>>() throws -> Choice {
    guard let choice = Choice(rawValue: UInt8(truncatingIfNeeded: try count())) else { throw CorruptData() }
    return choice
  }

  private mutating func transfer() throws -> FilterGraph.Transfer {
    switch try count() {
    case 0: return .identity
    case 1: return .table(try floats())
    case 2: return .discrete(try floats())
    case 3:
      let values = try floats(2)
      return .linear(slope: values[0], intercept: values[1])
    case 4:
      let values = try floats(3)
      return .gamma(amplitude: values[0], exponent: values[1], offset: values[2])
    default: throw CorruptData()
    }
  }

  private mutating func compositing() throws -> FilterGraph.Compositing {
    switch try count() {
    case 0: return .over
    case 1: return .inside
    case 2: return .out
    case 3: return .atop
    case 4: return .xor
    case 5: return .lighter
    case 6:
      let values = try floats(4)
      return .arithmetic(values[0], values[1], values[2], values[3])
    default: throw CorruptData()
    }
  }

  private mutating func kind() throws -> FilterGraph.Kind {
    switch try count() {
    case 0: return .flood(try color())
    case 1: return .blur(x: try unit(), y: try unit())
    case 2: return .offset(x: try unit(), y: try unit())
    case 3: return .matrix(try floats())
    case 4: return .transfer(try array { try $0.transfer() })
    case 5: return .composite(try compositing())
    case 6: return .merge
    case 7: return .blend(try byteChoice())
    case 8: return .morphology(x: try unit(), y: try unit(), dilates: try flag())
    case 9: return .image(.none, try rect())
    case 10: return .tile(try rect())
    case 11: return .displacement(scale: try unit(), x: try byteChoice(), y: try byteChoice())
    case 12:
      let (columns, rows, targetX, targetY) = (try count(), try count(), try count(), try count())
      var matrix = try floats()
      guard matrix.count == columns * rows + 2 else { throw CorruptData() }
      let bias = matrix.removeLast()
      let divisor = matrix.removeLast()
      return .convolution(
        FilterGraph.Convolution(
          columns: columns, rows: rows, matrix: matrix, divisor: divisor, bias: bias, targetX: targetX,
          targetY: targetY, edge: try byteChoice(), preservesAlpha: try flag()))
    case 13:
      return .shadow(x: try unit(), y: try unit(), blurX: try unit(), blurY: try unit(), try color())
    default: throw CorruptData()
    }
  }
}
