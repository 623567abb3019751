import Graphics
import Platform
import Synchronization

/// The processes that draw SVG documents for this one: a crash of librsvg, or a drawing without end, is a broken
/// picture there.
///
/// One is started for each thread that draws at the same time, when it first does, and stays for the next drawing.
/// Where the program cannot be started, documents are drawn in this process.
package final class DrawingHelper: Sendable {
  private struct State: Sendable {
    var idle: [HelperProcess] = []
    var failures = 0
  }

  private let program: String
  private let arguments: [String]
  private let seconds: Int
  private let state = Lock(State())

  /// - Parameters:
  ///   - program: The program that calls `serve()` when it is given these arguments.
  ///   - seconds: How long a drawing may take: librsvg cannot be stopped, a process can.
  package init(program: String, arguments: [String], seconds: Int = 20) {
    self.program = program
    self.arguments = arguments
    self.seconds = seconds
  }

  private static let current = Lock<DrawingHelper?>(nil)

  /// Draws the documents that this process opens from now on; with nil it draws them itself.
  package static var shared: DrawingHelper? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// The number of processes that ended, or were ended, before they had answered.
  package var failures: Int { state.withLock(\.failures) }

  /// A document of `byteCount` bytes follows.
  private struct Request {
    static let dimensions: UInt32 = 0
    static let bitmap: UInt32 = 1
    static let pdf: UInt32 = 2

    var byteCount: UInt32 = 0
    /// The kind of answer.
    var kind = Self.dimensions
    /// The size of a picture in px, or of a page in points.
    var width: UInt32 = 0
    var height: UInt32 = 0
  }

  /// The rows of a picture or the bytes of a PDF file follow where one was asked for and drawn. Dimensions that there
  /// are not are negative.
  private struct Answer {
    var isDrawn: UInt32 = 0
    /// The bytes that follow.
    var byteCount: UInt32 = 0
    var hasViewBox: UInt32 = 0
    var width: Float = -1
    var height: Float = -1
    var aspectRatio: Float = -1
  }

  enum Outcome<Value> {
    case answer(Value)
    /// The document cannot be read or drawn, or the process ended over it.
    case refused
    /// No process can be started.
    case unavailable
  }

  /// Ends the processes that wait, which counts their time as that of this process (wait(2)). Others start where they
  /// are needed.
  package func endProcesses() { state.withLock { $0.idle.removeAll() } }

  func measure(_ document: [UInt8]) -> Outcome<VectorImage.Dimensions> {
    ask(document, Request()) { _, answer in
      func present(_ value: Float) -> Float? { value < 0 ? nil : value }
      return VectorImage.Dimensions(
        width: present(answer.width), height: present(answer.height), aspectRatio: present(answer.aspectRatio),
        hasViewBox: answer.hasViewBox != 0)
    }
  }

  func draw(_ document: [UInt8], width: Int, height: Int) -> Outcome<Bitmap> {
    let request = Request(kind: Request.bitmap, width: UInt32(clamping: width), height: UInt32(clamping: height))
    return ask(document, request) { process, answer in
      guard answer.byteCount == width * height * 4 else { return nil }
      var isWhole = false
      let bitmap = unsafe Bitmap(width: width, height: height) { memory in
        isWhole = unsafe process.fill(UnsafeMutableRawBufferPointer(rebasing: memory.prefix(width * height * 4)))
      }
      return isWhole ? bitmap : nil
    }
  }

  func pdf(_ document: [UInt8], width: Int, height: Int) -> Outcome<[UInt8]> {
    let request = Request(kind: Request.pdf, width: UInt32(clamping: width), height: UInt32(clamping: height))
    return ask(document, request) { process, answer in
      guard answer.byteCount <= VectorImage.maximumSize else { return nil }
      let file = unsafe [UInt8](unsafeUninitializedCapacity: Int(answer.byteCount)) { memory, count in
        count = unsafe process.fill(UnsafeMutableRawBufferPointer(memory)) ? memory.count : 0
      }
      return file.count == Int(answer.byteCount) ? file : nil
    }
  }

  private func ask<Value>(
    _ document: [UInt8], _ request: Request, _ read: (HelperProcess, Answer) -> Value?
  ) -> Outcome<Value> {
    let idle = state.withLock { state in
      state.idle.removeAll { !$0.isOwn }
      return state.idle.popLast()
    }
    guard let process = idle ?? HelperProcess(program: program, arguments: arguments, seconds: seconds) else {
      return .unavailable
    }
    var request = request
    request.byteCount = UInt32(clamping: document.count)
    var answer = Answer()
    guard unsafe withUnsafeBytes(of: &request, process.deliver), unsafe document.withUnsafeBytes(process.deliver),
      unsafe withUnsafeMutableBytes(of: &answer, process.fill)
    else {
      // The process is not asked again: it ends with its last reference.
      state.withLock { $0.failures += 1 }
      return .refused
    }
    guard answer.isDrawn != 0 else {
      state.withLock { $0.idle.append(process) }
      return .refused
    }
    guard let value = read(process, answer) else {
      state.withLock { $0.failures += 1 }
      return .refused
    }
    state.withLock { $0.idle.append(process) }
    return .answer(value)
  }

  /// Answers requests that come over the standard input, until it is closed.
  package static func serve() {
    var request = Request()
    while unsafe withUnsafeMutableBytes(of: &request, { unsafe HelperProcess.fill($0, from: 0) }) {
      guard request.byteCount <= VectorImage.maximumSize else { return }
      let document = unsafe [UInt8](unsafeUninitializedCapacity: Int(request.byteCount)) { memory, count in
        count = unsafe HelperProcess.fill(UnsafeMutableRawBufferPointer(memory), from: 0) ? memory.count : 0
      }
      guard document.count == Int(request.byteCount) else { return }
      let image = VectorImage(here: document)
      var answer = Answer()
      if let dimensions = image?.dimensions {
        answer.hasViewBox = dimensions.hasViewBox ? 1 : 0
        answer.width = dimensions.width ?? -1
        answer.height = dimensions.height ?? -1
        answer.aspectRatio = dimensions.aspectRatio ?? -1
      }
      let (width, height) = (Int(request.width), Int(request.height))
      var bitmap: Bitmap?
      var file: [UInt8]?
      switch request.kind {
      case Request.bitmap: bitmap = image?.draw(width: width, height: height)
      case Request.pdf: file = image?.pdf(width: width, height: height)
      default: break
      }
      let isDrawn = request.kind == Request.dimensions ? image != nil : bitmap != nil || file != nil
      answer.isDrawn = isDrawn ? 1 : 0
      answer.byteCount = UInt32(clamping: bitmap?.byteCount ?? file?.count ?? 0)
      guard unsafe withUnsafeBytes(of: &answer, { unsafe HelperProcess.deliver($0, to: 0) }) else { return }
      if let bitmap {
        let rows = unsafe UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(bitmap.pixels).prefix(bitmap.byteCount))
        guard unsafe HelperProcess.deliver(rows, to: 0) else { return }
      }
      if let file {
        guard unsafe file.withUnsafeBytes({ unsafe HelperProcess.deliver($0, to: 0) }) else { return }
      }
    }
  }
}
