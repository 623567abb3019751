import Platform

/// A library of the system that is loaded when a book needs it.
package struct OptionalLibrary: Sendable {
  /// As its makers call it, such as `libwebp`.
  package let name: String
  /// What it is for, such as `WebP pictures`.
  package let purpose: String
  /// Books that need it lose text or pictures without it. Others are as well read, if slower or in other colours.
  package let isEssential: Bool
  /// The name of its file with its version, such as `libwebp.so.7`, where it is not installed; else nil.
  package let missingFile: String?

  package var isInstalled: Bool { missingFile == nil }

  /// The package that brings it to this system where it is not installed.
  package var missingPackage: String? { missingFile.map(SystemPackages.current.library) }

  /// The end of a message of what is missing, `; install PACKAGE`; empty where it is installed.
  package var advice: String { missingPackage.map(SystemPackages.current.advice) ?? "" }

  /// `NAME is not installed; install PACKAGE`.
  package var absence: String { "\(name) is not installed\(advice)" }

  /// - Parameter missingFile: As the module says that calls the library.
  package init(
    _ name: String, purpose: String, isEssential: Bool = true, missingFile: UnsafePointer<CChar>?
  ) {
    self.name = name
    self.purpose = purpose
    self.isEssential = isEssential
    self.missingFile = unsafe missingFile.map { unsafe String(cString: $0) }
  }
}
