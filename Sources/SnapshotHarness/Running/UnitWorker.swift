import BookOutput
import Fonts
import FoundationEssentials
import Platform
import Primitives
import Typesetting

/// All that a unit's result depends on but the binary: what a child is given.
package struct UnitSpec: Hashable, Codable, Sendable {
  package var key: UnitKey
  package var book: CorpusBook
  package var profile: Profile
  package var fonts: FontSet
  /// The folder to write to, which is there and empty.
  package var output: String
  /// The folder that blobs go to.
  package var blobs: String
  package var cacheKey: String
  /// Workers inside the child.
  package var jobs = 1
  /// The pixels of all pages are hashed, and not of a sample alone; nil is no.
  package var drawsAllPages: Bool?

  /// The key of a unit of a run.
  static func cacheKey(_ book: CorpusBook, _ profile: Profile, of manifest: RunManifest) -> String {
    cacheKey(
      book: book, profile: profile, fonts: manifest.fonts, binary: manifest.binary,
      libraries: manifest.versions.libraries, drawsAllPages: manifest.drawsAllPages == true)
  }

  private static let hyphenation = EngineVersion.hyphenationPatterns
  private static let installedFonts = InstalledFonts.state

  /// A key of the cache: book, profile, fonts, binary and the libraries that it loads (snapshot harness, 9.6).
  ///
  /// The binary is known by its own checksum and not by the digest of the engine's sources: the compiler, its flags and what is
  /// linked in are part of it.
  static func cacheKey(
    book: CorpusBook, profile: Profile, fonts: FontSet, binary: String, libraries: [String: String],
    drawsAllPages: Bool = false
  ) -> String {
    var profile = profile
    // The rules by which pages are compared do not make them other pages.
    profile.tolerance = nil
    profile.masks = nil
    struct Inputs: Encodable {
      var book: String
      var profile: Profile
      var fonts: [String: String]
      var generic: [String?]
      var binary: String
      var libraries: [String: String]
      var schema: Int
      var hyphenation: UInt64
      var drawsAllPages: Bool
      /// The machine's fonts, where pages may be set in any of them.
      var installed: UInt64
      /// The settings of the dynamic linker for libraries.
      var loading: [String?]
    }
    let environment = ProcessInfo.processInfo.environment
    let inputs = Inputs(
      book: book.hash, profile: profile, fonts: fonts.versions, generic: [fonts.serif, fonts.sans, fonts.mono],
      binary: binary, libraries: libraries, schema: UnitFile.currentSchema, hyphenation: hyphenation,
      drawsAllPages: drawsAllPages, installed: fonts.folder == nil ? installedFonts : 0,
      loading: ["LD_PRELOAD", "LD_LIBRARY_PATH"].map { environment[$0] })
    return SHA256.hex(Files.json(inputs))
  }
}

/// The work of a child process: one book under one profile.
package enum UnitWorker {
  static let statisticsName = "statistics.json"

  /// Sets the book of a spec and writes what came of it. Everything that can be told is told in the result; only a disk that
  /// cannot be written ends with an error.
  package static func run(specPath: String) throws(HarnessError) {
    guard let spec = Files.read(json: specPath, as: UnitSpec.self) else {
      throw HarnessError(64, "\(specPath): there is no unit to render")
    }
    let instructions = WorkCounter(.instructions)
    let recorder = try UnitRecorder(folder: spec.output, blobs: BlobStore(spec.blobs))
    recorder.mark("open", chapter: "")
    let statistics = Files.join(spec.output, statisticsName)
    var options = options(of: spec)
    options.outputs = [recorder]
    options.statistics = .file(statistics)
    let told = spec.profile.writings ?? .nothing
    let writings = told == .nothing ? nil : BookWritings(in: spec.output, writesPDF: told == .pdf)
    writings?.ask(of: &options)
    let run = BookRun(options).run()

    var result = UnitResult(key: spec.key, title: run.title, language: run.language)
    result.warnings = warnings(run.diagnostics)
    result.outcome = result.warnings.isEmpty ? .ok : .okWithWarnings
    if let error = run.error {
      switch error.kind {
      case .unreadable, .protected, .missing, .nonconforming: result.outcome = .rejected
      case .limit: result.outcome = .limit
      case .unwritable, .unavailable, .interrupted: throw HarnessError(error)
      }
      let place = UnitRecorder.place(in: spec.output)
      result.failure = UnitFailure(
        phase: place.phase, chapter: error.part.isEmpty ? place.chapter : error.part, exitCode: Int(error.exitCode),
        message: error.reason)
    }
    if let values = Files.read(json: statistics, as: [String: Double].self) { result.statistics = values }
    result.statistics[Figures.instructions] = instructions?.count
    var kept = try recorder.finish()
    let beyond = result.outcome.isSuccess ? try writings?.read(spec.book.path, &kept.pages) : nil
    writings?.remove()
    try Files.write(PageHashFile.text(kept.pages), to: Files.join(spec.output, UnitFile.pagesName))
    for name in [statisticsName, UnitRecorder.journalName] {
      Files.remove(Files.join(spec.output, name))
    }
    var file = UnitFile(cacheKey: spec.cacheKey, result: result, faces: kept.faces, images: kept.images)
    file.beyond = beyond
    recorder.mark("draw", chapter: "")
    let unit = StoredUnit(
      file: file, profile: spec.profile, hashes: PageHashFile.text(kept.pages), blobs: BlobStore(spec.blobs),
      frames: FrameSource { [Files.join(spec.output, $0.name)] })
    file.pixels = PageSample.draw(unit, displays: spec.drawsAllPages == true ? nil : recorder.sample())
    // Decoders are loaded when they are needed. Faces were chosen by fontconfig, whether it was asked now or its answers were kept.
    _ = FontLibraryVersions.hasFontconfig
    let folder = OutputFiles.folder(of: spec.book.path)
    file.libraries = unhashed(LoadedLibraries.paths + kept.faces.compactMap(\.path))
    file.beside = unhashed(run.filesBeside.map { path, place in place ?? Files.join(folder, path) })
    Files.remove(Files.join(spec.output, UnitRecorder.placeName))
    try Files.write(
      json: file,
      to: Files.join(spec.output, UnitFile.resultName))
  }

  private static func options(of spec: UnitSpec) -> RunOptions {
    var options = RunOptions(input: spec.book.path)
    options.bounds.endsProcess = true
    options.settings = spec.profile.settings
    spec.fonts.apply(to: &options.settings)
    options.jobs = spec.jobs
    // The harness's own limits come first; these tell which one it was where the engine can still stop by itself.
    options.bounds.memory = spec.book.limits.memory
    options.bounds.seconds = spec.book.limits.seconds
    return options
  }

  /// Files whose hashes the parent finds out.
  private static func unhashed(_ paths: [String]) -> [String: String] {
    Dictionary(paths.map { ($0, "") }, uniquingKeysWith: { first, _ in first })
  }

  /// Warnings as the command line words them, each once, in order.
  private static func warnings(_ sink: DiagnosticSink) -> [String] {
    var seen = Set<String>()
    var lines: [String] = []
    for diagnostic in sink.diagnostics
    where diagnostic.severity != .note && !BookWritings.warnings.contains(diagnostic.code) {
      let line = diagnostic.placePrefix + diagnostic.message
      if lines.count < 200, seen.insert(line).inserted { lines.append(line) }
    }
    return lines
  }
}
