public import CTypeset
import FoundationEssentials
import Platform
import Primitives
import Typesetting

/// What came of a call (`typeset_status`).
enum Status: Int32 {
  case ok, unreadable, protected, nonconforming, missing, unwritable, unavailable, limit, interrupted, noSuchPage
  case invalidArgument, forked, superseded

  fileprivate init(_ kind: BookError.Kind) {
    self =
      switch kind {
      case .unreadable: .unreadable
      case .protected: .protected
      case .nonconforming: .nonconforming
      case .missing: .missing
      case .unwritable: .unwritable
      case .unavailable: .unavailable
      case .limit: .limit
      case .interrupted: .interrupted
      }
  }
}

/// The reason that a call failed.
struct Failure: Error {
  var status: Status
  var part = ""
  var message: String
  var protection: Protection?

  init(_ status: Status, part: String = "", _ message: String) {
    self.status = status
    self.part = part
    self.message = message
  }

  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as BookError:
      self.init(Status(error.kind), part: error.part, error.reason)
      if case .protected(let protection) = error.kind { self.protection = protection }
    case let error as SettingsError: self.init(.invalidArgument, part: error.name, error.reason)
    case let error as DrawingError: self.init(.invalidArgument, error.description)
    case let error as DecodingError: self.init(error)
    case let error as PageError: self.init(error)
    case is CancellationError: self = .stopped
    default: self.init(.unreadable, "\(error)")
    }
  }

  private init(_ error: PageError) {
    switch error {
    case .noSuchPage: self.init(.noSuchPage, error.description)
    case .cancelled: self = .stopped
    case .superseded: self.init(.superseded, error.description)
    case .unavailable: self.init(.forked, error.description)
    }
  }

  private init(_ error: DecodingError) {
    let context = error.context
    let name = context.codingPath.first?.stringValue ?? ""
    self.init(.unreadable, part: name, name.isEmpty ? "it is no JSON object of settings" : context.debugDescription)
  }

  static let stopped = Failure(.interrupted, "the caller has stopped it")
}

extension DecodingError {
  /// Where it is, and why.
  fileprivate var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: Context(codingPath: [], debugDescription: "it cannot be read")
    }
  }
}

/// What `typeset_error` points to.
final class ErrorHandle {
  let status: Status
  /// Owned.
  let message: UnsafeMutablePointer<CChar>?
  /// Owned.
  let part: UnsafeMutablePointer<CChar>?
  /// Owned.
  let protection: UnsafeMutablePointer<CChar>?

  init(_ failure: Failure) {
    status = failure.status
    message = strdup(failure.message)
    part = strdup(failure.part)
    protection = strdup(failure.protection?.rawValue ?? "")
  }

  deinit {
    free(message)
    free(part)
    free(protection)
  }
}

/// Places that a function fills in for its caller.
public typealias Place<Value> = UnsafeMutablePointer<Value>

/// Does what a function of the interface does, and gives what came of it, with an error where the caller wants one.
func call(_ error: Place<OpaquePointer?>?, _ body: () throws -> Void) -> typeset_status {
  error?.pointee = nil
  do {
    guard ctypeset_enter() != 0 else {
      throw Failure(.forked, "the process was forked after it had used the library")
    }
    try body()
    return Status.ok.rawValue
  } catch let thrown {
    let failure = Failure(thrown)
    error?.pointee = give(ErrorHandle(failure))
    return failure.status.rawValue
  }
}

// MARK: Handles

/// Hands an object over to the caller.
func give(_ object: AnyObject) -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(object).toOpaque()) }

/// The object of a handle; nil for NULL.
func peek<Object: AnyObject>(_ handle: OpaquePointer?, as type: Object.Type) -> Object? {
  handle.map { Unmanaged<Object>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
}

/// The object of a handle that may not be NULL.
func object<Object: AnyObject>(_ handle: OpaquePointer?, as type: Object.Type) throws(Failure) -> Object {
  guard let object = peek(handle, as: type) else { throw Failure(.invalidArgument, "a handle is NULL") }
  return object
}

/// Takes back what `give` handed over. In a forked process nothing is released: another thread of the parent may have
/// held its locks.
func take<Object: AnyObject>(_ handle: OpaquePointer?, as type: Object.Type) {
  guard let handle, ctypeset_is_forked() == 0 else { return }
  Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

// MARK: Arguments and results

/// A place that may not be NULL, set to what it has where the call fails.
func place<Value>(_ place: Place<Value>?, emptied value: Value) throws(Failure) -> Place<Value> {
  guard let place else { throw Failure(.invalidArgument, "the place of a result is NULL") }
  place.pointee = value
  return place
}

/// Text that may not be NULL.
func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> String {
  guard let pointer else { throw Failure(.invalidArgument, part: name, "it is NULL") }
  return String(cString: pointer)
}

/// A value that is handed over as JSON.
func decoded<Value: Decodable>(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> Value {
  let written = try text(pointer, name)
  do { return try JSONDecoder().decode(Value.self, from: Data(written.utf8)) } catch let error as DecodingError {
    let path = error.context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
    throw Failure(.unreadable, part: name, (path.isEmpty ? "" : "\(path): ") + error.context.debugDescription)
  }
}

/// Options of the caller's; nil for NULL. Members that they have not, being of an earlier header, count as 0.
///
/// - Parameters:
///   - zero: All of them 0.
///   - least: Their size in the first header that had them.
func options<Options>(
  _ pointer: UnsafePointer<Options>?, _ name: String, zero: Options, least: Int = MemoryLayout<Options>.size
) throws(Failure) -> Options? {
  guard let pointer else { return nil }
  let size = UnsafeRawPointer(pointer).load(as: Int.self)
  guard size >= least else { throw Failure(.invalidArgument, part: name, "the size is not that of \(Options.self)") }
  var options = zero
  withUnsafeMutableBytes(of: &options) {
    $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(size, $0.count)))
  }
  return options
}

/// Bytes in memory that `typeset_free` releases, with a zero behind them.
func copy(_ bytes: some Collection<UInt8>) throws(Failure) -> Place<UInt8> {
  let count = bytes.count
  guard let memory = malloc(count + 1)?.assumingMemoryBound(to: UInt8.self) else {
    throw Failure(.limit, "memory is short")
  }
  _ = UnsafeMutableBufferPointer(start: memory, count: count).initialize(from: bytes)
  memory[count] = 0
  return memory
}

/// Text in memory that `typeset_free` releases.
func copy(_ text: String) throws(Failure) -> Place<CChar> {
  UnsafeMutableRawPointer(try copy(Array(text.utf8))).assumingMemoryBound(to: CChar.self)
}

/// A value as JSON, in the one form that equal values have.
func json(_ value: some Encodable) throws -> Place<CChar> {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return UnsafeMutableRawPointer(try copy(encoder.encode(value))).assumingMemoryBound(to: CChar.self)
}

/// Gives text that is made of a handle's object: what `copy` or `json` has made.
func give<Object: AnyObject>(
  _ handle: OpaquePointer?, as type: Object.Type, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?,
  _ make: (Object) throws -> Place<CChar>
) -> typeset_status {
  call(error) {
    let place = try place(result, emptied: nil)
    place.pointee = try make(try object(handle, as: type))
  }
}

/// Gives what a typesetter finds, such as a page.
///
/// - Parameters:
///   - wrap: Makes what the handle points to.
///   - missing: The reason where there is none.
func give<Found: Sendable>(
  _ handle: OpaquePointer?, _ result: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?,
  _ wrap: (Found) -> AnyObject, missing: String = PageError.noSuchPage.description,
  _ make: (Book) throws -> (@Sendable (Typesetter) async throws(PageError) -> Found?)
) -> typeset_status {
  call(error) {
    let place = try place(result, emptied: nil)
    let handle = try object(handle, as: TypesetterHandle.self)
    guard let found = try handle.run(try make(handle.typesetter.book)) else { throw Failure(.noSuchPage, missing) }
    place.pointee = give(wrap(found))
  }
}

// MARK: Version, errors and memory

/// Never released.
private nonisolated(unsafe) let version = strdup(EngineVersion.current)

@c @implementation
public func typeset_version() -> UnsafePointer<CChar>? { UnsafePointer(version) }

@c @implementation
public func typeset_version_atleast(_ major: Int32, _ minor: Int32, _ patch: Int32) -> Int32 {
  let own = EngineVersion.current.split(separator: ".").map { Int32($0) ?? 0 }
  return own.lexicographicallyPrecedes([major, minor, patch]) ? 0 : 1
}

@c @implementation
public func typeset_error_status(_ error: OpaquePointer?) -> typeset_status {
  peek(error, as: ErrorHandle.self)?.status.rawValue ?? Status.ok.rawValue
}

/// Never released.
private nonisolated(unsafe) let empty = strdup("")

@c @implementation
public func typeset_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  UnsafePointer(peek(error, as: ErrorHandle.self)?.message ?? empty)
}

@c @implementation
public func typeset_error_part(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  UnsafePointer(peek(error, as: ErrorHandle.self)?.part ?? empty)
}

@c @implementation
public func typeset_error_protection(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  UnsafePointer(peek(error, as: ErrorHandle.self)?.protection ?? empty)
}

@c @implementation
public func typeset_error_free(_ error: OpaquePointer?) {
  // Errors are made in forked processes too, and hold nothing.
  guard let error else { return }
  Unmanaged<ErrorHandle>.fromOpaque(UnsafeRawPointer(error)).release()
}

@c @implementation
public func typeset_free(_ memory: UnsafeMutableRawPointer?) { free(memory) }
