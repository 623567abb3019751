// swift-tools-version: 6.2
import PackageDescription

/// The language settings every Swift target shares.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let typesetting: [Target.Dependency] = [.product(name: "Typesetting", package: "typeset")]
let network: [Target.Dependency] = [
  .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
  .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
  .product(name: "UnixSignals", package: "swift-service-lifecycle"),
]

let package = Package(
  name: "ReadingServer",
  products: [.executable(name: "reading-server", targets: ["reading-server"])],
  dependencies: [
    // Found by its path, whatever the folder of the work tree is called.
    .package(name: "typeset", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
  ],
  targets: [
    .target(
      name: "ReadingServer",
      dependencies: typesetting + network + [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      resources: [.copy("Web")], swiftSettings: strict),
    .executableTarget(
      name: "reading-server",
      dependencies: typesetting + network + [
        "ReadingServer", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .testTarget(
      name: "ReadingServerTests",
      dependencies: [
        "ReadingServer", .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ]
        + typesetting + network, swiftSettings: strict),
  ]
)
