import FoundationEssentials

/// Git, as the user has it.
package enum Git {
  /// Runs a command of Git in a folder. Fails with 66 and its last line where it fails.
  ///
  /// - Returns: all that it wrote.
  static func run(_ arguments: [String], in folder: String) throws(HarnessError) -> String {
    String(decoding: try bytes(arguments, in: folder), as: UTF8.self)
  }

  /// As `run`, for files, which need not be text.
  static func bytes(_ arguments: [String], in folder: String) throws(HarnessError) -> [UInt8] {
    var child = ChildProcess(["/usr/bin/env", "git"] + arguments, folder: Files.absolute(folder))
    for name in ["PATH", "HOME"] { child.environment[name] = ProcessInfo.processInfo.environment[name] }
    child.keepsWholeOutput = true
    let outcome = child.run()
    guard outcome.end == .exited(0) else {
      throw HarnessError(66, "git: " + (outcome.output.split(separator: "\n").last.map(String.init) ?? "failed"))
    }
    return outcome.bytes
  }

  /// The author that Git names for a folder; nil where it names none.
  package static func author(in folder: String) -> String? {
    if let name = ProcessInfo.processInfo.environment["GIT_AUTHOR_NAME"], !name.isEmpty { return name }
    let output = try? run(["config", "user.name"], in: folder)
    return output?.split(separator: "\n").first.map(String.init)
  }

  /// The work tree that a folder is in. Fails with 66 where there is none.
  package static func workTree(of folder: String) throws(HarnessError) -> String {
    try run(["rev-parse", "--show-toplevel"], in: folder).split(separator: "\n").first.map(String.init) ?? ""
  }

  /// The last revision of a folder's repository that changed something below the folder; nil where there is none.
  static func lastRevision(of folder: String) -> String? {
    let output = try? run(["log", "-1", "--format=%h", "--abbrev=12", "--", "."], in: folder)
    return output?.split(separator: "\n").first.map(String.init)
  }

  /// The revision of the work tree in the current folder; empty when there is none.
  package static func currentRevision() -> String {
    let child = ChildProcess(
      ["/usr/bin/git", "rev-parse", "--short=12", "HEAD"], folder: FileManager.default.currentDirectoryPath)
    var git = child
    git.environment["PATH"] = "/usr/bin:/bin"
    git.environment["HOME"] = ProcessInfo.processInfo.environment["HOME"]
    let outcome = git.run()
    guard outcome.end == .exited(0) else { return "" }
    return outcome.output.split(separator: "\n").first.map(String.init) ?? ""
  }
}
