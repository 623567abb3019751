package import CSS
import Primitives

/// Not inherited: the background (CSS Backgrounds 3, section 3).
package struct BackgroundGroup: Hashable, Sendable {
  package var color = ColorValue.color(.transparent)
  /// Top layer first; empty when there is no image.
  package var layers: [BackgroundLayer] = []
  package init() {}
}

extension BackgroundGroup {
  /// The computed value of a property, as CSS spells it.
  func css(_ property: BackgroundProperty, _ table: StyleTable) -> String {
    let layers = layers.isEmpty ? [BackgroundLayer()] : layers
    func list(_ text: (BackgroundLayer) -> String) -> String { layers.map(text).joined(separator: ", ") }
    return switch property {
    case .backgroundColor: table.css(color)
    case .backgroundImage: list { table.css($0.image) }
    case .backgroundPositionX: list { table.css($0.position.x) }
    case .backgroundPositionY: list { table.css($0.position.y) }
    case .backgroundSize: list { table.css($0.size) }
    case .backgroundRepeat: list { table.css($0.repeatX) + " " + table.css($0.repeatY) }
    case .backgroundAttachment: list { table.css($0.attachment) }
    case .backgroundOrigin: list { table.css($0.origin) }
    case .backgroundClip: list { table.css($0.clip) }
    case .backgroundBlendMode: list { table.css($0.blendMode) }
    }
  }
}
