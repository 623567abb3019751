import Primitives

let attachmentWords = words(BackgroundAttachment.self)
let backgroundBoxWords = words(BackgroundBox.self)
let backgroundOriginWords = words(BackgroundBox.self, except: [.text, .borderArea])
let backgroundBlendWords = words(MixBlendMode.self, except: [.plusLighter])
private let repeatWords = words(BackgroundRepeat.self)

extension ValueParser {
  mutating func positionAlongAxis(_ near: StaticString, _ far: StaticString) -> LengthPercentage? {
    if keyword("center") { return .length(Length(50, .percent)) }
    let isFar = keyword(far)
    let hasKeyword = isFar || keyword(near)
    if let offset = lengthPercentage([.percent, .quirky]) { return fromEdge(offset, isFar: isFar) }
    return hasKeyword ? .length(Length(isFar ? 100 : 0, .percent)) : nil
  }

  mutating func backgroundSize() -> BackgroundSize? {
    if keyword("cover") { return .cover }
    if keyword("contain") { return .contain }
    func part(_ parser: inout ValueParser) -> LengthPercentage?? {
      if parser.keyword("auto") { return .some(nil) }
      return parser.lengthPercentage([.percent, .nonNegative]).map { .some($0) }
    }
    guard let width = part(&self) else { return nil }
    return .size(width, part(&self) ?? nil)
  }

  mutating func backgroundRepeat() -> (UInt8, UInt8)? {
    let (yes, no) = (BackgroundRepeat.repeat.rawValue, BackgroundRepeat.noRepeat.rawValue)
    if keyword("repeat-x") { return (yes, no) }
    if keyword("repeat-y") { return (no, yes) }
    guard let x = keyword(of: repeatWords) else { return nil }
    return (x, keyword(of: repeatWords) ?? x)
  }

  /// The `background` shorthand (CSS Backgrounds 3, section 3.10).
  mutating func background() -> [(PropertyID, PropertyValue)]? {
    var images: [ImageValue] = []
    var xs: [LengthPercentage] = []
    var ys: [LengthPercentage] = []
    var sizes: [BackgroundSize] = []
    var repeats: [UInt8] = []
    var attachments: [UInt8] = []
    var origins: [UInt8] = []
    var clips: [UInt8] = []
    var color: ColorValue?
    repeat {
      // The colour stands in the last layer only.
      if color != nil { return nil }
      var image: ImageValue?
      var position: PositionValue?
      var size: BackgroundSize?
      var repeating: (UInt8, UInt8)?
      var attachment: UInt8?
      var boxes: [UInt8] = []
      var count = 0
      while !isAtEnd, peek().kind != .comma {
        if image == nil, let next = self.image() {
          image = next
        } else if position == nil, let next = attempt({ $0.position() }) {
          position = next
          if slash() {
            guard let next = backgroundSize() else { return nil }
            size = next
          }
        } else if repeating == nil, let next = backgroundRepeat() {
          repeating = next
        } else if attachment == nil, let next = keyword(of: attachmentWords) {
          attachment = next
        } else if boxes.count < 2, let next = keyword(of: backgroundBoxWords) {
          boxes.append(next)
        } else if color == nil, let next = self.color() {
          color = next
        } else {
          return nil
        }
        count += 1
      }
      guard count > 0 else { return nil }
      let layer = BackgroundLayer()
      images.append(image ?? .none)
      xs.append(position?.x ?? layer.position.x)
      ys.append(position?.y ?? layer.position.y)
      sizes.append(size ?? layer.size)
      repeats.append(repeating?.0 ?? layer.repeatX.rawValue)
      repeats.append(repeating?.1 ?? layer.repeatY.rawValue)
      attachments.append(attachment ?? layer.attachment.rawValue)
      let origin = boxes.first.flatMap { BackgroundBox(rawValue: $0) }.flatMap { $0.isMask ? nil : $0 } ?? layer.origin
      origins.append(origin.rawValue)
      clips.append(boxes.last ?? layer.clip.rawValue)
    } while comma()
    return [
      (.background(.backgroundColor), .color(color ?? .color(.transparent))),
      (.background(.backgroundImage), .images(images)),
      (.background(.backgroundPositionX), .lengths(xs)), (.background(.backgroundPositionY), .lengths(ys)),
      (.background(.backgroundSize), .backgroundSizes(sizes)), (.background(.backgroundRepeat), .keywords(repeats)),
      (.background(.backgroundAttachment), .keywords(attachments)),
      (.background(.backgroundOrigin), .keywords(origins)),
      (.background(.backgroundClip), .keywords(clips)),
    ]
  }
}
