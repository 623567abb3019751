import BookOutput
import Publications

/// What a child process finds in a book.
struct FoundFeatures: Hashable, Sendable {
  /// As `BookFacts.features`.
  var features: String
  /// Bytes of text, markup and styles; 0 where the book is none that can be read.
  var textBytes: Int
  /// The files beside a page or a text that it asked for, by absolute paths.
  var beside: [String]
}

/// The work of a child process that looks into books, one after the other.
package enum FeatureWorker {
  struct Spec: Codable, Sendable {
    var books: [String]
    var output: String
  }

  package static func run(specPath: String) throws(HarnessError) {
    guard let spec = Files.read(json: specPath, as: Spec.self) else {
      throw HarnessError(64, "\(specPath): there is nothing to look into")
    }
    // A line each, at once: whoever comes after a child that died knows where it was.
    for path in spec.books { try Files.append(line: line(of: look(into: path)), to: spec.output) }
  }

  private static func look(into path: String) -> FoundFeatures {
    guard let book = try? Publication.open(path: path) else {
      return FoundFeatures(features: "", textBytes: 0, beside: [])
    }
    let features = BookFeatures(of: book)
    return FoundFeatures(
      features: features.names.sorted().joined(separator: " "), textBytes: features.textBytes,
      beside: book.filesBeside.map { name, place in place ?? Files.join(OutputFiles.folder(of: path), name) }.sorted())
  }

  static func line(of found: FoundFeatures) -> [UInt8] {
    let beside = found.beside.map { CorpusIndex.escaped($0) }.joined(separator: ",")
    return Array("\(found.textBytes)\t\(found.features)\t\(beside)".utf8)
  }

  static func found(in line: some StringProtocol) -> FoundFeatures? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == 3, let textBytes = Int(fields[0]) else { return nil }
    return FoundFeatures(
      features: String(fields[1]), textBytes: textBytes,
      beside: fields[2].split(separator: ",").map { CorpusIndex.unescaped($0) })
  }
}
