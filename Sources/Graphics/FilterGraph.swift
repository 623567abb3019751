public import Primitives

/// The primitives of a `<filter>` element for one group, whose places and lengths are those of the display list (Filter Effects 1,
/// sections 8 and 9).
public struct FilterGraph: Hashable, Sendable {
  /// What a primitive reads.
  public enum Input: Hashable, Sendable {
    /// The group's own pixels.
    case source
    /// Their alpha, black.
    case sourceAlpha
    /// The result of an earlier primitive.
    case result(Int)
    /// Transparent black.
    case nothing
  }

  /// How `feComposite` combines its first input with the second.
  public enum Compositing: Hashable, Sendable {
    /// `over`, `in`, `out`, `atop`, `xor` and `lighter` (Compositing 1, section 9.1).
    case over, inside, out, atop, xor, lighter
    /// `k1·i1·i2 + k2·i1 + k3·i2 + k4`.
    case arithmetic(Float, Float, Float, Float)
  }

  /// A function of `feComponentTransfer`, from 0…1 to 0…1.
  public enum Transfer: Hashable, Sendable {
    /// The value itself.
    case identity
    /// Between the values given, which are at equal distances.
    case table([Float])
    /// Steps of equal width, one for each value given.
    case discrete([Float])
    /// `slope · value + intercept`.
    case linear(slope: Float, intercept: Float)
    /// `amplitude · value ^ exponent + offset`.
    case gamma(amplitude: Float, exponent: Float, offset: Float)
  }

  /// A channel of colour or opacity that a displacement is read from.
  public enum Channel: UInt8, Hashable, Sendable {
    /// `R`, `G`, `B` and `A`.
    case red, green, blue, alpha
  }

  /// What lies beyond the edges of a convolution's input (`edgeMode`).
  public enum EdgeMode: UInt8, Hashable, Sendable {
    /// The pixels of the edge, those of the opposite edge, or transparent black.
    case duplicate, wrap, none
  }

  /// `feConvolveMatrix`; rows of the matrix follow each other.
  public struct Convolution: Hashable, Sendable {
    /// Columns of the matrix, in pixels of the filter.
    public var columns: Int
    /// Rows of the matrix.
    public var rows: Int
    /// `rows · columns` factors (`kernelMatrix`).
    public var matrix: [Float]
    /// What the sum is divided by.
    public var divisor: Float
    /// What is added after the division, as a share of the opacity.
    public var bias: Float
    /// The column of the matrix that lies on the pixel.
    public var targetX: Int
    /// The row of the matrix that lies on the pixel.
    public var targetY: Int
    /// What lies beyond the edges of the input.
    public var edge: EdgeMode
    /// The opacity is left as it is.
    public var preservesAlpha: Bool
    /// Makes a convolution of a matrix of `rows · columns` factors.
    public init(
      columns: Int, rows: Int, matrix: [Float], divisor: Float, bias: Float, targetX: Int, targetY: Int, edge: EdgeMode,
      preservesAlpha: Bool
    ) {
      self.columns = columns
      self.rows = rows
      self.matrix = matrix
      self.divisor = divisor
      self.bias = bias
      self.targetX = targetX
      self.targetY = targetY
      self.edge = edge
      self.preservesAlpha = preservesAlpha
    }
  }

  /// What a primitive does (Filter Effects 1, section 9).
  public enum Kind: Hashable, Sendable {
    /// One colour.
    case flood(Color)
    /// Standard deviations.
    case blur(x: LayoutUnit, y: LayoutUnit)
    /// Moves its input.
    case offset(x: LayoutUnit, y: LayoutUnit)
    /// As `PixelFilter.colorMatrix`.
    case matrix([Float])
    /// Of red, green, blue and alpha.
    case transfer([Transfer])
    /// Combines its inputs.
    case composite(Compositing)
    /// Its inputs, each over those before it.
    case merge
    /// The first input on the second.
    case blend(BlendMode)
    /// Radii.
    case morphology(x: LayoutUnit, y: LayoutUnit, dilates: Bool)
    /// An image stretched over a rectangle.
    case image(ImageID, Rect)
    /// The part of the input in a rectangle, repeated.
    case tile(Rect)
    /// Takes each pixel from where the channels of the second input say, half of `scale` away at most.
    case displacement(scale: LayoutUnit, x: Channel, y: Channel)
    /// Each pixel by those around it.
    case convolution(Convolution)
    /// The input over its own shadow; standard deviations of its blur.
    case shadow(x: LayoutUnit, y: LayoutUnit, blurX: LayoutUnit, blurY: LayoutUnit, Color)
  }

  /// A node of the graph.
  public struct Primitive: Hashable, Sendable {
    /// What it does.
    public var kind: Kind
    /// What it reads, in order.
    public var inputs: [Input]
    /// The subregion: the result is transparent outside.
    public var region: Rect
    /// It works in linear light (`color-interpolation-filters`).
    public var isLinear: Bool
    /// Makes a node of the graph.
    public init(_ kind: Kind, inputs: [Input], region: Rect, isLinear: Bool) {
      self.kind = kind
      self.inputs = inputs
      self.region = region
      self.isLinear = isLinear
    }
  }

  /// The result of the last one is that of the filter.
  public var primitives: [Primitive]
  /// The filter region.
  public var region: Rect
  /// Makes a graph whose primitives read those before them.
  public init(_ primitives: [Primitive], region: Rect) {
    self.primitives = primitives
    self.region = region
  }

  /// How far it carries ink.
  package var reach: LayoutUnit {
    primitives.reduce(.zero) { reach, primitive in
      switch primitive.kind {
      case .blur(let x, let y): reach + Swift.max(x, y) * 3
      case .offset(let x, let y): reach + Swift.max(x, -x, Swift.max(y, -y))
      case .morphology(let x, let y, _): reach + Swift.max(x, y)
      case .shadow(let x, let y, let blurX, let blurY, _):
        reach + Swift.max(x, -x, Swift.max(y, -y)) + Swift.max(blurX, blurY) * 3
      case .displacement(let scale, _, _): reach + Swift.max(scale, -scale)
      default: reach
      }
    }
  }
}

extension PixelFilter {
  /// It may show something where nothing is.
  package var isGraph: Bool { if case .graph = self { true } else { false } }

  /// How far a filter carries ink.
  package var reach: LayoutUnit {
    switch self {
    case .colorMatrix, .linearColorMatrix: .zero
    case .blur(let deviation): Swift.max(.zero, deviation) * 3
    case .dropShadow(let x, let y, let deviation, _):
      Swift.max(.zero, deviation) * 3 + Swift.max(x, -x, Swift.max(y, -y))
    case .graph(let graph): graph.reach
    }
  }
}
