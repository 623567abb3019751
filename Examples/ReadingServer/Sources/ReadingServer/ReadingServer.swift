public import Hummingbird
public import Logging
public import NIOCore
public import ServiceLifecycle
public import UnixSignals

/// A server that shows the books of a folder, for one reader on this machine.
public struct ReadingServer: Sendable {
  public struct Options: Sendable {
    /// The folder of books.
    public var library: String
    /// The database's file; nil for one that is forgotten.
    public var database: String?
    public var hostname = "127.0.0.1"
    /// Other machines are let in: without it only addresses of this machine are listened on.
    public var isPublic = false
    /// 0 for any that is free.
    public var port = 8080
    /// Names the server goes by, beside `localhost` and addresses in digits.
    public var allowedHosts: Set<String> = []
    /// Bytes.
    public var uploadLimit = 200 << 20
    /// Bytes that pictures and books that are being read may keep together, beside what the work under way takes.
    public var memory = 256 << 20

    public init(library: String, database: String? = nil) {
      self.library = library
      self.database = database
    }
  }

  /// Why the server cannot be started, as a sentence.
  public struct Failure: Error, Sendable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
  }

  /// The address would let other machines in, which nobody has asked for.
  public struct NotPublic: Error, Sendable {
    public var hostname: String
    public var reason: String {
      "\(hostname) lets other machines read the books of this one and add new ones; say --public if that is meant"
    }
  }

  /// The address is one that only this machine reaches (RFC 6890).
  static func isLoopback(_ hostname: String) -> Bool {
    let name = hostname.lowercased()
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private let options: Options
  private let shelf: Shelf
  private let sessions: BookSessions
  private let store: Store
  private let assets: WebAssets

  public init(_ options: Options) throws {
    guard options.isPublic || Self.isLoopback(options.hostname) else {
      throw NotPublic(hostname: options.hostname)
    }
    guard let folder = ShelfFolder(options.library) else {
      throw Failure(reason: "there is no folder \(options.library)")
    }
    self.options = options
    do {
      store = try Store(path: options.database)
    } catch {
      throw Failure(reason: "the database \(options.database ?? "") cannot be opened: \(error)")
    }
    do {
      assets = try WebAssets()
    } catch {
      throw Failure(reason: "the files of the page are missing: build the server again")
    }
    shelf = Shelf(folder: folder, store: store, uploadLimit: options.uploadLimit)
    sessions = BookSessions(shelf: shelf, store: store, memory: options.memory / 4 * 3)
  }

  /// The application, ready to run.
  ///
  /// - Parameter onServerRunning: Called with the address once the server listens.
  public func application(
    logger: Logger, onServerRunning: @escaping @Sendable (SocketAddress?) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    let router = Router(context: ReadingContext.self, options: .autoGenerateHeadEndpoints)
    router.middlewares.add(AnswerGuard())
    router.middlewares.add(
      HostGuard(names: Set((options.allowedHosts.union([options.hostname])).map { $0.lowercased() })))
    router.middlewares.add(OriginGuard())
    let images = PageImages(capacity: options.memory / 4, slots: NIOCore.System.coreCount)
    let launch = Shelf.newID()
    let pages = Pages(sessions: sessions, store: store, images: images, launch: launch)
    ShelfRoutes(shelf: shelf, store: store, images: images).add(to: router)
    ReadingRoutes(shelf: shelf, sessions: sessions, store: store, pages: pages).add(to: router)
    MarkRoutes(shelf: shelf, sessions: sessions, store: store).add(to: router)
    assets.add(to: router)
    return Application(
      router: router,
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [
            ConnectionWatch(), FramingGuardInstaller(chunkLimit: options.uploadLimit),
          ], idleTimeout: .seconds(60))),
      configuration: .init(address: .hostname(options.hostname, port: options.port)),
      onServerRunning: { await onServerRunning($0.localAddress) }, logger: logger)
  }

  /// The application as it is run: it ends on the signals, and waits no longer than some seconds for answers under way.
  public func services(
    logger: Logger, stoppingOn signals: [UnixSignal] = [.sigint, .sigterm],
    onServerRunning: @escaping @Sendable (SocketAddress?) async -> Void
  ) -> ServiceGroup {
    var configuration = ServiceGroupConfiguration(
      services: [application(logger: logger, onServerRunning: onServerRunning)], gracefulShutdownSignals: signals,
      logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(3)
    return ServiceGroup(configuration: configuration)
  }

  /// Saves what is known and ends what goes on in the background.
  public func close() async { await sessions.close() }
}

extension ReadingServer {
  /// The name of the database's file for a folder of books.
  public static func databaseName(ofLibrary path: String) -> String {
    let root = ShelfFolder(path)?.root ?? path
    let name = root.split(separator: "/").last.map(String.init) ?? "books"
    return "\(name.prefix(60))-\(Digest.of(root)).sqlite"
  }
}
