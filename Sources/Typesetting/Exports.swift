// So are errors.
@_exported public import BookEngine
// Settings are part of the interface, and of what the engine below it is given.
@_exported public import ChapterEngine
