// So are errors.
@_exported public import BookEngine
// Settings are part of the interface, and of what the engine below it is given.
@_exported public import ChapterEngine
// Lengths, rectangles, colours, pixels and themes: one import is enough.
@_exported public import Graphics
@_exported public import Primitives
