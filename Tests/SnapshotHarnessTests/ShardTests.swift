import Testing

@testable import SnapshotHarness

/// Which part of a run is whose.
@Suite struct ShardTests {
  private static let names = [
    "GitLab", "Buildkite", "CircleCI", "AWS Batch", "Slurm", "Slurm from 0", "Slurm in steps",
  ]

  /// What a scheduler sets for the `index`th of `count` parts, from 1.
  private static func variables(_ name: String, _ index: Int, _ count: Int) -> [String: String] {
    switch name {
    case "GitLab": ["CI_NODE_INDEX": "\(index)", "CI_NODE_TOTAL": "\(count)"]
    case "Buildkite": ["BUILDKITE_PARALLEL_JOB": "\(index - 1)", "BUILDKITE_PARALLEL_JOB_COUNT": "\(count)"]
    case "CircleCI": ["CIRCLE_NODE_INDEX": "\(index - 1)", "CIRCLE_NODE_TOTAL": "\(count)"]
    case "AWS Batch": ["AWS_BATCH_JOB_ARRAY_INDEX": "\(index - 1)", "AWS_BATCH_JOB_ARRAY_SIZE": "\(count)"]
    case "Slurm":
      ["SLURM_ARRAY_TASK_ID": "\(index)", "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_TASK_MIN": "1"]
    case "Slurm from 0":
      ["SLURM_ARRAY_TASK_ID": "\(index - 1)", "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_TASK_MIN": "0"]
    default:
      [
        "SLURM_ARRAY_TASK_ID": "\(5 + 3 * (index - 1))", "SLURM_ARRAY_TASK_COUNT": "\(count)",
        "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_STEP": "3",
      ]
    }
  }

  private func shard(_ variables: [String: String], _ count: Int? = nil) throws -> Shard {
    try Schedulers.shard(in: variables, count: count)
  }

  private func fault(_ variables: [String: String], _ count: Int? = nil) -> String {
    do throws(HarnessError) {
      return "\(try Schedulers.shard(in: variables, count: count))"
    } catch {
      return error.code == 64 ? error.description : "code \(error.code)"
    }
  }

  @Test(arguments: names) func `Each part of a scheduler's is one of ours, and none beside them is`(_ name: String)
    throws
  {
    for count in [1, 2, 3, 10] {
      for index in 1...count {
        #expect(try shard(Self.variables(name, index, count)) == Shard(index: index, count: count))
      }
      for index in [0, count + 1] { #expect(fault(Self.variables(name, index, count)).contains("parts")) }
    }
  }

  @Test func `The number of parts may be told by the caller`() throws {
    for index in 0..<4 {
      #expect(try shard(["JOB_COMPLETION_INDEX": "\(index)"], 4) == Shard(index: index + 1, count: 4))
    }
    #expect(fault(["JOB_COMPLETION_INDEX": "4"], 4).contains("JOB_COMPLETION_INDEX"))
    #expect(fault(["JOB_COMPLETION_INDEX": "0"]).contains("auto/N"))
    for name in Self.names.prefix(4) { #expect(try shard(Self.variables(name, 2, 3), 3) == Shard(index: 2, count: 3)) }
    let wrong = fault(Self.variables("GitLab", 2, 3), 4)
    #expect(wrong.contains("CI_NODE_TOTAL is 3") && wrong.contains("auto/4"))
  }

  @Test func `Tasks of an array that are run again are the parts that they were`() throws {
    // --array=3,7 of what was --array=1-10
    for index in [3, 7] {
      let again = ["SLURM_ARRAY_TASK_ID": "\(index)", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "3"]
      #expect(try shard(again, 10) == Shard(index: index, count: 10))
    }
    #expect(fault(Self.variables("Slurm from 0", 1, 10), 10).contains("numbered from 1"))
  }

  @Test func `Schedulers that do not agree are named`() throws {
    var both = Self.variables("CircleCI", 1, 1).merging(Self.variables("Slurm", 2, 5)) { $1 }
    let text = fault(both)
    #expect(text.contains("CIRCLE_NODE_INDEX says 1/1") && text.contains("SLURM_ARRAY_TASK_ID says 2/5"))
    both = Self.variables("GitLab", 2, 5).merging(Self.variables("Buildkite", 2, 5)) { $1 }
    #expect(try shard(both) == Shard(index: 2, count: 5))
  }

  @Test func `What is no number, or only half told, is refused`() {
    #expect(fault([:]).contains("CI_NODE_INDEX"))
    // GitLab sets the number of parts in jobs without any, too.
    #expect(fault(["CI_NODE_TOTAL": "1"]).contains("no scheduler"))
    #expect(fault(["CI_NODE_INDEX": "2"]).contains("CI_NODE_TOTAL is not"))
    #expect(fault(["CI_NODE_INDEX": "two", "CI_NODE_TOTAL": "3"]).contains("no number: two"))
    #expect(fault(["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "0"]).contains("0 is no number of parts"))
    #expect(fault(["CI_NODE_INDEX": "99999999999999999999", "CI_NODE_TOTAL": "3"]).contains("no number"))
    #expect(Shard("2/7") == Shard(index: 2, count: 7))
    for text in ["0/3", "4/3", "1", "1/", "a/b", "-1/2"] { #expect(Shard(text) == nil) }
    #expect(ShardChoice("auto/0") == nil && ShardChoice("4/3") == nil && ShardChoice("auto/") == nil)
    #expect(ShardChoice("auto/3") == .automatic(count: 3) && ShardChoice("auto") == .automatic(count: nil))
  }

  @Test func `Parts have each unit once, and as much to do as the others`() {
    let units = (0..<1000).map { UnitKey(book: "book-\(1000 + $0 / 3)", profile: ["a", "b", "c"][$0 % 3]) }
    let weights = units.indices.map { 1 + Double($0 * 7919 % 101) }
    for count in [1, 2, 7, 64] {
      var seen: [UnitKey] = []
      var loads: [Double] = []
      for index in 1...count {
        let part = Shard(index: index, count: count).units(of: units, weights: weights)
        #expect(part == part.sorted())
        seen += part
        loads.append(part.reduce(0) { $0 + weights[units.firstIndex(of: $1) ?? 0] })
      }
      #expect(seen.sorted() == units)
      #expect(loads.max()! - loads.min()! <= weights.max()!)
    }
    // More parts than units: the last ones have nothing to do.
    #expect(Shard(index: 1000, count: 1000).units(of: Array(units.prefix(3)), weights: [1, 1, 1]).isEmpty)
  }
}
