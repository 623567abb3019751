/// The variables of the process's environment.
package enum Environment {
  /// The value of a variable; nil where it is not set or empty.
  package static func value(of name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
