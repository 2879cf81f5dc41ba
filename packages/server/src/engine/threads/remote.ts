/**
 * Calls to another thread. A port's implementation is exposed there under a name; here a typed stand-in sends each
 * call as a message. Arguments and results cross by structured clone: plain data, typed arrays, no functions.
 * Bounded: at most `remoteCallsMax` calls wait; each has a time limit.
 */
import type { MessagePort } from 'node:worker_threads'
import { ErrataError, type ErrorCode } from '#base/errors.ts'
import { max } from '#limits/limits.ts'

interface CallMessage {
  readonly call: number
  readonly target: string
  readonly method: string
  readonly args: readonly unknown[]
  /** When the caller gives up, on the clock that all threads share; `null`: never. */
  readonly untilMs: number | null
}

interface AnswerMessage {
  readonly answer: number
  readonly value?: unknown
  readonly error?: TransferredError
}

interface TransferredError {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: TransferredError
}

/** Causes that cross with an error; as many as Errata's own reports show. */
const CAUSES_MAX = 4

type Target = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/** Serves calls on `port`: `targets` maps a name to an object whose methods answer promises. */
export function serveRemote(port: MessagePort, targets: Readonly<Record<string, object>>): void {
  port.on('message', (message: unknown) => {
    if (!isCallMessage(message)) return
    // Nobody waits for it any more: what is next does not wait for it either.
    if (message.untilMs !== null && sharedMs() >= message.untilMs) return
    void answerCall(targets, message).then((reply) => port.postMessage(reply))
  })
}

async function answerCall(
  targets: Readonly<Record<string, object>>,
  message: CallMessage,
): Promise<AnswerMessage> {
  try {
    // The other end is typed by RemoteCaller.port<T>(): names come from our own code, never from a request.
    const target = targets[message.target] as Target | undefined
    const method = target?.[message.method]
    if (target === undefined || method === undefined)
      throw new Error(`no ${message.target}.${message.method}`)
    const value = await method.apply(target, [...message.args] as never[])
    return { answer: message.call, value }
  } catch (cause) {
    return { answer: message.call, error: describeThrown(cause) }
  }
}

function describeThrown(thrown: unknown, causesLeft = CAUSES_MAX): TransferredError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) }
  const { name, message, stack = '', cause } = thrown
  const isTold = cause !== undefined && cause !== null && causesLeft > 0
  return {
    ...{ name, message, stack },
    ...(thrown instanceof ErrataError ? { code: thrown.code } : {}),
    ...(isTold ? { cause: describeThrown(cause, causesLeft - 1) } : {}),
  }
}

/** Methods of another thread as a caller sees them that passes any of them on. */
export type RemoteMethods = Record<string, (...args: readonly unknown[]) => Promise<unknown>>

export interface RemoteCall {
  readonly target: string
  readonly method: string
  readonly args: readonly unknown[]
  /** `null`: wait for ever. */
  readonly timeoutMs: number | null
}

/** A stand-in whose methods are what `send` makes of their names. */
export function remotePort<T extends object>(
  send: (method: string, args: readonly unknown[]) => Promise<unknown>,
): T {
  // A Proxy has no static type of its own: T names the methods, serveRemote holds the object that has them.
  return new Proxy({} as T, {
    get: (_, method) =>
      typeof method === 'string' && method !== 'then'
        ? (...args: unknown[]) => send(method, args)
        : undefined,
  })
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  timer: NodeJS.Timeout | null
}

/** The calling side of one message port. */
export class RemoteCaller {
  readonly #port: MessagePort
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0
  #closed: Error | null = null

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (message: unknown) => this.#settle(message))
    port.on('close', () => this.close(new ErrataError('stopping', 'the other thread has ended')))
  }

  /** A stand-in for the object exposed as `name`. `timeoutMs` null: wait for ever (a commit must not be abandoned). */
  port<T extends object>(name: string, timeoutMs: number | null = max('queryTimeoutMs')): T {
    return remotePort<T>((method, args) => this.call({ target: name, method, args, timeoutMs }))
  }

  /** Rejects everything that waits. */
  close(reason: Error): void {
    if (this.#closed !== null) return
    this.#closed = reason
    for (const { reject, timer } of this.#waiting.values()) {
      if (timer !== null) clearTimeout(timer)
      reject(reason)
    }
    this.#waiting.clear()
  }

  /** Makes one call for the stand-ins. */
  call({ target, method, args, timeoutMs }: RemoteCall): Promise<unknown> {
    if (this.#closed !== null) return Promise.reject(this.#closed)
    if (this.#waiting.size >= max('remoteCallsMax')) {
      return Promise.reject(new ErrataError('overloaded', `too many calls wait for ${target}.${method}`))
    }
    const call = ++this.#calls
    const untilMs = timeoutMs === null ? null : sharedMs() + timeoutMs
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { resolve, reject, timer: null }
      this.#waiting.set(call, waiting)
      const giveUpIn = (ms: number, endMs: number): NodeJS.Timeout =>
        setTimeout(() => {
          // Node's timers may be early, and whoever is called goes by the clock: it must not begin what nobody waits for.
          const leftMs = endMs - sharedMs()
          if (leftMs > 0) {
            waiting.timer = giveUpIn(Math.ceil(leftMs), endMs)
            return
          }
          this.#waiting.delete(call)
          reject(
            new ErrataError('store_timeout', `${target}.${method} did not answer within ${timeoutMs} ms`),
          )
        }, ms)
      if (timeoutMs !== null && untilMs !== null) waiting.timer = giveUpIn(timeoutMs, untilMs)
      this.#port.postMessage({ call, target, method, args, untilMs } satisfies CallMessage)
    })
  }

  #settle(message: unknown): void {
    if (!isAnswerMessage(message)) return
    const waiting = this.#waiting.get(message.answer)
    if (waiting === undefined) return
    this.#waiting.delete(message.answer)
    if (waiting.timer !== null) clearTimeout(waiting.timer)
    if (message.error === undefined) waiting.resolve(message.value)
    else waiting.reject(revive(message.error))
  }
}

function revive(error: TransferredError): Error {
  const options = error.cause === undefined ? {} : { cause: revive(error.cause) }
  const revived =
    error.code === undefined
      ? new Error(error.message, options)
      : new ErrataError(error.code as ErrorCode, error.message, options) // written by `describe` from an ErrataError
  // What failed is told apart by it, in reports and digests: its own class may not be known on this side.
  if (revived.name !== error.name) revived.name = error.name
  if (error.stack !== undefined) revived.stack = error.stack
  return revived
}

/** Milliseconds of the machine's monotonic clock, the same in every thread. */
function sharedMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function isCallMessage(message: unknown): message is CallMessage {
  return typeof message === 'object' && message !== null && 'call' in message
}

function isAnswerMessage(message: unknown): message is AnswerMessage {
  return typeof message === 'object' && message !== null && 'answer' in message
}
