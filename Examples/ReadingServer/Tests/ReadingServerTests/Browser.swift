import Dispatch
import Foundation
import Glibc

/// A headless Chromium that does as it is told, over two pipes in the DevTools protocol: no network, no other tool.
final class Browser: @unchecked Sendable {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  // All of the state is used on the queue only.
  private let queue = DispatchQueue(label: "browser")
  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var rest = Data()
  private var number = 0
  private var session: String?
  private var problems: [String] = []

  /// - Parameter profile: A folder for what the browser keeps.
  init(profile: String) throws {
    let (commands, answers) = (try Self.pipe(), try Self.pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // The browser reads commands from 3 and writes answers to 4.
    posix_spawn_file_actions_adddup2(&actions, commands.read, 3)
    posix_spawn_file_actions_adddup2(&actions, answers.write, 4)
    // A server's socket that the browser held on to would keep its port.
    for file in 5..<1024 where fcntl(Int32(file), F_GETFD) >= 0 { _ = fcntl(Int32(file), F_SETFD, FD_CLOEXEC) }
    let arguments = [
      Self.path ?? "", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
      "--user-data-dir=\(profile)", "about:blank",
    ]
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process = pid_t()
    let status = posix_spawn(&process, Self.path ?? "", &actions, nil, &pointers, environ)
    close(commands.read)
    close(answers.write)
    guard status == 0 else { throw Failure(description: "the browser cannot be started") }
    self.process = process
    input = commands.write
    output = answers.read
  }

  deinit {
    close(input)
    close(output)
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// Both ends above the numbers that the browser's are put at, and closed in the browser.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
    defer { for end in ends { close(end) } }
    return (fcntl(ends[0], F_DUPFD_CLOEXEC, 10), fcntl(ends[1], F_DUPFD_CLOEXEC, 10))
  }

  // MARK: Commands

  /// Opens a window of a size in CSS px.
  func openWindow(width: Int, height: Int) async throws {
    let target = try await send("Target.createTarget", ["url": "about:blank"])["targetId"].string ?? ""
    let session = try await send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"].string
    queue.sync { self.session = session }
    for domain in ["Page", "Runtime", "Log"] { try await send("\(domain).enable") }
    try await resize(width: width, height: height)
  }

  func resize(width: Int, height: Int, scale: Int = 1, isPhone: Bool = false) async throws {
    try await send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": isPhone])
    try await send("Emulation.setTouchEmulationEnabled", ["enabled": isPhone])
  }

  func open(_ address: String) async throws {
    let answer = try await send("Page.navigate", ["url": address])
    if let error = answer["errorText"].string { throw Failure(description: "\(address): \(error)") }
  }

  /// The value of a JavaScript expression.
  @discardableResult
  func value(_ expression: String) async throws -> JSON {
    let answer = try await send(
      "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let text = answer["exceptionDetails"]["exception"]["description"].string { throw Failure(description: text) }
    return answer["result"]["value"]
  }

  /// Waits until an expression is true.
  func wait(_ condition: String, seconds: Double = 30) async throws {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if (try? await value("!!(\(condition))"))?.value as? Bool == true { return }
      try await Task.sleep(for: .milliseconds(60))
    }
    throw Failure(description: "not within \(Int(seconds)) s: \(condition)")
  }

  /// The paragraphs as screen readers are told of them; `|` stands for what is a part of its own in them.
  func paragraphs() async throws -> [String] {
    let nodes = try await send("Accessibility.getFullAXTree")["nodes"].array
    let byID = Dictionary(nodes.map { ($0["nodeId"].string ?? "", $0) }) { first, _ in first }
    func text(_ node: JSON) -> String {
      node["childIds"].array.compactMap { byID[$0.string ?? ""] }.map { child in
        if child["ignored"].value as? Bool == true { return text(child) }
        return child["role"]["value"].string == "StaticText"
          ? child["name"]["value"].string ?? "" : "|" + text(child) + "|"
      }.joined()
    }
    return nodes.filter { $0["role"]["value"].string == "paragraph" }.map(text)
  }

  /// The roles and names of what screen readers are told of an element, in order; text is left out.
  func roles(below selector: String) async throws -> [String] {
    let document = try await send("Runtime.evaluate", ["expression": "document.querySelector('\(selector)')"])
    let id = document["result"]["objectId"].string ?? ""
    let nodes = try await send("Accessibility.queryAXTree", ["objectId": id])["nodes"].array
    return nodes.filter { $0["ignored"].value as? Bool != true }.compactMap { node in
      let role = node["role"]["value"].string ?? ""
      if ["StaticText", "InlineTextBox", "generic", "none"].contains(role) { return nil }
      let name = node["name"]["value"].string ?? ""
      return name.isEmpty ? role : "\(role) \(name)"
    }
  }

  func press(_ key: String, shift: Bool = false) async throws {
    let codes = ["ArrowLeft": 37, "ArrowRight": 39, "Escape": 27, "Enter": 13]
    var event: [String: Any] = ["key": key, "windowsVirtualKeyCode": codes[key] ?? 0]
    if key.count == 1 { event["text"] = key }
    if shift { event["modifiers"] = 8 }
    for type in ["keyDown", "keyUp"] {
      event["type"] = type
      try await send("Input.dispatchKeyEvent", event)
    }
  }

  func write(_ text: String) async throws { try await send("Input.insertText", ["text": text]) }

  /// Presses the mouse, moves it, and lets it go.
  func drag(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) async throws {
    let middle = (x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
    for (type, point) in [
      ("mousePressed", start), ("mouseMoved", middle), ("mouseMoved", end), ("mouseReleased", end),
    ] {
      try await send(
        "Input.dispatchMouseEvent",
        ["type": type, "x": point.x, "y": point.y, "button": "left", "buttons": 1, "clickCount": 1])
    }
  }

  /// A finger goes over the screen.
  func swipe(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) async throws {
    try await send("Input.dispatchTouchEvent", ["type": "touchStart", "touchPoints": [["x": start.x, "y": start.y]]])
    try await send("Input.dispatchTouchEvent", ["type": "touchMove", "touchPoints": [["x": end.x, "y": end.y]]])
    try await send("Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": [] as [Any]])
  }

  func tap(_ point: (x: Double, y: Double)) async throws {
    try await send("Input.dispatchTouchEvent", ["type": "touchStart", "touchPoints": [["x": point.x, "y": point.y]]])
    try await send("Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": [] as [Any]])
  }

  func picture() async throws -> Data {
    let text = try await send("Page.captureScreenshot", ["format": "png"])["data"].string ?? ""
    return Data(base64Encoded: text) ?? Data()
  }

  /// Complaints of the page: errors of scripts, violations of its own security policy, answers that say no.
  var complaints: [String] { queue.sync { problems } }

  // MARK: The protocol

  @discardableResult
  private func send(_ method: String, _ parameters: [String: Any] = [:]) async throws -> JSON {
    let message = try JSONSerialization.data(withJSONObject: ["method": method, "params": parameters])
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.exchange(message) }) }
    }
  }

  private func exchange(_ message: Data) throws -> JSON {
    number += 1
    var command = try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
    command["id"] = number
    if let session { command["sessionId"] = session }
    try put(try JSONSerialization.data(withJSONObject: command) + [0])
    while true {
      let answer = JSON(try JSONSerialization.jsonObject(with: try next()))
      note(answer)
      guard answer["id"].number == Double(number) else { continue }
      if let problem = answer["error"]["message"].string { throw Failure(description: problem) }
      return answer["result"]
    }
  }

  private func note(_ event: JSON) {
    switch event["method"].string {
    case "Runtime.exceptionThrown": problems.append(event["params"]["exceptionDetails"].text)
    case "Log.entryAdded" where event["params"]["entry"]["level"].string == "error":
      problems.append(event["params"]["entry"].text)
    default: break
    }
  }

  private func put(_ data: Data) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(description: "the browser has gone") }
      rest = rest.dropFirst(count)
    }
  }

  /// The next message, up to its zero.
  private func next() throws -> Data {
    while true {
      if let end = rest.firstIndex(of: 0) {
        let message = rest[rest.startIndex..<end]
        rest = Data(rest[(end + 1)...])
        return Data(message)
      }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 60_000) > 0 else { throw Failure(description: "the browser does not answer") }
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
        count = max(0, read(output, buffer.baseAddress, buffer.count))
      }
      guard !chunk.isEmpty else { throw Failure(description: "the browser has gone") }
      rest += chunk
    }
  }
}
