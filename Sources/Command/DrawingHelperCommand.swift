import CProcess
import Typesetting

/// `typeset drawing-helper`: draws SVG documents for another process, which it is started by, and speaks with over its standard
/// input. It has no network, writes no file, and has memory for large drawings only.
enum DrawingHelperCommand {
  static let verb = "drawing-helper"

  static func run() {
    var limits = unsafe cp_limits()
    unsafe limits.address_space = 2 << 30
    unsafe limits.refuses_network = 1
    var writable: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    unsafe writable.withUnsafeMutableBufferPointer { folders in
      unsafe limits.writable = unsafe folders.baseAddress.map { unsafe UnsafePointer($0) }
      unsafe cp_confine(&limits)
    }
    Engine.serveDrawings()
  }
}
