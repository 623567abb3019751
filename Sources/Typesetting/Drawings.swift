import Drawings
import Images

/// The way in which SVG documents are drawn. The library that draws them, librsvg, ends the process it runs in where it
/// fails: with a program that draws in processes of its own, such a document is a broken picture and nothing else.
///
/// ```swift
/// Drawings.use(program: "/usr/bin/typeset", arguments: ["drawing-helper"])
/// ```
///
/// Unless a program is named, documents are drawn in the process that uses the library.
public enum Drawings {
  /// Has the SVG documents of books that are opened from now on drawn by a program, in all of this process.
  ///
  /// - Parameters:
  ///   - program: The path of the command `typeset`, of the same version. Where it cannot be started, this process draws.
  ///   - arguments: `drawing-helper`, for this command.
  public static func use(program: String, arguments: [String]) {
    DrawingHelper.shared = DrawingHelper(program: program, arguments: arguments)
  }

  /// Ends the processes that draw, once nothing is drawn any more: no process is left behind, and their time is that of this one.
  package static func endProcesses() { DrawingHelper.shared?.endProcesses() }

  /// Answers the requests of another process until it closes the standard input.
  package static func serve() { DrawingHelper.serve() }
}
