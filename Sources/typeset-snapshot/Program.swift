import Command

/// The program `typeset-snapshot`: `typeset` with the verb `snapshot`.
@main
enum Program {
  static func main() {
    SnapshotVerb.checkBuild()
    Typeset<SnapshotCommand>.run()
  }
}
