// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "library-benchmark",
  dependencies: [.package(name: "typeset", path: "../../..")],
  targets: [
    .systemLibrary(name: "CAllocator"),
    .executableTarget(
      name: "library-benchmark", dependencies: [.product(name: "Typesetting", package: "typeset"), "CAllocator"]),
  ])
