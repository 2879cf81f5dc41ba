/**
 * Reads sessions: one update, or entries of sessions that a server counted itself. Nothing of a client's address or
 * browser is kept, and of a person the hash alone. docs/wire.md, section "Sessions".
 */

import { byWord } from '#base/by-word.ts'
import { DAY_MS } from '#base/durations.ts'
import { dayOf } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { PendingRow } from '#model/batch.ts'
import type { Outcome } from '#model/outcome.ts'
import { releaseNameRule } from '#model/release-rules.ts'
import { hashSession, hashSessionPerson } from '#model/user-hash.ts'
import { isEnvironment } from '#normalize/release.ts'
import { parseTime } from '#normalize/time.ts'
import type { SessionCounts } from '#ports/health.ts'
import { type EnvelopeContext, type ItemAnswer, type ItemInput, refused, stored } from '../item.ts'
import { hasTooManyValues, readLenientJson } from '../lenient-json.ts'
import { SESSION, SESSION_CATEGORY, type SessionRow } from './fields.ts'

/** Data that the reader passes on beside the row. */
export interface SessionOwn {
  /** Hash of the id; `null` for counted ones. */
  readonly session: bigint | null
  readonly person: bigint | null
}

type Fields = Readonly<Record<string, unknown>>

export function readSessions({ type, payload, envelope }: ItemInput): ItemAnswer {
  if (hasTooManyValues(payload)) return refuseSession('too_large')
  const read = readLenientJson(payload)
  if (!isObject(read)) return refuseSession(read === undefined ? 'invalid_json' : 'not_an_object')
  const place = readSessionPlace(read.attrs)
  if (place === null) return refuseSession('no_release')
  return type === 'sessions'
    ? readAggregates(read, { place, envelope })
    : readUpdate(read, { place, envelope })
}

interface Context {
  readonly place: Pick<SessionRow, 'release' | 'environment'>
  readonly envelope: EnvelopeContext
}

const STATUSES: Readonly<Record<string, keyof SessionCounts>> = byWord({
  errored: 'errored',
  unhandled: 'unhandled',
  abnormal: 'abnormal',
  crashed: 'crashed',
})

function readUpdate(read: Fields, { place, envelope }: Context): ItemAnswer {
  const startedMs = startOf(read.started, envelope)
  if (startedMs === null) return refuseSession('invalid_time')
  const state =
    STATUSES[String(read.status)] ?? (readWhole(read.errors, Number.MAX_SAFE_INTEGER) > 0 ? 'errored' : null)
  const id = readText(read.sid)
  const row: SessionRow = {
    ...sessionRow(envelope, {
      timestampMs: readSessionTime(read.timestamp) ?? envelope.receivedMs,
      startedMs,
    }),
    ...place,
    sessionId: readToken(id?.toLowerCase().replaceAll('-', '')),
    ...{ ...NONE, sessions: 1, ...(state === null ? {} : { [state]: 1 }) },
    sequence: typeof read.seq === 'number' ? readWhole(read.seq, Number.MAX_SAFE_INTEGER) : null,
    durationMs:
      typeof read.duration === 'number'
        ? readWhole(Math.round(read.duration * 1_000), Number.MAX_SAFE_INTEGER)
        : null,
    mechanism: readToken(read.abnormal_mechanism),
  }
  const own = { session: id === null ? null : hashSession(id), person: readPerson(read) }
  return stored({ rows: [pending(envelope, row, own)] })
}

function readAggregates(read: Fields, { place, envelope }: Context): ItemAnswer {
  if (!Array.isArray(read.aggregates)) return refuseSession('not_an_object')
  const entries: readonly unknown[] = read.aggregates
  const rows: PendingRow[] = []
  const outcomes: Outcome[] = []
  for (const entry of entries.slice(0, max('sessionBucketsMax'))) {
    if (!isObject(entry)) {
      outcomes.push(sessionRefusal('not_an_object'))
      continue
    }
    const startedMs = startOf(entry.started, envelope)
    if (startedMs === null) {
      outcomes.push(sessionRefusal('invalid_time'))
      continue
    }
    const counts = readCounts(entry)
    if (counts.sessions === 0) continue
    const row: SessionRow = {
      ...{
        ...sessionRow(envelope, { timestampMs: startedMs, startedMs }),
        ...place,
        sessionId: null,
        ...counts,
      },
      ...{ sequence: null, durationMs: null, mechanism: null },
    }
    rows.push(pending(envelope, row, { session: null, person: readPerson(entry) }))
  }
  const beyond = entries.length - max('sessionBucketsMax')
  if (beyond > 0) outcomes.push({ ...sessionRefusal('too_large'), quantity: beyond })
  return rows.length === 0 && outcomes.length === 0
    ? refuseSession('no_sessions')
    : stored({ rows, outcomes })
}

const NONE = { sessions: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 } as const
/** A text that is none may be anything, and nothing scrubs it: it is not kept. */
const TOKEN = /^[\w.:-]{1,64}$/

function readSessionPlace(attrs: unknown): Context['place'] | null {
  if (!isObject(attrs)) return null
  const release = readText(attrs.release)
  if (release === null || releaseNameRule(release) !== null) return null
  const environment = readText(attrs.environment)
  return { release, environment: environment !== null && isEnvironment(environment) ? environment : null }
}

function readCounts(entry: Fields): SessionCounts {
  const of = (name: string) => readWhole(entry[name], max('sessionsPerEntryMax'))
  const bad = {
    ...{ errored: of('errored'), unhandled: of('unhandled') },
    ...{ abnormal: of('abnormal'), crashed: of('crashed') },
  }
  const sessions = of('exited') + bad.errored + bad.unhandled + bad.abnormal + bad.crashed
  return { sessions, ...bad }
}

function sessionRow(
  { seq, projectId, receivedMs, retentionDays }: EnvelopeContext,
  times: Pick<SessionRow, 'timestampMs' | 'startedMs'>,
) {
  return { seq, projectId, receivedMs, retentionDays, day: dayOf(receivedMs), ...times }
}

function pending({ keyId }: EnvelopeContext, row: SessionRow, own: SessionOwn): PendingRow {
  return { kind: SESSION, row, keyId, payload: new Uint8Array(0), own }
}

/**
 * Never corrected by the client's clock: updates of one session come in several envelopes, and its start must be the
 * same in all of them. `null` for one that nobody can believe.
 */
function startOf(value: unknown, { receivedMs }: EnvelopeContext): number | null {
  const startedMs = readSessionTime(value)
  if (startedMs === null) return null
  const isBelieved =
    startedMs >= receivedMs - max('sessionAgeDaysMax') * DAY_MS &&
    startedMs <= receivedMs + max('sessionFutureMsMax')
  return isBelieved ? startedMs : null
}

function readSessionTime(value: unknown): number | null {
  const seconds = parseTime(value)
  return seconds === null ? null : Math.floor(seconds * 1_000)
}

function readPerson({ did }: Fields): bigint | null {
  const id = readText(typeof did === 'number' ? String(did) : did)
  return id === null ? null : hashSessionPerson(id)
}

function readText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text
}

function readToken(value: unknown): string | null {
  const text = readText(value)
  return text !== null && TOKEN.test(text) ? text : null
}

function readWhole(value: unknown, most: number): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), most) : 0
}

function refuseSession(reason: string): ItemAnswer {
  return refused(sessionRefusal(reason))
}

function sessionRefusal(reason: string): Outcome & { readonly outcome: 'invalid' } {
  return {
    outcome: 'invalid',
    reason,
    category: SESSION_CATEGORY,
    quantity: 1,
    example: EXAMPLES[reason] ?? 'session',
  }
}

const EXAMPLES: Readonly<Record<string, string>> = byWord({
  invalid_json: 'session that is no JSON',
  no_release: 'session without a release',
  invalid_time: 'session whose start is no time of these days',
  no_sessions: 'sessions item that counts none',
  too_large: 'counted sessions beyond the limit',
})
