import BookOutput
import Testing

@testable import SnapshotHarness

/// Modules of the engine that the harness may know, and folders that its folders may: the table of `Documentation/architecture.md`.
struct ArchitectureTests {
  private struct Folder {
    var name: String
    /// Modules of the engine beside those that all folders may import.
    var modules: Set<String> = []
  }

  private static let everywhere: Set = ["Platform", "Primitives", "Graphics", "Typesetting", "BookOutput"]
  private static let folders = [
    Folder(name: "Model", modules: ["RasterRendering"]), Folder(name: "System"), Folder(name: "Inputs"),
    Folder(name: "Storage", modules: ["Fonts", "Images", "RasterRendering"]),
    Folder(name: "Reading", modules: ["PDFRendering"]),
    Folder(name: "Comparison", modules: ["RasterRendering"]), Folder(name: "Reports", modules: ["RasterRendering"]),
    Folder(name: "Running", modules: ["Fonts", "Images"]),
    Folder(name: "Reducing", modules: ["CSS", "Markup", "Publications"]),
    Folder(name: "Indexing", modules: ["CSS", "Markup", "Publications", "Styling", "Text"]),
    Folder(name: "Serving"),
  ]

  private static let sources: String = {
    let root = (0..<3).reduce(#filePath) { path, _ in OutputFiles.folder(of: path) }
    return Files.join(root, "Sources")
  }()

  /// The texts of the files of a folder below `Sources`, without comments, by their names.
  private static func code(_ folder: String) -> [(file: String, text: String)] {
    let path = Files.join(sources, folder)
    return Files.walk(path).filter { $0.hasSuffix(".swift") }.map { file in
      let lines = (Files.text(Files.join(path, file)) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      return (folder + "/" + file, code.joined(separator: "\n"))
    }
  }

  private static func words(of text: some StringProtocol) -> [String] {
    text.utf8.split { byte in
      !(0x30...0x39).contains(byte) && !(0x41...0x5A).contains(byte) && !(0x61...0x7A).contains(byte) && byte != 0x5F
    }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func imports(of text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place < 2, place + 1 < words.count else { return nil }
        return String(words[place + 1])
      })
  }

  @Test func `The harness sees the engine through the library and what reads and draws books`() {
    let engine = Set(Files.walk(Self.sources) { _ in true })
    #expect(engine.isSuperset(of: ["Layout", "ChapterEngine", "SnapshotHarness"]))
    for folder in Self.folders {
      let files = Self.code("SnapshotHarness/" + folder.name)
      #expect(!files.isEmpty, "\(folder.name)")
      let allowed = Self.everywhere.union(folder.modules)
      for (file, text) in files {
        let others = Self.imports(of: text).intersection(engine).subtracting(allowed)
        #expect(others.isEmpty, "\(file) imports \(others.sorted())")
      }
    }
  }

  @Test func `The program that sets books has nothing of the harness`() {
    for (file, text) in Self.code("Command") + Self.code("typeset") {
      let others = Self.imports(of: text).filter { $0 == "SnapshotHarness" || $0.hasPrefix("NIO") }
      #expect(others.isEmpty, "\(file) imports \(others.sorted())")
    }
  }

  /// A file names types and functions of its own folder and of those before it.
  @Test func `Folders of the harness are in one order`() {
    let folders = Self.folders.map { Self.code("SnapshotHarness/" + $0.name) }
    let there = Set(Files.walk(Files.join(Self.sources, "SnapshotHarness")) { _ in true })
    #expect(there == Set(Self.folders.map(\.name) + ["Resources"]))
    /// By name: the folder that declares it at the top level of a file.
    var places: [String: Int] = [:]
    let kinds: Set = ["struct", "enum", "class", "protocol", "actor", "func", "typealias"]
    for (place, files) in folders.enumerated() {
      for line in files.flatMap({ $0.text.split(separator: "\n") }) where line.first?.isLetter == true {
        let words = Self.words(of: line)
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { continue }
        if !words[..<kind].contains(where: { $0.hasSuffix("private") }) { places[words[kind + 1]] = place }
      }
    }
    #expect(places["UnitKey"] == 0 && places["WorkerPool"] == 7)
    for (place, files) in folders.enumerated() {
      for (file, text) in files {
        let later = Set(Self.words(of: text)).filter { places[$0].map { $0 > place } ?? false }
        #expect(later.isEmpty, "\(file) names \(later.sorted())")
      }
    }
  }
}
