/// What schedulers tell the processes of one job: which of them each is, and how many there are.
package enum Schedulers {
  /// How a scheduler tells it.
  private struct Contract: Sendable {
    var index: String
    /// nil where it tells no number of parts.
    var count: String?
    /// The index of the first part.
    var first = 0
    /// Where the first index is the user's choice, and how far indices are apart: the variables that tell.
    var minimum: String?
    var step: String?
  }

  private static let contracts = [
    // GitLab's `parallel`.
    Contract(index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1),
    Contract(index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT"),
    Contract(index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL"),
    // An Indexed Job of Kubernetes.
    Contract(index: "JOB_COMPLETION_INDEX", count: nil),
    Contract(index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"),
    Contract(
      index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: 1, minimum: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP"),
  ]

  /// The variables by which a part can be told, for messages.
  package static let variables = contracts.map(\.index)

  /// The part that the scheduler of this process means. Fails with 64 and names the variables where none tells, where
  /// one tells what cannot be, or where two do not agree.
  ///
  /// - Parameter count: The number of parts, where the caller says it. Arrays of Slurm are numbered from 1 on then,
  ///   so that some of them can be run again.
  package static func shard(in environment: [String: String], count: Int? = nil) throws(HarnessError) -> Shard {
    var found: (shard: Shard, name: String)?
    for contract in contracts where environment[contract.index] != nil {
      let shard = try shard(of: contract, environment, count)
      if let found, found.shard != shard {
        throw HarnessError(
          64, "\(found.name) says \(found.shard), and \(contract.index) says \(shard): --shard i/n tells which is meant"
        )
      }
      found = found ?? (shard, contract.index)
    }
    guard let found else {
      throw HarnessError(
        64, "--shard auto: no scheduler says which part this is: none of \(variables.joined(separator: ", ")) is set")
    }
    return found.shard
  }

  private static func shard(
    of contract: Contract, _ environment: [String: String], _ given: Int?
  ) throws(HarnessError) -> Shard {
    func number(_ name: String?) throws(HarnessError) -> Int? {
      guard let name, let text = environment[name] else { return nil }
      guard let value = Int(text), abs(value) <= 1 << 40 else {
        throw HarnessError(64, "\(name) is no number: \(text)")
      }
      return value
    }
    let index = try number(contract.index) ?? 0
    let told = try number(contract.count)
    let isArray = contract.minimum != nil
    // Some tasks of an array are run again in an array of their own, which is smaller.
    if let given, let told, let name = contract.count, told != given, !(isArray && told < given) {
      throw HarnessError(64, "\(name) is \(told), and --shard auto/\(given) says \(given)")
    }
    guard let count = given ?? told else {
      throw HarnessError(
        64,
        contract.count.map { "\(contract.index) is set, and \($0) is not" }
          ?? "\(contract.index) tells no number of parts: --shard auto/N does")
    }
    guard count >= 1, count <= Shard.maximumCount else {
      throw HarnessError(64, "\(contract.count ?? "--shard"): \(count) is no number of parts")
    }
    var first = contract.first
    var step = 1
    if isArray, given == nil {
      first = try number(contract.minimum) ?? first
      step = try number(contract.step) ?? 1
    }
    guard step >= 1, (index - first) % step == 0, (0..<count).contains((index - first) / step), index >= first else {
      throw HarnessError(
        64,
        "\(contract.index) is \(index), which is none of \(count) parts that are numbered from \(first)"
          + (step == 1 ? "" : " in steps of \(step)"))
    }
    return Shard(index: (index - first) / step + 1, count: count)
  }
}

/// The part of a run that a command line asks for: `2/7`, `auto`, or `auto/7`.
package enum ShardChoice: Hashable, Sendable {
  case given(Shard)
  /// As the scheduler says; with the number of parts, where it does not say that.
  case automatic(count: Int?)

  package init?(_ text: String) {
    if text == "auto" {
      self = .automatic(count: nil)
    } else if text.hasPrefix("auto/") {
      guard let count = Int(text.dropFirst(5)), count >= 1, count <= Shard.maximumCount else { return nil }
      self = .automatic(count: count)
    } else if let shard = Shard(text) {
      self = .given(shard)
    } else {
      return nil
    }
  }

  package func shard(in environment: [String: String]) throws(HarnessError) -> Shard {
    switch self {
    case .given(let shard): shard
    case .automatic(let count): try Schedulers.shard(in: environment, count: count)
    }
  }
}
