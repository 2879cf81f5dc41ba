/**
 * Errata's own failures, recorded through its own accept step: no instrumentation, no loop (a failure while
 * reporting is logged and ends there), at most one a minute per digest, and nothing of the page but its route
 * pattern. What a message quotes is removed unless it is an identifier: a failing page of one organisation must not
 * show its text to whoever reads the Errata project.
 */
import { writeEnvelope } from '@errata/protocol'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { SELF_CLIENT, type SelfSender, sendSelf } from './self-send.ts'

/** A failure of Errata's own server half. */
export interface SelfFailure {
  readonly error: unknown
  readonly digest: string
  /** `document`, `page-data`, `action` or `route-handler`. */
  readonly requestKind: string
  readonly method: string
  /** The route pattern such as `/:org/issues/:id`; never the path, the query, a title or a person's text. */
  readonly route: string
  /** 32 hex characters. */
  readonly traceId: string
}

export type SelfReport = (failure: SelfFailure) => void

export interface SelfReportOptions extends SelfSender {
  readonly release: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const WINDOW_MS = 60_000
const DIGESTS_REMEMBERED = 1_000
const CHAIN_MAX = 5

/** A function that records a failure and never throws. */
export function createSelfReport(options: SelfReportOptions): SelfReport {
  const lastSent = new Map<string, { atMs: number; count: number }>()
  return (failure) => {
    options.log.error('own failure', {
      digest: failure.digest,
      requestKind: failure.requestKind,
      route: failure.route,
      type: failure.error instanceof Error ? failure.error.name : typeof failure.error,
    })
    if (!mayReport(lastSent, failure.digest, options.clock.now())) return
    const body = selfEnvelope(failure, options)
    sendSelf(body, options).catch((cause: unknown) => {
      options.log.warn('own failure not recorded', {
        digest: failure.digest,
        reason: String(cause).slice(0, 200),
      })
    })
  }
}

function mayReport(
  lastSent: Map<string, { atMs: number; count: number }>,
  digest: string,
  nowMs: number,
): boolean {
  const last = lastSent.get(digest)
  const fresh = last === undefined || nowMs - last.atMs >= WINDOW_MS
  if (!fresh && last.count >= max('selfReportPerMinutePerDigest')) return false
  lastSent.delete(digest)
  lastSent.set(digest, fresh ? { atMs: nowMs, count: 1 } : { atMs: last.atMs, count: last.count + 1 })
  const oldest = lastSent.keys().next()
  if (lastSent.size > DIGESTS_REMEMBERED && !oldest.done) lastSent.delete(oldest.value)
  return true
}

function selfEnvelope(failure: SelfFailure, { clock, random, release }: SelfReportOptions): Uint8Array {
  const eventId = random.hex(16)
  const seconds = clock.now() / 1_000
  const event = {
    event_id: eventId,
    timestamp: seconds,
    platform: 'node',
    level: 'error',
    environment: 'self',
    release,
    transaction: `${failure.method} ${failure.route}`,
    exception: { values: exceptionChain(failure.error) },
    tags: { digest: failure.digest, request_kind: failure.requestKind, route: failure.route },
    contexts: {
      trace: { trace_id: failure.traceId, span_id: random.hex(8) },
      runtime: { name: 'node', version: process.version },
      errata: { digest: failure.digest, request_kind: failure.requestKind, route: failure.route },
    },
    sdk: { name: SELF_CLIENT, version: release },
  }
  const header = { event_id: eventId, sent_at: new Date(clock.now()).toISOString() }
  return writeEnvelope(header, [{ header: { type: 'event' }, payload: JSON.stringify(event) }])
}

/** Innermost cause first, the thrown error last, as the wire wants it. */
function exceptionChain(error: unknown): readonly object[] {
  const values: object[] = []
  let current = error
  for (let depth = 0; depth < CHAIN_MAX && current !== undefined && current !== null; depth++) {
    values.unshift(exceptionValue(current, depth === 0))
    current = current instanceof Error ? current.cause : undefined
  }
  return values
}

function exceptionValue(error: unknown, isThrown: boolean): object {
  const mechanism = isThrown
    ? { type: 'errata.self', handled: false, exception_id: 0 }
    : { type: 'chained', handled: true, source: 'cause' }
  if (!(error instanceof Error)) return { type: 'Error', value: `a thrown ${typeof error}`, mechanism }
  return {
    type: error.name,
    value: withoutQuotedText(error.message),
    mechanism,
    stacktrace: { frames: readFrames(error.stack ?? '') },
  }
}

const IDENTIFIER = /^[\w$.[\]-]{1,40}$/

/** Replaces what stands in quotation marks by `…` unless it reads as an identifier of the code. */
function withoutQuotedText(message: string): string {
  return message
    .slice(0, 1_000)
    .replaceAll(/(["'`“‘])([^"'`“”‘’]{0,400})(["'`”’])/g, (whole, _open: string, text: string) =>
      IDENTIFIER.test(text) ? whole : '“…”',
    )
}

const FRAME = /^\s*at (?:(.+?) \()?(?:file:\/\/)?(.+?):(\d+):(\d+)\)?$/
const FRAMES_MAX = 50

/** Frames of a V8 stack, oldest call first, paths relative to the installation. */
function readFrames(stack: string): readonly object[] {
  const frames: object[] = []
  for (const line of stack.split('\n').slice(1, FRAMES_MAX + 1)) {
    const match = FRAME.exec(line)
    if (match === null) continue
    const [, name = '?', file = '', lineno, colno] = match
    const inApp = !file.startsWith('node:') && !file.includes('/node_modules/')
    frames.unshift({
      function: name,
      filename: withoutInstallPath(file),
      lineno: Number(lineno),
      colno: Number(colno),
      in_app: inApp,
    })
  }
  return frames
}

/** `…/node_modules/x/y.js` → `x/y.js`; `…/packages/server/src/a.ts` → `packages/server/src/a.ts`; else the last two parts. */
function withoutInstallPath(file: string): string {
  const plain = file.replaceAll('\\', '/')
  for (const mark of ['/node_modules/', '/packages/']) {
    const at = plain.lastIndexOf(mark)
    if (at !== -1) return plain.slice(at + (mark === '/packages/' ? 1 : mark.length))
  }
  return plain.startsWith('node:') ? plain : plain.split('/').slice(-2).join('/')
}
