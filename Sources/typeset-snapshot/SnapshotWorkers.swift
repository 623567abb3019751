import ArgumentParser
import Command
import SnapshotHarness

/// The child of all of them.
struct SnapshotRenderUnit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render-unit", abstract: "The work of a child process.", shouldDisplay: false)

  @Argument var spec: String

  func run() throws {
    try harness { () throws(HarnessError) in
      try UnitWorker.run(specPath: spec)
      return 0
    }
  }
}

/// The child of reductions.
struct SnapshotExtract: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: "The work of a child process.", shouldDisplay: false)

  @Argument var spec: String

  func run() throws {
    try harness { () throws(HarnessError) in
      try BookExtractionWorker.run(specPath: spec)
      return 0
    }
  }
}

/// The child of reports.
struct SnapshotLookUp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "look-up", abstract: "The work of a child process.", shouldDisplay: false)

  @Argument var spec: String

  func run() throws {
    try harness { () throws(HarnessError) in
      try InspectionWorker.run(specPath: spec)
      return 0
    }
  }
}

/// The child of indexing.
struct SnapshotLookInto: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "look-into", abstract: "The work of a child process.", shouldDisplay: false)

  @Argument var spec: String

  func run() throws {
    try harness { () throws(HarnessError) in
      try FeatureWorker.run(specPath: spec)
      return 0
    }
  }
}
