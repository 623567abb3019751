public import CTypeset
import Platform
import Typesetting

@c @implementation
public func typeset_pool_new(
  _ memory: Int, _ threads: Int, _ pool: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let place = try place(pool, emptied: nil)
    guard memory > 0, threads >= 0 else {
      throw Failure(.invalidArgument, part: memory > 0 ? "threads" : "memory", "is to be more")
    }
    place.pointee = give(BookPool(memory: memory, threads: threads == 0 ? nil : threads))
  }
}

@c @implementation
public func typeset_pool_free(_ pool: OpaquePointer?) { take(pool, as: BookPool.self) }

@c @implementation
public func typeset_pool_usage(
  _ pool: OpaquePointer?, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(pool, as: BookPool.self, result, error) { try json($0.usage) }
}

@c @implementation
public func typeset_pool_release_memory(
  _ pool: OpaquePointer?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) { try object(pool, as: BookPool.self).releaseMemory() }
}

@c @implementation
public func typeset_typesetter_release_memory(
  _ typesetter: OpaquePointer?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) { try object(typesetter, as: TypesetterHandle.self).typesetter.releaseMemory() }
}

@c @implementation
public func typeset_typesetter_cached_bytes(_ typesetter: OpaquePointer?) -> Int {
  guard ctypeset_is_forked() == 0 else { return 0 }
  return peek(typesetter, as: TypesetterHandle.self)?.typesetter.cachedBytes ?? 0
}

@c @implementation
public func typeset_bound_memory() { Engine.configure(Engine.Configuration(boundsMemory: true)) }
