import FoundationEssentials
import Platform
import Synchronization

/// What has been rendered by anybody, by what it was made from (snapshot harness, 9.8): a folder of objects that
/// machines share.
///
/// A unit has two objects, both named by its cache key: `units/` has its result and the hashes of its pages, which is
/// all that comparing equal pages takes; `pages/` has the data of its pages, and its fonts and images, and is read
/// when somebody looks at them. An object is compressed, and has its name and the digest of its content in its first
/// line: one that is damaged, cut or of another name counts as absent. It appears whole or not at all, so a second
/// writer does no harm.
package final class UnitCache: Sendable {
  package let folder: String
  private struct State {
    var stored: [String] = []
    var faults = 0
    var firstFault = ""
  }
  private let state = Lock(State())

  package init(_ folder: String) { self.folder = Files.absolute(folder) }

  enum Kind: String {
    case units
    case pages
  }

  /// The place of an object below the folder.
  static func name(_ kind: Kind, _ key: String) -> String { "\(kind.rawValue)/\(key.prefix(2))/\(key)" }

  func contains(_ kind: Kind, _ key: String) -> Bool { Files.exists(Files.join(folder, Self.name(kind, key))) }

  // MARK: Objects

  /// What an object is sealed as.
  private static func seal(_ kind: Kind, _ key: String) -> String { "typeset-\(kind.rawValue) 2 \(key)" }

  /// - Returns: The content of an object; nil where there is none that is whole and of this name.
  private func read(_ kind: Kind, _ key: String) -> [UInt8]? {
    Files.read(Files.join(folder, Self.name(kind, key))).flatMap { SealedBytes.open($0, as: Self.seal(kind, key)) }
  }

  /// Writes an object. What cannot be written is told at the end, and is no fault of the unit.
  private func write(_ kind: Kind, _ key: String, _ body: [UInt8]) -> Bool {
    let path = Files.join(folder, Self.name(kind, key))
    // Of machines that share a folder several may have a process of this number.
    let temporary = "\(path).tmp-\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    do throws(HarnessError) {
      try Files.write(SealedBytes.seal(body, as: Self.seal(kind, key)), to: temporary)
      try Files.rename(temporary, to: path)
      state.withLock { $0.stored.append(Self.name(kind, key)) }
      return true
    } catch {
      Files.remove(temporary)
      note(error.description)
      return false
    }
  }

  /// Counts what could not be kept.
  func note(_ fault: String) {
    state.withLock { state in
      if state.faults == 0 { state.firstFault = fault }
      state.faults += 1
    }
  }

  /// Objects that this process wrote, by their places below the folder.
  var stored: [String] { state.withLock { $0.stored } }

  /// That something could not be kept, in a line; nil for nothing.
  package var fault: String? {
    state.withLock { state in
      state.faults == 0
        ? nil : "\(state.firstFault); \(state.faults.counting("object")) could not be kept in the cache"
    }
  }

  // MARK: Units

  private struct Unit: Codable {
    /// Without libraries, whose hashes would be half of the object, and without what its name says or the reader knows.
    var file: UnitFile
    /// The paths of libraries, and a digest of their hashes in this order.
    var libraries: [String]
    var librariesDigest: String
    var hashes: String
    /// Bytes of the object of pages.
    var pages: Int
  }

  /// A unit that somebody has rendered from what the key names, with libraries and files beside the book as they are
  /// here; nil where there is none.
  ///
  /// - Parameter seesPages: `true` where its pages have to be in the folder, too.
  func unit(_ key: String, of book: CorpusBook, as unitKey: UnitKey, seesPages: Bool) -> (UnitFile, hashes: [UInt8])? {
    guard let body = read(.units, key),
      let bytes = Zstd.decompress(body.span, dictionary: UnitDictionary.bytes),
      var unit = try? JSONDecoder().decode(Unit.self, from: Data(bytes))
    else { return nil }
    let hashes = Array(unit.hashes.utf8)
    guard PageHashFile.pages(hashes) != nil,
      !seesPages || Files.size(Files.join(folder, Self.name(.pages, key))) == unit.pages
    else { return nil }
    unit.file.beside = Self.moved(unit.file.beside) { $0.hasPrefix("/") ? $0 : Files.join(book.folder, $0) }
    let libraries = LoadedLibraries.libraryHashes(of: unit.libraries)
    unit.file.libraries = libraries
    guard Self.digest(libraries) == unit.librariesDigest,
      unit.file.beside.map(LoadedLibraries.areThere) ?? !book.mayHaveFilesBeside
    else { return nil }
    unit.file.cacheKey = key
    // The same book may have another name here.
    unit.file.result.key = unitKey
    unit.file.contents = [UnitFile.pagesName: FileSeal(hashes)]
    return (unit.file, hashes)
  }

  private static func moved(_ files: [String: String]?, _ place: (String) -> String) -> [String: String]? {
    files.map { Dictionary($0.map { (place($0.key), $0.value) }, uniquingKeysWith: { first, _ in first }) }
  }

  private static func digest(_ hashes: [String: String]) -> String {
    SHA256.hex(Array(hashes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined().utf8))
  }

  /// The outcome says something of the book and nothing of the machine that it was found on.
  private static func isLasting(_ outcome: UnitOutcome) -> Bool { outcome.isSuccess || outcome == .rejected }

  /// Keeps a unit of a run for all.
  func keep(_ file: UnitFile, of book: CorpusBook, in run: RunFolder) {
    guard Self.isLasting(file.result.outcome), !file.cacheKey.isEmpty else { return }
    guard let pages = UnitArchive.bytes(of: file, in: run, isWhole: false) else {
      return note("\(file.result.key): its pages cannot be read")
    }
    // Pages come first: who sees a unit may ask for them.
    guard write(.pages, file.cacheKey, pages) else { return }
    var file = file
    let start = book.folder + "/"
    file.beside = Self.moved(file.beside) { $0.hasPrefix(start) ? String($0.dropFirst(start.count)) : $0 }
    let key = file.result.key
    let libraries = file.libraries ?? [:]
    let pageCount = SealedBytes.count(pages.count, as: Self.seal(.pages, file.cacheKey))
    let name = file.cacheKey
    file.result.pages = []
    file.result.key = UnitKey(book: "", profile: "")
    file.libraries = nil
    file.contents = nil
    file.cacheKey = ""
    let unit = Unit(
      file: file, libraries: libraries.keys.sorted(), librariesDigest: Self.digest(libraries),
      hashes: String(decoding: run.hashBytes(key), as: UTF8.self), pages: pageCount)
    _ = write(.units, name, Zstd.compress(Files.json(unit), level: 19, dictionary: UnitDictionary.bytes))
  }

  // MARK: Pages

  /// Gives a unit of a run the data of its pages.
  ///
  /// - Returns: `false` where there is none that is whole.
  func restorePages(of file: UnitFile, in run: RunFolder) -> Bool {
    let key = file.result.key
    guard let archive = read(.pages, file.cacheKey) else { return false }
    var file = file
    file.result.pages = []
    do throws(HarnessError) {
      guard let packs = try UnitArchive.unpack(archive, as: key, into: run) else { return false }
      file.contents?.merge(packs) { $1 }
      try Files.write(json: file, to: Files.join(run.unitPath(key), UnitFile.resultName))
      return true
    } catch {
      note(error.description)
      return false
    }
  }
}

extension UnitFile {
  /// The unit was found by its hashes, and the data of its pages lie in a cache.
  var isWithoutPages: Bool {
    guard let contents, let seal = contents[Self.pagesName] else { return false }
    return seal.bytes > 0 && !contents.keys.contains { FrameKind.display.isName($0) }
  }
}
