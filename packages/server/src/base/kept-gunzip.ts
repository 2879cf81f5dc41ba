/**
 * Small gzip bodies through one native object of zlib that is used again: a new one for each body takes tens of
 * kilobytes outside of V8's heap, and V8 collects all the more often for it. Only a body that comes out exactly as large
 * as it says, whole and without an error, is answered here; all others go the usual way, which says what is wrong.
 */
import { constants, createGunzip } from 'node:zlib'

/**
 * Internals that `node:zlib` keeps behind its streams. Not documented, so all of it is checked before it is
 * used.
 */
interface NativeZlib {
  onerror: (message: string, errno: number, code: string) => void
  reset(): void
  writeSync(
    flush: number,
    ...places: readonly [
      input: Uint8Array,
      inputAt: number,
      inputLength: number,
      output: Uint8Array,
      outputAt: number,
      outputLength: number,
    ]
  ): void
}

export interface KeptGunzip {
  /** `null`: this body is to go the usual way. `said` is what it says of its length. */
  gunzip(body: Uint8Array, said: number): Uint8Array | null
}

/** Opens an inflater whose memory is kept from one body to the next. `null` where this Node has no such thing. */
export function openKeptGunzip(): KeptGunzip | null {
  const stream: object = createGunzip()
  const native = '_handle' in stream ? stream._handle : null
  const state = '_writeState' in stream ? stream._writeState : null
  if (!isNativeZlib(native) || !(state instanceof Uint32Array)) return null
  return new OneNative(native, state)
}

function isNativeZlib(value: unknown): value is NativeZlib {
  if (typeof value !== 'object' || value === null) return false
  const has = (name: string) => typeof Reflect.get(value, name) === 'function'
  return has('reset') && has('writeSync') && has('onerror')
}

class OneNative implements KeptGunzip {
  readonly #native: NativeZlib
  /** State after a write: room left in the output, bytes left of the input. */
  readonly #state: Uint32Array
  #hasFailed = false

  constructor(native: NativeZlib, state: Uint32Array) {
    this.#native = native
    this.#state = state
    // Node's own would destroy the stream, whose error nobody waits for: that ends the process.
    native.onerror = () => {
      this.#hasFailed = true
    }
  }

  gunzip(body: Uint8Array, said: number): Uint8Array | null {
    this.#hasFailed = false
    this.#native.reset()
    // One byte more than is said: only an output with room left tells that the end was seen and its sum was right.
    const output = Buffer.allocUnsafeSlow(said + 1)
    this.#native.writeSync(constants.Z_FINISH, body, 0, body.length, output, 0, output.length)
    const [room, unread] = this.#state
    return this.#hasFailed || room !== 1 || unread !== 0 ? null : output.subarray(0, said)
  }
}
