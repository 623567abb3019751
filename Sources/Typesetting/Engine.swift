import Drawings
import Images

/// What the engine does in a process, whatever the book.
///
/// ```swift
/// Engine.configure(
///   Engine.Configuration(boundsMemory: true, drawingHelper: .init(program: "/usr/bin/typeset")))
/// ```
public enum Engine {
  /// Choices for all of a process. Those by default change nothing of it and start no other.
  public struct Configuration: Hashable, Sendable {
    /// Has the allocator keep little of the memory that was given up: two arenas, in each no more than a mebibyte at its
    /// end, and no large pieces. From then on what a ``Typesetter`` has taken is given back to the system when it goes, and
    /// while it gives up much of what it keeps. For programs that read book after book, such as servers. Nothing where the
    /// allocator is not glibc's.
    public var boundsMemory: Bool
    /// The program that draws SVG documents; nil to draw them in this process.
    public var drawingHelper: DrawingProgram?

    /// Creates choices.
    public init(boundsMemory: Bool = false, drawingHelper: DrawingProgram? = nil) {
      self.boundsMemory = boundsMemory
      self.drawingHelper = drawingHelper
    }
  }

  /// A program that draws SVG documents in processes of its own. The library that draws what the engine does not draw
  /// itself, librsvg, ends the process it runs in where it fails: with such a program the document is a broken picture and
  /// nothing else.
  public struct DrawingProgram: Hashable, Sendable {
    /// The path of the command `typeset`, of the same version. Where it cannot be started, this process draws.
    public var program: String
    /// Its arguments: `drawing-helper`, for this command.
    public var arguments: [String]

    /// Creates a program to draw with.
    public init(program: String, arguments: [String] = ["drawing-helper"]) {
      self.program = program
      self.arguments = arguments
    }
  }

  /// Makes the choices hold. To be called once, before the first book is opened: what has been bounded stays so.
  public static func configure(_ configuration: Configuration) {
    if configuration.boundsMemory { FreeMemory.bound() }
    if let helper = configuration.drawingHelper {
      DrawingHelper.shared = DrawingHelper(program: helper.program, arguments: helper.arguments)
    }
  }

  /// Ends the processes that draw, once nothing is drawn any more: no process is left behind, and their time is that of
  /// this one.
  package static func endDrawingProcesses() { DrawingHelper.shared?.endProcesses() }

  /// Answers the requests of another process, which it draws for, until it closes the standard input.
  package static func serveDrawings() { DrawingHelper.serve() }
}
