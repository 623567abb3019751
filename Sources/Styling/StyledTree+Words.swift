import CSS
import Markup
package import Primitives

extension StyledTree {
  /// The words of an element as its styles show them, with one space between them (`Document.words(of:limit:placement:)`).
  ///
  /// - Parameter limit: Characters beyond which they are cut.
  package func words(of id: NodeID, limit: Int = .max) -> String {
    document.words(of: id, limit: limit) { placement(of: $0) }
  }

  private func placement(of id: NodeID) -> TextPlacement {
    let node = document[id]
    switch node.name {
    case _ where node.namespace != .html: return document.placement(of: id)
    // A break parts words though styles may take it away, and annotations are none wherever they are set.
    case .br, .rt, .rp, .rtc: return document.placement(of: id)
    default: break
    }
    let box = styles[id.index].box.index
    switch table.boxes[box].float {
    case .none: break
    case .footnote: return .hidden
    // An initial is a float that its word goes on from.
    default: if document.placement(of: id) == .inline { return .inline }
    }
    let display = table.boxes[box].display
    if display == .rubyText || display == .rubyTextContainer { return .hidden }
    return switch display.outside {
    case .none: .hidden
    case .contents, .inline, .atomic, .rubyPart: .inline
    case .block, .tablePart: .block
    }
  }
}
