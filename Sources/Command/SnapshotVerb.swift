package import ArgumentParser
import BookOutput
import Platform
import Typesetting

/// `typeset snapshot` is a program of its own, so that setting a book loads nothing of the snapshot harness and of its server.
/// `typeset` is replaced by it where the command line may concern the verb. It has all verbs, and parses and answers their
/// arguments as `typeset` does.
package enum SnapshotVerb {
  package static let name = "snapshot"
  package static let abstract = "Find out what a change of the engine does to a corpus of books."
  /// The variable by which `typeset` tells the program what it was built from (`EngineVersion.build`).
  private static let buildVariable = "TYPESET_BUILD"

  /// Requests that tell of all verbs to other programs: shells, and what writes the manual page.
  private static let descriptions = ["--generate-completion-script", "--experimental-dump-help", "---completion"]

  /// Replaces this process by the program, with the same arguments, where they may concern it and it is there.
  package static func handOver(_ arguments: [String]) {
    let isConcerned = arguments.contains { argument in
      argument == name || descriptions.contains { argument.hasPrefix($0) }
    }
    guard isConcerned, let program = ProgramFile.snapshot(of: ProgramFile.own) else { return }
    unsafe setenv(buildVariable, EngineVersion.build, 1)
    unsafe execv(program, CommandLine.unsafeArgv)
    fail(unsafe "\(program): \(String(cString: strerror(errno)))")
  }

  /// Ends the program where it was started by a `typeset` with another engine: what it told would be of the wrong one.
  package static func checkBuild() {
    defer { unsafe unsetenv(buildVariable) }
    guard let build = unsafe getenv(buildVariable), unsafe String(cString: build) != EngineVersion.build else { return }
    fail("\(ProgramFile.own): it is of another build than typeset")
  }

  fileprivate static func fail(_ message: String) -> Never {
    DiagnosticPrinter.fail(message)
    exit(BookError(.unavailable, message).exitCode)
  }
}

/// The verb in `typeset` itself, whose arguments are parsed where the program is missing.
package struct MissingSnapshotVerb: ParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: SnapshotVerb.name, abstract: SnapshotVerb.abstract)
  }

  @Argument(parsing: .captureForPassthrough, help: .hidden) var arguments: [String] = []

  package init() {}

  package func run() {
    SnapshotVerb.fail(
      "\(ProgramFile.snapshotName) is missing; it belongs beside \(ProgramFile.own) or in ../libexec/typeset")
  }
}
