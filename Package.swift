// swift-tools-version: 6.1
import PackageDescription

/// The language settings every Swift target shares.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The package manager refuses flags such as the following in a package that others depend on by version, and keeps those
/// under `checkouts`.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// Types of the standard library made for ours are reached by their code, not by names that are read at run time, which takes
/// a tenth of the time of a first page. Each function has a section of its own, so that the linker can put them in order.
let tuning: [SwiftSetting] =
  isDependency
  ? []
  : [
    .unsafeFlags(
      [
        "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors", "-Xfrontend", "-function-sections",
      ], .when(configuration: .release))
  ]

/// The invariants of layout are checked in debug builds, which the tests run (`LayoutChecks`).
let checks: [SwiftSetting] = [.define("CHECK_LAYOUT", .when(configuration: .debug))]

/// The functions that books run lie side by side (`Tests/Benchmarks/function_order.py` lists them), the addresses to correct
/// when the program starts are listed in little room, and its functions are not offered to libraries: all of this is memory
/// and page faults before the first page.
let ordering: [LinkerSetting] =
  isDependency
  ? []
  : [
    .unsafeFlags(
      [
        "-use-ld=lld", "-Xlinker", "--no-warn-symbol-ordering", "-Xlinker",
        "--symbol-ordering-file=\(Context.packageDirectory)/Sources/typeset/functions.order", "-Xlinker", "-z",
        "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic",
      ], .when(platforms: [.linux], configuration: .release))
  ]

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
    name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources,
    swiftSettings: strict + tuning + checks, plugins: plugins)
}

/// The tests of one module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TestFonts"] + dependencies,
    path: "Tests/\(name)Tests", swiftSettings: strict)
}

let package = Package(
  name: "typeset",
  products: [
    .library(name: "Typesetting", targets: ["Typesetting", "Graphics", "Primitives"]),
    .executable(name: "typeset", targets: ["typeset"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // Row 0: libraries of the system
    system("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    system("CFreeType", pkgConfig: "freetype2", apt: "libfreetype-dev"),
    system("CHarfBuzz", pkgConfig: "harfbuzz", apt: "libharfbuzz-dev"),
    system("CLibZip", pkgConfig: "libzip", apt: "libzip-dev"),
    system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
    .target(name: "CLoading", path: "Sources/System/CLoading"),
    loaded("CCairo"),
    loaded("CFontconfig"),
    loaded("CYAML"),
    .target(name: "CProcess", path: "Sources/System/CProcess"),
    .target(
      name: "CUnicode", path: "Sources/System/CUnicode",
      linkerSettings: [.linkedLibrary("icuuc")]),
    .target(
      name: "CImageCodecs", dependencies: ["CLoading"], path: "Sources/System/CImageCodecs",
      linkerSettings: [.linkedLibrary("png"), .linkedLibrary("jpeg"), .linkedLibrary("deflate")]),

    // Row 1
    module("Primitives", []),

    // Row 2
    module("Markup", ["Primitives", "CLibXML2", "CUnicode"]),
    module("CSS", ["Primitives"]),
    module("Text", ["Primitives", "CSS", "CUnicode"]),
    module("Fonts", ["Primitives", "CDeflate", "CFreeType", "CHarfBuzz", "CFontconfig"]),
    module("Graphics", ["Primitives"]),

    // Row 3
    module("Publications", ["Primitives", "Markup", "CDeflate", "CLibZip", "CZlib"]),
    module(
      "Styling", ["Primitives", "Markup", "CSS"],
      resources: [.embedInCode("Resources/user-agent.css"), .embedInCode("Resources/house.css")]),
    module("Shaping", ["Primitives", "CSS", "Text", "Fonts", "CHarfBuzz"]),
    module("Images", ["Primitives", "Graphics", "CImageCodecs", "CCairo"]),

    // Row 4
    module(
      "RasterRendering",
      ["Primitives", "Graphics", "Fonts", "Images", "CFreeType", "CCairo", "CImageCodecs"]),

    // Row 5
    module(
      "BoxGeneration", ["Primitives", "Markup", "CSS", "Styling", "Text", "Fonts", "Images"]),

    // Row 6
    module(
      "Layout",
      ["Primitives", "CSS", "Styling", "Text", "Fonts", "Shaping", "Images", "BoxGeneration"]),

    // Row 7
    module(
      "Painting",
      [
        "Primitives", "CSS", "Styling", "Text", "Fonts", "Graphics", "Images", "BoxGeneration",
        "Layout",
      ]),

    // Row 8
    module(
      "Typesetting",
      [
        "Primitives", "Markup", "CSS", "Text", "Fonts", "Graphics", "Publications", "Styling",
        "Shaping", "Images", "RasterRendering", "BoxGeneration", "Layout", "Painting", "CUnicode",
        "CHarfBuzz", "CFreeType", "CLibXML2", "CProcess",
      ],
      // What saved page directories know the engine by.
      plugins: ["EngineBuild"]),
    .plugin(name: "EngineBuild", capability: .buildTool()),

    // Row 9
    module(
      "SnapshotHarness",
      [
        "Primitives", "CSS", "Markup", "Text", "Publications", "Graphics", "Fonts", "Images", "RasterRendering",
        "Typesetting", "CZlib", "CZstd", "CYAML", "CProcess",
      ],
      resources: [
        .embedInCode("Resources/report.html"), .embedInCode("Resources/report.css"),
        .embedInCode("Resources/report.js"),
      ]),

    // Row 10
    .executableTarget(
      name: "typeset",
      dependencies: [
        "Primitives", "Typesetting", "SnapshotHarness", "CProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Sources/typeset", exclude: ["functions.order"], swiftSettings: strict + tuning, linkerSettings: ordering
    ),

    // Tests
    .target(name: "TestFonts", path: "Tests/Support", exclude: ["fontconfig"]),
    tests("Primitives", []),
    tests("CSS", ["Primitives"]),
    tests("Markup", ["Primitives"]),
    tests("Publications", ["Primitives", "Markup"]),
    tests("Styling", ["Primitives", "CSS", "Markup"]),
    tests("Fonts", ["Primitives"]),
    tests("Shaping", ["Primitives", "CSS", "Text", "Fonts"]),
    tests("Text", ["CSS", "Primitives"]),
    tests("Images", ["Primitives", "Graphics"]),
    tests("BoxGeneration", ["Primitives", "Markup", "CSS", "Styling", "Text", "Fonts"]),
    tests("Layout", ["Primitives", "Markup", "CSS", "Styling", "Text", "Fonts", "Shaping", "Images", "BoxGeneration"]),
    tests("RasterRendering", ["Primitives", "Graphics", "Fonts", "Images"]),
    tests("Painting", ["Primitives", "Graphics", "Fonts", "Images", "RasterRendering", "Typesetting"]),
    tests("Typesetting", ["Primitives", "Graphics", "Layout"]),
    tests(
      "SnapshotHarness", ["Primitives", "Markup", "Graphics", "Fonts", "Images", "RasterRendering", "Typesetting"]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "Primitives", "CSS", "Text", "Fonts", "Shaping", "RasterRendering", "CUnicode", "CHarfBuzz", "CFreeType",
        "TestFonts",
      ], path: "Tests/ConformanceTests", swiftSettings: strict),
  ]
)
