// swift-tools-version: 6.2
import PackageDescription

// Another copy of the library is named by TYPESET_URL and TYPESET_VERSION: that of a forge, or a clone with the tag.
let environment = Context.environment
let typeset: Package.Dependency =
  if let url = environment["TYPESET_URL"], let version = environment["TYPESET_VERSION"] {
    .package(url: url, from: Version(stringLiteral: version), traits: [])
  } else {
    // Found by its path, whatever the folder of the work tree is called.
    .package(name: "typeset", path: "../..", traits: [])
  }

let package = Package(
  name: "SVGPages",
  products: [.executable(name: "svg-pages", targets: ["svg-pages"])],
  dependencies: [typeset],
  targets: [
    .executableTarget(
      name: "svg-pages", dependencies: [.product(name: "Typesetting", package: "typeset")],
      swiftSettings: [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ]
)
