import ArgumentParser
import Command
import FoundationEssentials
import SnapshotHarness

/// `typeset snapshot serve`.
struct SnapshotServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Review a run in the browser: decide, comment and assign; several people at once.",
    discussion: """
      The report of the run, at an address that is printed. Pages are drawn when they are looked at. What is decided there is a \
      line of the decisions at once, with who, when and why; what others decide meanwhile is shown. The address is reached from \
      this machine alone and holds a token that nobody guesses, unless options say otherwise. An interrupt (Ctrl-C) ends it.
      """)

  @Argument(help: ArgumentHelp("The run's folder.", valueName: "run"), completion: .directory)
  var path = ".snapshot/run"
  @Option(
    help: ArgumentHelp("The store whose baseline moves on accepting; none moves without it.", valueName: "store"),
    completion: .directory)
  var store: String?
  @Option(
    help: ArgumentHelp(
      "The decisions. (default: those of the run: decisions.ndjson beside the corpus)", valueName: "file"),
    completion: .file())
  var decisions: String?
  @Option(help: ArgumentHelp("An address of this machine to be reached at; 0.0.0.0 is all.", valueName: "address"))
  var listen = "127.0.0.1"
  @Option(help: ArgumentHelp("The port; 0 is any that is free.", valueName: "n")) var port = 0
  @Option(
    help: ArgumentHelp(
      "The token in the address, at least 16 letters and digits. (default: a new one)", valueName: "word"))
  var token: String?
  @Flag(help: "No token: whoever reaches this machine's own address may decide.") var noToken = false
  @Option(help: ArgumentHelp("Pages drawn at once. (default: one for each core)", valueName: "n")) var jobs: Int?

  private var isLoopback: Bool { listen == "::1" || listen.hasPrefix("127.") }

  mutating func validate() throws {
    if !(0...65535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535") }
    if let jobs, jobs < 1 || jobs > 1024 { throw ValidationError("--jobs takes a number from 1 to 1024") }
    if noToken, token != nil { throw ValidationError("--token and --no-token exclude each other") }
    if noToken, !isLoopback { throw ValidationError("--no-token is for addresses that only this machine reaches") }
    if let token, token.utf8.count < 16 || !token.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isASCIIWord }) {
      throw ValidationError("--token takes at least 16 letters and digits")
    }
  }

  func run() throws {
    try harness { () throws(HarnessError) in
      guard RunFolder.isRun(path) else { throw HarnessError(66, "\(path): there is no run") }
      // The run that is accepted is the one that was looked at: nobody sets it anew meanwhile.
      try FolderLock.hold(run: path)
      // Who reaches an address of this machine alone is the one that Git knows here.
      let reviewer = isLoopback ? Git.author(in: FileManager.default.currentDirectoryPath) : nil
      let desk = try ReviewDesk(
        path, decisions: decisions, store: store.map { SnapshotStore($0) }, reviewer: reviewer)
      let token = noToken ? "" : token ?? ReviewRoutes.newToken()
      let name = listen.contains(":") ? "[\(listen)]" : listen
      let isLoopback = isLoopback
      let server = try ReviewServer(
        address: listen, port: port, jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount
      ) { port throws(HarnessError) in
        // Of an address that others reach, nobody knows what they call it.
        let hosts = isLoopback ? [name, "localhost", "127.0.0.1", "[::1]"].map { "\($0):\(port)" } : nil
        return ReviewRoutes(desk, token: token, hosts: hosts)
      }
      StandardStream.output.write("http://\(name):\(server.port)\(ReviewRoutes.root(token))\n".utf8)
      server.run()
      return 0
    }
  }
}

extension Character {
  fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
