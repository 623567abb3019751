import ArgumentParser
import Foundation
import Logging
import NIOCore
import ReadingServer
import ServiceLifecycle
import Typesetting

@main struct ReadingServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reading-server", abstract: "Shows the books of a folder in a web browser.",
    discussion: """
      Books are EPUBs (packed or as folders), FictionBooks, Kindle books without protection, Markdown, XHTML, HTML and plain text, in \
      the folder and those below it. Places, highlights
      and settings are kept in a database outside the folder. The server is for one reader: whoever reaches it may read the
      books and add new ones, so it listens on this machine only, unless told otherwise.
      """)

  @Argument(help: ArgumentHelp("The folder of books.", valueName: "folder"))
  var library: String

  @Option(name: .shortAndLong, help: "The port to listen on; 0 for any that is free.")
  var port = 8080

  @Option(help: "The address to listen on; one that other machines reach needs --public.")
  var hostname = "127.0.0.1"

  @Flag(
    name: .customLong("public"),
    help: "Other machines may be let in: whoever reaches the server may read the books and add new ones.")
  var isPublic = false

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp("A name the server goes by beside localhost; may be given again.", valueName: "name"))
  var allowedHosts: [String] = []

  @Option(
    help: ArgumentHelp(
      "Where places and highlights are kept; ~/.local/share/typeset-reader unless told otherwise.", valueName: "folder")
  )
  var data: String?

  @Option(help: ArgumentHelp("The largest book that may be added, in MB.", valueName: "MB"))
  var uploadLimit = 200

  @Option(
    help: ArgumentHelp("How much books that are being read and pictures may keep together, in MB.", valueName: "MB"))
  var memory = 256

  func validate() throws {
    guard (32...16384).contains(memory) else { throw ValidationError("--memory goes from 32 to 16384.") }
    guard (0...65535).contains(port) else { throw ValidationError("--port goes from 0 to 65535.") }
    guard (1...2000).contains(uploadLimit) else { throw ValidationError("--upload-limit goes from 1 to 2000.") }
  }

  func run() async throws {
    do {
      try await serve()
    } catch let failure as ReadingServer.NotPublic {
      try stop(failure.reason, 64)
    } catch let failure as ReadingServer.Failure {
      try stop(failure.reason, 66)
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      try stop("port \(port) is taken; choose another with --port", 69)
    } catch let error as IOError where error.errnoCode == EACCES {
      try stop("port \(port) is not yours to take; choose one from 1024 on with --port", 77)
    } catch let error as IOError {
      try stop("\(hostname):\(port) cannot be listened on: \(error)", 69)
    } catch is SocketAddressError {
      try stop("there is no address \(hostname)", 68)
    }
  }

  private func serve() async throws {
    var options = ReadingServer.Options(library: library, database: try database())
    options.hostname = hostname
    options.port = port
    options.isPublic = isPublic
    options.allowedHosts = Set(allowedHosts)
    options.uploadLimit = uploadLimit << 20
    options.memory = memory << 20
    Engine.configure(Engine.Configuration(boundsMemory: true))
    var logger = Logger(label: "reading-server") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .warning
    let server = try ReadingServer(options)
    let shown =
      hostname == "0.0.0.0" || hostname == "::" ? "localhost" : hostname.contains(":") ? "[\(hostname)]" : hostname
    let services = server.services(logger: logger) { address in
      print("Reading server: http://\(shown):\(address?.port ?? 0)/ (Ctrl-C stops it)")
      fflush(nil)
    }
    try await services.run()
    await server.close()
  }

  /// The database of this library: others have their own.
  private func database() throws -> String {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
    let folder = URL(fileURLWithPath: data ?? home + "/typeset-reader")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw ReadingServer.Failure(reason: "the folder \(folder.path) cannot be made")
    }
    return folder.appendingPathComponent(ReadingServer.databaseName(ofLibrary: library)).path
  }

  private func stop(_ reason: String, _ status: Int32) throws -> Never {
    FileHandle.standardError.write(Data("reading-server: \(reason)\n".utf8))
    throw ExitCode(status)
  }
}
