import Command

/// The program `typeset`.
@main
enum Program {
  static func main() { Typeset<MissingSnapshotVerb>.run(handOver: SnapshotVerb.handOver) }
}
