import CSS
import Primitives

// MARK: Images

extension ColorStop: ComputedValue {
  func css(_ table: StyleTable) -> String {
    [color.map { table.css($0) }, position.map { table.css($0) }].compactMap { $0 }.joined(separator: " ")
  }
}
extension RadialExtent: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .closestSide: "closest-side"
    case .farthestSide: "farthest-side"
    case .closestCorner: "closest-corner"
    case .farthestCorner: "farthest-corner"
    case .size(let x, let y): "\(table.css(x)) \(table.css(y))"
    }
  }
}
extension GradientValue: ComputedValue {
  func css(_ table: StyleTable) -> String {
    let (name, geometry): (String, String) =
      switch shape {
      case .linear(let angle, nil): ("linear", table.css(angle) + "deg")
      case .linear(_, let corner?):
        ("linear", "to \(corner.x < 0 ? "left" : "right") \(corner.y < 0 ? "top" : "bottom")")
      case .radial(let isCircle, let extent, let center):
        ("radial", "\(isCircle ? "circle" : "ellipse") \(table.css(extent)) at \(table.css(center))")
      case .conic(let from, let center): ("conic", "from \(table.css(from))deg at \(table.css(center))")
      }
    let space =
      interpolation == .standard ? "" : " in \(table.css(interpolation.space)) \(table.css(interpolation.hue)) hue"
    return
      "\(isRepeating ? "repeating-" : "")\(name)-gradient(\(geometry)\(space), \(table.css(stops, separator: ", ")))"
  }
}
extension ImageValue: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .none: "none"
    case .url(let url): "url(\(quoted(url)))"
    case .gradient(let gradient): table.css(gradient)
    case .crossFade(let parts): "cross-fade(\(table.css(parts, separator: ", ")))"
    }
  }
}
extension FadedImage: ComputedValue {
  func css(_ table: StyleTable) -> String {
    let source =
      switch source {
      case .image(let image): table.css(image)
      case .color(let color): table.css(color)
      }
    return "\(source) \(table.css(share * 100))%"
  }
}
extension BackgroundSize: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .cover: "cover"
    case .contain: "contain"
    case .size(let width, let height): table.css(width, none: "auto") + " " + table.css(height, none: "auto")
    }
  }
}
extension BorderImageWidth: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .auto: "auto"
    case .number(let number): table.css(number)
    case .length(let length): table.css(length)
    }
  }
}

// MARK: Effects

extension TransformFunction: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .matrix(let a, let b, let c, let d, let tx, let ty):
      "matrix(\(table.css([a, b, c, d, tx, ty], separator: ", ")))"
    case .translate(let x, let y): "translate(\(table.css([x, y], separator: ", ")))"
    case .scale(let x, let y): "scale(\(table.css([x, y], separator: ", ")))"
    case .rotate(let angle): "rotate(\(table.css(angle))deg)"
    case .skew(let x, let y): "skew(\(table.css(x))deg, \(table.css(y))deg)"
    case .translate3D(let x, let y, let z): "translate3d(\(table.css([x, y], separator: ", ")), \(table.css(z)))"
    case .matrix3D(let numbers): "matrix3d(\(table.css(numbers, separator: ", ")))"
    case .perspective(let distance): "perspective(\(table.css(distance, none: "none")))"
    }
  }
}
extension FilterFunction: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .blur(let radius): "blur(\(table.css(radius)))"
    case .brightness(let amount): "brightness(\(table.css(amount)))"
    case .contrast(let amount): "contrast(\(table.css(amount)))"
    case .grayscale(let amount): "grayscale(\(table.css(amount)))"
    case .hueRotate(let angle): "hue-rotate(\(table.css(angle))deg)"
    case .invert(let amount): "invert(\(table.css(amount)))"
    case .opacity(let amount): "opacity(\(table.css(amount)))"
    case .saturate(let amount): "saturate(\(table.css(amount)))"
    case .sepia(let amount): "sepia(\(table.css(amount)))"
    case .dropShadow(let shadow): "drop-shadow(\(table.css(shadow)))"
    case .reference(let url): "url(\(url))"
    }
  }
}
extension ShapeRadius: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .closestSide: "closest-side"
    case .farthestSide: "farthest-side"
    case .length(let length): table.css(length)
    }
  }
}
extension BasicShape: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .inset(let edges, let radiusX, let radiusY):
      "inset(\(table.css(edges)) round \(table.css(radiusX)) / \(table.css(radiusY)))"
    case .circle(let radius, let center): "circle(\(table.css(radius)) at \(table.css(center)))"
    case .ellipse(let x, let y, let center): "ellipse(\(table.css(x)) \(table.css(y)) at \(table.css(center)))"
    case .polygon(let points, let isEvenOdd):
      "polygon(\(isEvenOdd ? "evenodd" : "nonzero"), \(table.css(points, separator: ", ")))"
    case .path(let segments, let isEvenOdd):
      "shape(\(isEvenOdd ? "evenodd" : "nonzero"), \(table.css(segments, separator: ", ")))"
    }
  }
}
extension ShapePoint: ComputedValue {
  func css(_ table: StyleTable) -> String {
    let place = [x.map { table.css($0) }, y.map { table.css($0) }].compactMap { $0 }.joined(separator: " ")
    return (origin == .box ? "" : origin == .start ? "by " : "from end ") + place
  }
}
extension ShapeSegment: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .move(let point): "move " + table.css(point)
    case .line(let point): "line " + table.css(point)
    case .curve(let end, let first, let second):
      "curve \(table.css(end)) with \(table.css(first))\(second.map { " / " + table.css($0) } ?? "")"
    case .smooth(let end, let second): "smooth \(table.css(end))\(second.map { " with " + table.css($0) } ?? "")"
    case .arc(let end, let x, let y, let turn, let isLarge, let isClockwise):
      "arc \(table.css(end)) of \(table.css(x)) \(table.css(y)) \(isClockwise ? "cw" : "ccw")"
        + "\(isLarge ? " large" : "") rotate \(table.css(turn))deg"
    case .close: "close"
    }
  }
}
extension ShapeOutside: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .shape(let shape): table.css(shape)
    case .image(let image): table.css(image)
    }
  }
}
extension ClipPath: ComputedValue {
  func css(_ table: StyleTable) -> String {
    if let reference { return "url(\(quoted(reference)))" }
    return (shape.map { table.css($0) + " " } ?? "") + table.css(box)
  }
}

// MARK: Grids

extension TrackBreadth: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .auto: "auto"
    case .minContent: "min-content"
    case .maxContent: "max-content"
    case .fraction(let share): table.css(share) + "fr"
    case .length(let length): table.css(length)
    }
  }
}
extension TrackSize: ComputedValue {
  func css(_ table: StyleTable) -> String {
    if let limit { return "fit-content(\(table.css(limit)))" }
    let (low, high) = (table.css(minimum), table.css(maximum))
    return low == high ? low : "minmax(\(low), \(high))"
  }
}
extension TrackList: ComputedValue {
  func css(_ table: StyleTable) -> String {
    func line(_ names: [String]) -> [String] { names.isEmpty ? [] : ["[\(names.joined(separator: " "))]"] }
    func list(_ tracks: [TrackSize], _ names: [[String]], at place: Int? = nil, _ inserted: String = "") -> String {
      var parts: [String] = []
      for index in 0...tracks.count {
        let own = index < names.count ? names[index] : []
        let before = index == place ? repetition?.namesBefore ?? 0 : own.count
        parts += line(Array(own.prefix(before)))
        if index == place { parts.append(inserted) }
        parts += line(Array(own.dropFirst(before)))
        if index < tracks.count { parts.append(table.css(tracks[index])) }
      }
      return parts.isEmpty ? "none" : parts.joined(separator: " ")
    }
    if isSubgrid {
      func lines(_ names: some Sequence<[String]>) -> [String] { names.map { "[\($0.joined(separator: " "))]" } }
      var parts = lines(names)
      if let repetition {
        parts.insert(
          "repeat(auto-fill, \(lines(repetition.names).joined(separator: " ")))", at: repetition.index)
      }
      return (["subgrid"] + parts).joined(separator: " ")
    }
    guard let repetition else { return list(tracks, names) }
    let repeated =
      "repeat(\(repetition.isFit ? "auto-fit" : "auto-fill"), \(list(repetition.tracks, repetition.names)))"
    return list(tracks, names, at: repetition.index, repeated)
  }
}
extension GridLine: ComputedValue {
  func css(_ table: StyleTable) -> String {
    switch self {
    case .auto: "auto"
    case .line(_, let name?, isPlain: true): name
    case .line(let number, let name, _): String(number) + (name.map { " " + $0 } ?? "")
    case .span(let number, let name): "span \(number)" + (name.map { " " + $0 } ?? "")
    }
  }
}
