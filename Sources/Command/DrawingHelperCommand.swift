import CProcess
import Typesetting

/// `typeset drawing-helper`: draws SVG documents for another process, which it is started by, and speaks with over its standard
/// input. It has no network, writes no file, and has memory for large drawings only.
enum DrawingHelperCommand {
  static let verb = "drawing-helper"

  static func run() {
    var limits = cp_limits()
    limits.address_space = 2 << 30
    limits.refuses_network = 1
    var writable: [UnsafeMutablePointer<CChar>?] = [nil]
    writable.withUnsafeMutableBufferPointer { folders in
      limits.writable = folders.baseAddress.map { UnsafePointer($0) }
      cp_confine(&limits)
    }
    Drawings.serve()
  }
}
