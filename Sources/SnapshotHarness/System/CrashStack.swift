import BookOutput
import FoundationEssentials
import Typesetting

/// The report of Swift's runtime on a crash: its own program looks at the process that crashed, where it is installed (snapshot
/// harness, 7.2).
enum CrashStack {
  /// The variable that makes children tell; nil where the program that does it is not at hand.
  static let setting: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let own = environment["SWIFT_BACKTRACE"] { return own }
    // It lies beside the compiler.
    let folders = (environment["PATH"] ?? "").split(separator: ":").compactMap { folder -> String? in
      let swift = Files.join(String(folder), "swift")
      guard Files.exists(swift) else { return nil }
      let real = URL(fileURLWithPath: swift).resolvingSymlinksInPath().path
      return Files.join(OutputFiles.folder(of: OutputFiles.folder(of: real)), "libexec/swift/linux")
    }
    let programs = (folders + ["/usr/libexec/swift/linux"]).flatMap { folder in
      ["swift-backtrace-static", "swift-backtrace"].map { Files.join(folder, $0) }
    }
    guard let program = programs.first(where: { Files.exists($0) }) else { return nil }
    return
      "enable=yes,color=no,interactive=no,threads=crashed,images=none,registers=none,sanitize=yes,limit=32,timeout=20s,"
      + "swift-backtrace=\(program)"
  }()

  private static let signalMark = "*** Signal "

  /// The signal that is being told of; nil where none is.
  static func signal(in output: [UInt8]) -> Int? {
    guard let mark = output.firstRange(of: Array(signalMark.utf8)) else { return nil }
    return Int(String(decoding: output[mark.upperBound...].prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
  }

  /// The innermost functions, without those of the runtime.
  static func frames(in output: String) -> [String] {
    var frames: [String] = []
    for line in output.split(separator: "\n") {
      // `3 [ra] 0x0000 name(arguments) + 12 in typeset at file.swift:3:4`, or `3 name(arguments) in typeset at ...`.
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard let first = words.first, first.allSatisfy(\.isNumber), words.count > 1 else { continue }
      // The functions by which a process ends itself are the same in all crashes.
      if line.contains(" in libc.so") { continue }
      var name = words.dropFirst().drop { $0.hasPrefix("0x") || $0.hasPrefix("[") }
      if let end = name.firstIndex(of: "at") { name = name[..<end] }
      if let end = name.firstIndex(of: "+") ?? name.lastIndex(of: "in") { name = name[..<end] }
      guard let first = name.first, !first.hasPrefix("_swift_runtime"), frames.count < 8 else { continue }
      frames.append(String(name.joined(separator: " ").prefix(160)))
    }
    return frames
  }

  /// The message of the child before it crashed, without the report.
  static func message(in output: String) -> String {
    var lines: [Substring] = []
    for line in output.split(separator: "\n") {
      if line.hasPrefix(signalMark) || line.hasPrefix("*** Program crashed") { break }
      lines.append(line)
    }
    return lines.suffix(20).joined(separator: "\n")
  }
}
