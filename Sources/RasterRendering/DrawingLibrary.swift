import CCairo
import Cairo
package import Primitives

extension OptionalLibrary {
  /// What draws shapes that are not rectangles.
  package static var cairo: Self {
    unsafe Self(
      "libcairo", purpose: "round corners, gradients, drawings and what is turned", missingFile: cairo_missing_library()
    )
  }
}
