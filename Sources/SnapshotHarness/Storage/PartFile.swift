import BookOutput
import FoundationEssentials
import Platform

/// A file of entries by name, each with its length and digest in a line before it. The last one is `end`, so that a
/// file that was cut is told from a whole one.
struct PartFile {
  private static let magic = "typeset-part 1\n"
  private static let end = "end"

  /// Writes a file, which appears whole or not at all.
  struct Writer {
    private let file: FileWriter

    init(_ path: String) throws(HarnessError) {
      file = try FileWriter(path)
      try file.write(magic.utf8)
    }

    func append(_ name: String, _ bytes: [UInt8]) throws(HarnessError) {
      try file.write("\(name) \(bytes.count) \(SHA256.hex(bytes))\n".utf8)
      try file.write(bytes)
    }

    func finish() throws(HarnessError) {
      try append(PartFile.end, [])
      try file.finish()
    }
  }

  /// The content of a file, a piece of which is in memory while it is looked at.
  private let data: Data
  private let path: String

  static func isPart(_ path: String) -> Bool {
    guard !Files.isFolder(path),
      let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    else { return false }
    return data.starts(with: magic.utf8)
  }

  init(_ path: String) throws(HarnessError) {
    self.path = path
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else {
      throw HarnessError.missing("\(path): there is no part of a run")
    }
    guard data.starts(with: Self.magic.utf8) else { throw HarnessError.invalid("\(path): it is no part of a run") }
    self.data = data
  }

  /// Goes through the entries in order. Fails for a file that is damaged or cut.
  ///
  /// - Parameter take: `false` ends it.
  func forEach(_ take: (_ name: String, _ bytes: [UInt8]) throws(HarnessError) -> Bool) throws(HarnessError) {
    var place = data.startIndex + Self.magic.utf8.count
    while true {
      let head = data[place...].prefix(4096)
      guard let end = head.firstIndex(of: 0x0A) else { break }
      let words = String(decoding: data[place..<end], as: UTF8.self).split(separator: " ")
      guard words.count == 3, let length = Int(words[1]), length >= 0, data.endIndex - end - 1 >= length else { break }
      let bytes = Array(data[(end + 1)..<(end + 1 + length)])
      guard SHA256.hex(bytes) == words[2] else { break }
      if words[0] == Self.end { return }
      guard try take(String(words[0]), bytes) else { return }
      place = end + 1 + length
    }
    throw HarnessError.invalid("\(path): it is cut or damaged")
  }
}
