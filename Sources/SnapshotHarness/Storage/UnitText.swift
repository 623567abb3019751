import FoundationEssentials

/// A unit of a baseline as text for Git.
///
/// The first line has the number of bytes behind it and their SHA-256, so that a file which was cut, emptied or put together by
/// a merge is never taken for what somebody recorded; two branches that move the same unit meet in that line. Then come lines
/// of `name json`: the book's hash, memory and counters, the result, the faces and the images, one each, so that a change of one
/// is a change of one line. Behind a line of its own come the hashes of pages. Nothing in them depends on the machine.
enum UnitText {
  /// 1 had neither digest nor the book's hash, 2 no pixels, 3 no figures, 4 and 5 hashes of whole records and none of
  /// what pages are in a PDF. They can be read, and are written no more.
  static let currentSchema = UnitFile.currentSchema

  struct Fault: Error, Hashable {
    var reason: String
  }

  private static let separator = Array("---\n".utf8)
  private static let name = "typeset-snapshot"

  static func text(_ file: UnitFile, _ pages: [PageHashes]) -> [UInt8] {
    let body = body(file, pages)
    return Array("\(name) \(currentSchema) \(body.count) \(SHA256.hex(body))\n".utf8) + body
  }

  private static func body(_ file: UnitFile, _ pages: [PageHashes]) -> [UInt8] {
    var lines: [UInt8] = []
    func append(_ name: String, _ value: some Encodable) { lines += Array((name + " ").utf8) + Files.json(value) }
    if let book = file.book { lines += "book \(book)\n".utf8 }
    var result = file.result
    result.statistics = [:]
    append("figures", file.result.statistics)
    append("result", result)
    for var face in file.faces {
      face.path = nil
      append("face", face)
    }
    for image in file.images { append("image", image) }
    for drawn in file.pixels ?? [] { lines += "pixels \(drawn.page) \(drawn.pixels)\n".utf8 }
    if let beyond = file.beyond { lines += "beyond \(beyond)\n".utf8 }
    if !file.comparesRecords { lines += "form \(file.schema)\n".utf8 }
    return lines + separator + PageHashFile.text(pages)
  }

  /// The identity of a unit: all that comparisons compare of it, whether it lies in a store or in a run.
  static func identity(_ file: UnitFile, hashes: [UInt8]) -> String {
    var result = file.result
    result.key = UnitKey(book: "", profile: result.key.profile)
    result.pages = []
    result.statistics = [:]
    // The place that a child had reached when it was stopped, and its message, differ from run to run.
    result.failure?.message = ""
    result.failure?.reached = nil
    let pixels = file.pixels.map { Files.json($0) } ?? []
    let beyond = Array((file.beyond ?? "").utf8)
    return String(SHA256.hex(Files.json(result) + hashes + pixels + beyond).prefix(16))
  }

  static func parse(_ bytes: [UInt8]) -> Result<(file: UnitFile, hashes: [UInt8]), Fault> {
    do throws(Fault) { return .success(try read(bytes)) } catch { return .failure(error) }
  }

  private static func read(_ bytes: [UInt8]) throws(Fault) -> (file: UnitFile, hashes: [UInt8]) {
    guard !bytes.isEmpty else { throw Fault(reason: "it is empty; \(remedy)") }
    if let line = conflict(bytes) {
      throw Fault(reason: "line \(line): a merge left a conflict; take one side, or \(remedy)")
    }
    guard let end = bytes.firstIndex(of: 0x0A) else { throw Fault(reason: "it is cut; \(remedy)") }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.first == name[...], words.count > 1, let schema = Int(words[1]) else {
      throw Fault(reason: "it is no unit of a baseline; \(remedy)")
    }
    guard schema <= currentSchema else { throw Fault(reason: "a newer typeset wrote it") }
    let body = bytes[(end + 1)...]
    if schema >= 2 {
      guard words.count == 4, let count = Int(words[2]) else {
        throw Fault(reason: "its first line is damaged; \(remedy)")
      }
      if body.count < count { throw Fault(reason: "it is cut; \(remedy)") }
      guard body.count == count, SHA256.hex(Array(body)) == words[3] else {
        throw Fault(reason: "it is not what was recorded: a merge or another hand has changed it; \(remedy)")
      }
    }
    guard let unit = parse(body: body, schema: schema) else { throw Fault(reason: "it is damaged; \(remedy)") }
    return unit
  }

  private static let remedy = "typeset snapshot record, with --only and its name, records it anew"

  /// The first line that Git marks a conflict with.
  private static func conflict(_ bytes: [UInt8]) -> Int? {
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      for mark in ["<<<<<<< ", "=======", ">>>>>>> "] where line.starts(with: mark.utf8) { return index + 1 }
    }
    return nil
  }

  private static func parse(body: ArraySlice<UInt8>, schema: Int) -> (file: UnitFile, hashes: [UInt8])? {
    let decoder = JSONDecoder()
    var file: UnitFile?
    var book: String?
    var pixels: [DrawnPage] = []
    var form = schema
    var figures: [String: Double] = [:]
    var start = body.startIndex
    while start < body.endIndex {
      guard let end = body[start...].firstIndex(of: 0x0A).map({ $0 + 1 }) else { return nil }
      let line = body[start..<end]
      if line.elementsEqual(separator) {
        guard var file, let pages = PageHashFile.pages(Array(body[end...])) else { return nil }
        file.schema = form
        file.book = book
        if schema >= 3 { file.pixels = pixels }
        file.result.statistics = figures
        return (file, PageHashFile.text(pages))
      }
      let parts = line.dropLast().split(separator: 0x20, maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let data = Data(parts[1])
      switch String(decoding: parts[0], as: UTF8.self) {
      case "book": book = String(decoding: parts[1], as: UTF8.self)
      case "figures":
        guard let known = try? decoder.decode([String: Double].self, from: data) else { return nil }
        figures = known
      case "result":
        guard file == nil, let result = try? decoder.decode(UnitResult.self, from: data) else { return nil }
        file = UnitFile(cacheKey: "", result: result)
      case "face":
        guard let face = try? decoder.decode(DrawnFace.self, from: data) else { return nil }
        file?.faces.append(face)
      case "image":
        guard let image = try? decoder.decode(DrawnImage.self, from: data) else { return nil }
        file?.images.append(image)
      case "pixels":
        let words = String(decoding: parts[1], as: UTF8.self).split(separator: " ")
        guard words.count == 2, let page = Int(words[0]) else { return nil }
        pixels.append(DrawnPage(page: page, pixels: String(words[1])))
      // Pages of an older form whose figures were written anew.
      case "form":
        guard let known = Int(String(decoding: parts[1], as: UTF8.self)) else { return nil }
        form = known
      case "beyond": file?.beyond = String(decoding: parts[1], as: UTF8.self)
      // What pages were handed over to a PDF as, in an older form.
      case "tags": break
      default: return nil
      }
      start = end
    }
    return nil
  }
}
