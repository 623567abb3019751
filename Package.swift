// swift-tools-version: 6.2
import PackageDescription

/// The language settings every Swift target shares.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The invariants of layout are checked in debug builds, which the tests run (`LayoutChecks`).
let checks: [SwiftSetting] = [.define("CHECK_LAYOUT", .when(configuration: .debug))]

/// Unsafe code is marked, and types of the engine may hold and lend spans (`@_lifetime`).
let safe: [SwiftSetting] = [.strictMemorySafety(), .enableExperimentalFeature("Lifetimes")]

/// A system library that Debian packages and `pkg-config` knows.
func system(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A system library that is loaded when it is first called.
func loaded(_ name: String) -> Target {
  .target(name: name, dependencies: ["CLoading"], path: "Sources/System/\(name)")
}

/// A Swift module of the engine. Its dependencies are all modules whose declarations it names.
func module(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: (["Platform", "Cairo"].contains(name) ? [] : ["Platform"]) + dependencies,
    path: "Sources/\(name)",
    resources: resources,
    swiftSettings: strict + checks + safe, plugins: plugins)
}

/// What reads the command line.
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine", "SnapshotServer"]))

/// A product of SwiftNIO, by which reports are served.
func server(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-nio", condition: .when(traits: ["SnapshotServer"]))
}

/// The tests of one module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "Platform", "TestSupport"] + dependencies,
    path: "Tests/\(name)Tests", swiftSettings: strict)
}

let package = Package(
  name: "typeset",
  products: [
    .library(name: "Typesetting", targets: ["Typesetting", "Graphics", "Primitives"]),
    // For `make library`, which links it into libtypeset.so.1.
    .library(name: "typeset-objects", type: .static, targets: ["TypesetLibrary"]),
    .executable(name: "typeset", targets: ["typeset"]),
    .executable(name: "typeset-snapshot", targets: ["typeset-snapshot"]),
  ],
  // A package that uses the library alone says `traits: []`, and has neither an argument parser nor a server to fetch. At most one is
  // enabled: the package manager passes several to the compiler in an order of chance, and another order compiles everything again.
  traits: [
    .default(enabledTraits: ["SnapshotServer"]),
    .trait(name: "CommandLine", description: "The program `typeset` alone."),
    .trait(name: "SnapshotServer", description: "Both programs; `typeset-snapshot` serves reports."),
  ],
  // What the programs are linked with, in exact versions: equal sources give equal programs.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    // Row 0: libraries of the system
    system("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    system("CFreeType", pkgConfig: "freetype2", apt: "libfreetype-dev"),
    system("CHarfBuzz", pkgConfig: "harfbuzz", apt: "libharfbuzz-dev"),
    system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
    .target(name: "CLoading", path: "Sources/System/CLoading"),
    loaded("CCairo"),
    loaded("CFontconfig"),
    loaded("CLibZip"),
    loaded("CPCRE"),
    loaded("CYAML"),
    .target(name: "CIsolation", path: "Sources/System/CIsolation"),
    .target(name: "CKindle", dependencies: ["CIsolation", "CLoading"], path: "Sources/System/CKindle"),
    .target(name: "CMarkdown", dependencies: ["CIsolation", "CLoading"], path: "Sources/System/CMarkdown"),
    .target(name: "CProcess", path: "Sources/System/CProcess"),
    .target(name: "CMemory", path: "Sources/System/CMemory"),
    .target(name: "CSpawn", path: "Sources/System/CSpawn"),
    loaded("CUnicode"),
    loaded("CTransliteration"),
    .target(name: "CTypeset", path: "Sources/System/CTypeset"),
    .target(
      name: "CImageCodecs", dependencies: ["CIsolation", "CLoading"], path: "Sources/System/CImageCodecs",
      linkerSettings: [.linkedLibrary("png"), .linkedLibrary("deflate")]),

    // Row 0b: the operating system. Every module may import it.
    module("Platform", ["CMemory", "CSpawn"]),

    // Row 1
    module("Primitives", []),

    // Row 2
    module("Markup", ["Primitives", "CLibXML2", "CPCRE", "CUnicode"]),
    module("CSS", ["Primitives"]),
    // What files kept between runs know the code by that made them: indexes of patterns, and of fonts.
    module("Text", ["Primitives", "CSS", "CUnicode"], plugins: ["EngineBuild"]),
    module(
      "Fonts", ["Primitives", "CDeflate", "CFreeType", "CHarfBuzz", "CFontconfig"],
      plugins: ["EngineBuild"]),
    module("Graphics", ["Primitives"]),
    module("Cairo", ["CCairo"]),

    // Row 3
    module(
      "Publications", ["Primitives", "Markup", "CDeflate", "CKindle", "CLibZip", "CMarkdown", "CZlib"]),
    module(
      "Styling", ["Primitives", "Markup", "CSS"],
      resources: [
        .embedInCode("Resources/user-agent.css"), .embedInCode("Resources/forms.css"),
        .embedInCode("Resources/media.css"), .embedInCode("Resources/drawings.css"),
        .embedInCode("Resources/mathematics.css"), .embedInCode("Resources/house.css"),
        .embedInCode("Resources/furniture.css"),
      ]),
    module("Shaping", ["Primitives", "CSS", "Text", "Fonts", "CHarfBuzz"]),
    module("ImageCodecs", ["Primitives", "Graphics", "CImageCodecs"]),
    module(
      "Drawings", ["Primitives", "CSS", "Graphics", "Cairo", "ImageCodecs", "CImageCodecs", "CCairo", "CFreeType"]),
    module("Images", ["Primitives", "Graphics", "ImageCodecs", "Drawings", "CImageCodecs"]),

    // Row 4
    module(
      "RasterRendering",
      ["Primitives", "Graphics", "Fonts", "Cairo", "ImageCodecs", "Images", "CFreeType", "CCairo", "CImageCodecs"]),

    // Row 4b
    module(
      "PDFRendering",
      [
        "Primitives", "Graphics", "Fonts", "ImageCodecs", "Drawings", "Images", "RasterRendering", "CDeflate",
        "CImageCodecs",
      ]),

    // Row 5
    module(
      "BoxGeneration",
      ["Primitives", "Markup", "CSS", "Styling", "Text", "Fonts", "Graphics", "ImageCodecs", "Drawings"]),

    // Row 6
    module(
      "Layout",
      [
        "Primitives", "CSS", "Styling", "Text", "Fonts", "Graphics", "Shaping", "ImageCodecs", "Images",
        "BoxGeneration",
      ]),

    // Row 7
    module(
      "Painting",
      [
        "Primitives", "Markup", "CSS", "Styling", "Text", "Fonts", "Graphics", "Drawings", "Images", "BoxGeneration",
        "Layout",
      ]),

    // Row 8
    module(
      "ChapterEngine",
      [
        "Primitives", "Markup", "CSS", "Text", "Fonts", "Graphics", "Publications", "Styling", "Shaping", "ImageCodecs",
        "Drawings", "Images", "RasterRendering", "PDFRendering", "BoxGeneration", "Layout", "Painting",
      ]),

    // Row 8b
    module(
      "BookEngine",
      [
        "Primitives", "Fonts", "Graphics", "Publications", "Shaping", "Images", "PDFRendering", "Layout",
        "ChapterEngine",
      ]),

    // Row 9
    module(
      "Typesetting",
      [
        "Primitives", "Markup", "CSS", "Text", "Fonts", "Graphics", "Publications", "Styling", "Drawings",
        "ImageCodecs", "Images",
        "RasterRendering", "PDFRendering", "BoxGeneration", "Layout", "Painting", "ChapterEngine", "BookEngine",
        "CTransliteration",
      ],
      // What saved page directories know the engine by.
      plugins: ["EngineBuild"]),
    .plugin(name: "EngineBuild", capability: .buildTool()),

    // Row 10
    module(
      "BookOutput",
      [
        "Primitives", "Markup", "CSS", "Text", "Fonts", "Graphics", "Publications", "Styling", "ImageCodecs", "Images",
        "RasterRendering", "PDFRendering", "BoxGeneration", "Layout", "Painting", "ChapterEngine", "BookEngine",
        "Typesetting", "CYAML",
      ]),

    // Row 10b: the library for C (typeset.h). What it is given and gives are pointers throughout.
    .target(
      name: "TypesetLibrary", dependencies: ["Platform", "Primitives", "Graphics", "Typesetting", "CTypeset"],
      path: "Sources/TypesetLibrary", swiftSettings: strict),

    // Row 11
    module(
      "SnapshotHarness",
      [
        "Primitives", "CSS", "Markup", "Styling", "Text", "Publications", "Graphics", "Fonts", "Images",
        "RasterRendering", "PDFRendering", "Typesetting", "BookOutput", "CZlib", "CZstd", "CYAML", "CProcess",
        server("NIOCore"),
        server("NIOPosix"),
        server("NIOHTTP1"),
      ],
      resources: [
        .embedInCode("Resources/report.html"), .embedInCode("Resources/report.css"),
        .embedInCode("Resources/report.js"), .embedInCode("Resources/review.js"),
      ]),

    // Row 12
    module(
      "Command",
      ["Primitives", "Markup", "PDFRendering", "Typesetting", "BookOutput", "CProcess", argumentParser]),

    // Row 13
    .executableTarget(
      name: "typeset", dependencies: ["Command"],
      path: "Sources/typeset", exclude: ["functions.ld", "functions.order", "functions.proftext"], swiftSettings: strict
    ),
    .executableTarget(
      name: "typeset-snapshot",
      dependencies: ["Platform", "Typesetting", "BookOutput", "SnapshotHarness", "Command", argumentParser],
      path: "Sources/typeset-snapshot", swiftSettings: strict),

    // Tests
    .target(name: "TestFonts", path: "Tests/Support/TestFonts", exclude: ["fontconfig"]),
    .target(
      name: "TestSupport",
      dependencies: [
        "Primitives", "Markup", "CSS", "Text", "Fonts", "Graphics", "Publications", "Styling", "Shaping", "ImageCodecs",
        "Images",
        "RasterRendering", "BoxGeneration", "Layout", "Painting", "Platform", "ChapterEngine", "Typesetting",
        "BookOutput", "TestFonts", "CCairo", "CFontconfig", "CImageCodecs", "CLibZip", "CYAML",
      ], path: "Tests/Support/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "CaseTests", dependencies: ["Primitives", "TestSupport"], path: "Tests/CaseTests", swiftSettings: strict),
    // Runs the program that the build puts beside the tests.
    .testTarget(
      name: "CommandTests", dependencies: ["Command", "Markup", "Primitives", "TestSupport", argumentParser],
      path: "Tests/CommandTests",
      swiftSettings: strict),
    tests("Primitives", []),
    tests("CSS", ["Primitives"]),
    tests("Markup", ["Primitives"]),
    tests("Publications", ["Primitives", "Markup", "CIsolation"]),
    tests("Styling", ["Primitives", "CSS", "Markup"]),
    tests("Fonts", ["Primitives"]),
    tests("Shaping", ["Primitives", "CSS", "Text", "Fonts"]),
    tests("Text", ["CSS", "Primitives"]),
    tests("ImageCodecs", ["Primitives", "Graphics"]),
    tests("Drawings", ["Primitives", "Graphics", "ImageCodecs", "Images"]),
    tests("Images", ["Primitives", "Graphics", "ImageCodecs", "Drawings"]),
    tests(
      "BoxGeneration", ["Primitives", "Markup", "CSS", "Styling", "Text", "Fonts", "Graphics", "Drawings", "Images"]),
    tests("Layout", ["Primitives", "Markup", "CSS", "Styling", "Text", "Fonts", "Shaping", "Images", "BoxGeneration"]),
    tests("RasterRendering", ["Primitives", "Graphics", "Fonts", "ImageCodecs", "Images", "CImageCodecs"]),
    tests(
      "PDFRendering",
      [
        "Primitives", "Graphics", "Fonts", "Drawings", "Images", "RasterRendering", "Typesetting", "BookOutput",
        "CDeflate",
      ]),
    tests("Painting", ["Primitives", "Graphics", "Fonts", "Images", "RasterRendering", "Typesetting", "BookOutput"]),
    tests("ChapterEngine", ["Primitives", "Typesetting", "BookOutput"]),
    tests("Typesetting", ["Primitives", "Graphics", "Layout", "ChapterEngine", "BookOutput"]),
    tests("BookOutput", ["Primitives", "ChapterEngine", "Typesetting"]),
    .testTarget(
      name: "TypesetLibraryTests", dependencies: ["TypesetLibrary", "CTypeset", "TestSupport"],
      path: "Tests/TypesetLibraryTests", swiftSettings: strict),
    tests(
      "SnapshotHarness",
      [
        "Primitives", "Markup", "Graphics", "Fonts", "Images", "RasterRendering", "PDFRendering", "Typesetting",
        "BookOutput",
      ]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "Primitives", "CSS", "Text", "Fonts", "Shaping", "RasterRendering", "CUnicode", "CHarfBuzz", "CFreeType",
        "TestSupport",
      ], path: "Tests/ConformanceTests", swiftSettings: strict),
  ]
)

// The program that `make fuzz` runs, with the coverage that libFuzzer asks for: no other build pays for it.
if Context.environment["TYPESET_FUZZING"] != nil {
  package.targets += [
    .target(name: "FuzzDriver", path: "Tests/Fuzzing/Driver"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Primitives", "BookOutput", "CSS", "Fonts", "ImageCodecs", "Images", "Layout", "Markup", "Publications",
        "SnapshotHarness",
        "Styling",
        "Typesetting", "TestSupport", "FuzzDriver",
      ], path: "Tests/Fuzzing/Targets",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
  ]
}

// The tests of some modules alone, without the programs and what only they need, for a build that is made for these tests
// (make sanitize TESTS=Typesetting): half of its time goes into the others.
if let wanted = Context.environment["TYPESET_TESTS"]?.split(separator: " ") {
  let ofPrograms = ["Command", "SnapshotHarness"]
  let programs = wanted.contains { ofPrograms.contains(String($0)) } ? [] : ["typeset", "typeset-snapshot"]
  package.products.removeAll { programs.contains($0.name) }
  package.targets.removeAll { target in
    switch target.type {
    case .test: !wanted.contains { target.name == "\($0)Tests" }
    case .executable: programs.contains(target.name)
    default: !programs.isEmpty && ofPrograms.contains(target.name)
    }
  }
}
