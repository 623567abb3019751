import Platform

/// Files of programs.
package enum ProgramFile {
  /// The path of the running program's file, links resolved; empty where the system does not tell it.
  package static let own: String = FilePath.resolved("/proc/self/exe") ?? ""

  /// The name of the command: the one that shells have no builtin of where it was started by that, and else its first.
  package static let commandName =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) == otherName ? otherName : "typeset"

  /// The second name of the command, a link to the program: bash, zsh and ksh take `typeset` for their own.
  private static let otherName = "bookset"

  /// The name of the program that has `typeset snapshot`.
  package static let snapshotName = "typeset-snapshot"

  /// The program that has the verb `snapshot` of a `typeset`: it lies beside it, as both are built, or in `../libexec/typeset` of its
  /// folder, as both are installed.
  ///
  /// - Parameter program: the path of the `typeset`, which may be a link to it.
  /// - Returns: nil where neither place has the program.
  package static func snapshot(of program: String) -> String? {
    let folder = OutputFiles.folder(of: FilePath.resolved(program) ?? program)
    let places = [folder, OutputFiles.join(OutputFiles.folder(of: folder), "libexec/typeset")]
    return places.map { OutputFiles.join($0, snapshotName) }
      .first { unsafe access($0, X_OK) == 0 && !OutputFiles.isFolder($0) }
  }
}
