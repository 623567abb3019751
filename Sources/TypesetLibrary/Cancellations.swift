public import CTypeset
import Glibc
import Platform
import Synchronization

/// Calls at work, with what cancels each.
final class RunningCalls: Sendable {
  private struct Calls {
    var count = 0
    var cancel: [Int: @Sendable () -> Void] = [:]
    /// Later calls are cancelled, too.
    var isOver = false
  }

  private let calls = Lock(Calls())

  /// Takes a call up.
  ///
  /// - Returns: Its number, for `remove`.
  func add(_ cancel: @escaping @Sendable () -> Void) -> Int {
    let (number, isOver) = calls.withLock { calls in
      calls.count += 1
      calls.cancel[calls.count] = cancel
      return (calls.count, calls.isOver)
    }
    if isOver { cancel() }
    return number
  }

  /// Forgets a call, which has ended.
  func remove(_ number: Int) { _ = calls.withLock { $0.cancel.removeValue(forKey: number) } }

  /// Ends the calls at work, and later ones where it is for good.
  func cancel(forGood: Bool = false) {
    let running = calls.withLock { calls in
      if forGood { calls.isOver = true }
      return Array(calls.cancel.values)
    }
    for cancel in running { cancel() }
  }
}

/// What `typeset_cancellation` points to.
final class CancellationHandle: Sendable {
  let calls = RunningCalls()

  /// The thread's own, which the thread retains.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { bound in
      if let bound { Unmanaged<CancellationHandle>.fromOpaque(bound).release() }
    }
    return key
  }()

  /// That which the calling thread's calls end with.
  static var bound: CancellationHandle? {
    get {
      pthread_getspecific(key).map { Unmanaged<CancellationHandle>.fromOpaque($0).takeUnretainedValue() }
    }
    set {
      let old = pthread_getspecific(key).map { Unmanaged<CancellationHandle>.fromOpaque($0) }
      pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) })
      old?.release()
    }
  }
}

@c @implementation
public func typeset_cancellation_new(
  _ cancellation: Place<OpaquePointer?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let place = try place(cancellation, emptied: nil)
    place.pointee = give(CancellationHandle())
  }
}

@c @implementation
public func typeset_cancellation_bind(
  _ cancellation: OpaquePointer?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) { CancellationHandle.bound = try object(cancellation, as: CancellationHandle.self) }
}

@c @implementation
public func typeset_cancellation_unbind() {
  guard ctypeset_is_forked() == 0 else { return }
  CancellationHandle.bound = nil
}

@c @implementation
public func typeset_cancellation_request(
  _ cancellation: OpaquePointer?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) { try object(cancellation, as: CancellationHandle.self).calls.cancel(forGood: true) }
}

@c @implementation
public func typeset_cancellation_free(_ cancellation: OpaquePointer?) {
  take(cancellation, as: CancellationHandle.self)
}
