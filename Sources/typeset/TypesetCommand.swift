import ArgumentParser
@main struct TypesetCommand: ParsableCommand {}
