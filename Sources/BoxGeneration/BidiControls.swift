import CSS
import Primitives

/// The control characters by which `unicode-bidi` and `direction` take part in the bidirectional algorithm (CSS Writing
/// Modes 4, section 2.4.2).
enum BidiControls {
  private static let leftToRightEmbedding: UInt16 = 0x202A
  private static let rightToLeftEmbedding: UInt16 = 0x202B
  static let popDirectionalFormatting: UInt16 = 0x202C
  private static let leftToRightOverride: UInt16 = 0x202D
  private static let rightToLeftOverride: UInt16 = 0x202E
  private static let firstStrongIsolate: UInt16 = 0x2068
  static let rightToLeftIsolate: UInt16 = 0x2067
  static let popDirectionalIsolate: UInt16 = 0x2069

  static func override(_ direction: TextDirection) -> UInt16 {
    direction == .rtl ? rightToLeftOverride : leftToRightOverride
  }
  static func isolate(_ direction: TextDirection) -> UInt16 {
    direction == .rtl ? rightToLeftIsolate : 0x2066
  }

  /// At the start of an inline box.
  static func opening(_ bidi: UnicodeBidi, _ direction: TextDirection) -> [UInt16] {
    switch bidi {
    case .normal: []
    case .embed: [direction == .rtl ? rightToLeftEmbedding : leftToRightEmbedding]
    case .isolate: [isolate(direction)]
    case .bidiOverride: [override(direction)]
    case .isolateOverride: [firstStrongIsolate, override(direction)]
    case .plaintext: [firstStrongIsolate]
    }
  }

  /// At the end of an inline box.
  static func closing(_ bidi: UnicodeBidi) -> [UInt16] {
    switch bidi {
    case .normal: []
    case .embed, .bidiOverride: [popDirectionalFormatting]
    case .isolate, .plaintext: [popDirectionalIsolate]
    case .isolateOverride: [popDirectionalFormatting, popDirectionalIsolate]
    }
  }
}
