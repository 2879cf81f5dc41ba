/**
 * Addresses of signals that this version has no store for, and what each answers to a client that speaks its protocol.
 * docs/wire.md, section "Signals without a store".
 */
import { readOtlpContentType } from '@errata/protocol'
import type { SignalName } from '#accept/signals.ts'
import type { AcceptAnswer } from '#accept/types.ts'
import { errorAnswer, type HttpAnswer, jsonAnswer } from './respond.ts'

export interface SignalRoute {
  readonly projectRef: string | null
  readonly signal: SignalName
  /** Key in the address. */
  readonly key: string | null
}

interface SignalAddress {
  /** Groups: `project`, and `key` where the address has it. */
  readonly path: RegExp
  readonly signal: SignalName
}

const ADDRESSES: readonly SignalAddress[] = [
  { path: pathPattern('cron/[^/]+(?:/(?<key>[^/]+))?'), signal: 'cron' },
  { path: pathPattern('(?:security|csp-report)'), signal: 'security' },
  { path: pathPattern('nel'), signal: 'nel' },
  { path: pathPattern('minidump'), signal: 'minidump' },
  { path: pathPattern('unreal/(?<key>[^/]+)'), signal: 'unreal' },
  { path: pathPattern('playstation'), signal: 'playstation' },
  { path: pathPattern('events/[^/]+/attachments'), signal: 'attachments' },
  { path: pathPattern('upload(?:/.*)?'), signal: 'upload' },
  { path: pathPattern('(?:integration/)?otlp/v1/logs'), signal: 'otlpLogs' },
  { path: pathPattern('(?:integration/)?otlp/v1/metrics'), signal: 'otlpMetrics' },
  { path: pathPattern('(?:integration/)?otlp/v1development/profiles'), signal: 'otlpProfiles' },
  { path: pathPattern('integration/(?:vercel|heroku)(?:/logs)?'), signal: 'logDrain' },
  { path: pathPattern('integration/integrity'), signal: 'integrity' },
  { path: /^\/api\/embed\/error-page\/?$/i, signal: 'dialog' },
  { path: /^\/js-sdk-loader\/(?<key>[^/.]+)(?:\.min)?\.js$/i, signal: 'loader' },
]

function pathPattern(path: string): RegExp {
  return new RegExp(`^/api/(?<project>[^/]+)/${path}/?$`, 'i')
}

/**
 * Reads which signal an address takes, for which project and by which key. `null` for an address that is none of them.
 */
export function readSignalRoute(path: string): SignalRoute | null {
  for (const { path: pattern, signal } of ADDRESSES) {
    const found = pattern.exec(path)
    if (found === null) continue
    return { projectRef: found.groups?.project ?? null, signal, key: found.groups?.key ?? null }
  }
  return null
}

interface SignalProtocol {
  /** Methods beside OPTIONS. */
  readonly methods: readonly string[]
  readonly success: (answer: AcceptAnswer, contentType: string | null) => HttpAnswer
  /** Its clients know no 429: they are told of a limit as of a success. */
  readonly isNeverLimited?: true
  /** Form of a refusal; JSON by default. */
  readonly refusal?: (answer: HttpAnswer, detail: string) => HttpAnswer
}

const NONE: HttpAnswer = { status: 200, headers: {}, body: '' }
const POST: readonly string[] = ['POST']

const PROTOCOLS: Readonly<Record<SignalName, SignalProtocol>> = {
  cron: {
    methods: ['GET', 'POST', 'PUT'],
    success: () => ({ ...NONE, status: 202 }),
    isNeverLimited: true,
  },
  security: { methods: POST, success: () => NONE },
  nel: { methods: POST, success: () => NONE },
  minidump: { methods: POST, success: crashId, isNeverLimited: true },
  unreal: { methods: POST, success: crashId, isNeverLimited: true },
  playstation: { methods: POST, success: crashId, isNeverLimited: true },
  attachments: { methods: POST, success: () => ({ ...NONE, status: 201 }) },
  // Told so before it begins, an SDK sends the event without what is too large for it.
  upload: {
    methods: ['POST', 'PATCH', 'HEAD'],
    success: () => errorAnswer({ code: 'not_found', detail: 'this version takes no uploads of attachments' }),
  },
  dialog: {
    methods: ['GET', 'POST'],
    success: () => jsonAnswer(200, {}),
  },
  loader: { methods: ['GET', 'HEAD'], success: () => NONE, isNeverLimited: true },
  otlpLogs: { methods: POST, success: otlpPartialAnswer('rejectedLogRecords', 'logs') },
  otlpMetrics: { methods: POST, success: otlpPartialAnswer('rejectedDataPoints', 'metrics') },
  otlpProfiles: { methods: POST, success: otlpPartialAnswer('rejectedProfiles', 'profiles') },
  logDrain: { methods: POST, success: () => NONE },
  integrity: { methods: POST, success: () => ({ ...NONE, status: 202 }) },
}

export function protocolOf(signal: SignalName): SignalProtocol {
  return PROTOCOLS[signal]
}

export function signalAnswer(
  signal: SignalName,
  answer: AcceptAnswer,
  contentType: string | null,
): HttpAnswer {
  return PROTOCOLS[signal].success(answer, contentType)
}

/** Crash reporters read the id as a UUID with dashes. */
function crashId({ eventId }: AcceptAnswer): HttpAnswer {
  const id = eventId ?? '0'.repeat(32)
  const body = [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')
  return { status: 200, headers: { 'content-type': 'text/plain' }, body }
}

/** Says what was not kept, as OTLP has a place for: an exporter logs it, and does not try again. */
function otlpPartialAnswer(field: string, what: string) {
  return ({ unsupported = 0 }: AcceptAnswer, contentType: string | null): HttpAnswer => {
    const errorMessage = `this version of Errata stores no ${what}`
    if (readOtlpContentType(contentType) !== 'application/x-protobuf') {
      if (unsupported === 0) return jsonAnswer(200, {})
      return jsonAnswer(200, { partialSuccess: { [field]: String(unsupported), errorMessage } })
    }
    const headers = { 'content-type': 'application/x-protobuf' }
    if (unsupported === 0) return { status: 200, headers, body: '' }
    return { status: 200, headers, body: partialSuccess(unsupported, errorMessage) }
  }
}

/** `ExportLogsPartialSuccess` and its like: 1 the number, 2 the sentence, within field 1 of the answer. */
function partialSuccess(rejected: number, sentence: string): Buffer {
  const text = Buffer.from(sentence)
  const inner = Buffer.concat([
    Buffer.from([0x08, ...varint(rejected)]),
    Buffer.from([0x12, ...varint(text.length)]),
    text,
  ])
  return Buffer.concat([Buffer.from([0x0a, ...varint(inner.length)]), inner])
}

function varint(value: number): readonly number[] {
  const bytes: number[] = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80)
  return [...bytes, left]
}
