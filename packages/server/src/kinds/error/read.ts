/** Reads an error or a message: normalise, scrub, group, then what the stores keep of it. */

import { isObject } from '#base/json.ts'
import type { Filtered } from '#filter/filter.ts'
import { withProjectRules } from '#group/project-rules.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { type NormalizeContext, normalizeEvent } from '#normalize/normalize.ts'
import { scrubEvent } from '#scrub/scrub.ts'
import { symbolicateEvent } from '#symbolicate/symbolicate.ts'
import { type EnvelopeContext, type ItemAnswer, type ItemInput, onlyOutcome } from '../item.ts'
import { isPlainJson, parseJson, readLenientJson } from '../lenient-json.ts'
import { normalizeContext } from '../normalize-context.ts'
import { eventFacts } from './facts.ts'
import { CATEGORY, ERROR } from './fields.ts'
import { recogniseEvent } from './recognised.ts'
import { storedJson } from './stored-json.ts'

/** Old clients send these through the event endpoint; they have no store of their own yet. */
const OTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ['transaction', 'transaction'],
  ['feedback', 'feedback'],
  ['csp', 'security'],
])

export function readErrorEvent({ payload, envelope }: ItemInput): ItemAnswer {
  const json: EventJson = { bytes: payload, isPlain: isPlainJson(payload) }
  const read = readWithKnownParts(json, envelope) ?? readWhole(json, envelope)
  if (!read.ok) return refused(read, payload.length)
  const unwanted = envelope.filter?.(read.event, envelope) ?? null
  if (unwanted !== null) return filtered(unwanted)
  const { clientAddress, shared } = envelope
  const { event: written, missed } = symbolicateEvent(read.event, { maps: envelope.maps, shared })
  const scrubbed = scrubEvent(written, envelope.scrubber, { clientAddress, shared })
  const event = withProjectRules(scrubbed, envelope.groupingRules ?? [])
  const { row, ...own } = eventFacts(event, recogniseEvent(event, shared), {
    missedMaps: missed,
    shared,
    projectId: envelope.projectId,
    seq: envelope.seq,
    receivedMs: envelope.receivedMs,
    retentionDays: envelope.retentionDays,
  })
  const stored = { kind: ERROR, row, keyId: envelope.keyId, payload: storedJson(event, shared), own }
  return { rows: [stored], outcomes: [] }
}

interface Refusal {
  readonly ok: false
  readonly reason: string
  readonly category?: string
}
type EventAnswer = { readonly ok: true; readonly event: NormalizedEvent } | Refusal

interface EventJson {
  /** UTF-8. */
  readonly bytes: Uint8Array
  /** Without an escape that could write a NUL or half of a surrogate pair. */
  readonly isPlain: boolean
}

/** Of JSON that holds parts of earlier events; `null` when it holds none, or one in a place that is not theirs. */
function readWithKnownParts({ bytes, isPlain }: EventJson, envelope: EnvelopeContext): EventAnswer | null {
  const taken = envelope.shared.take(bytes)
  if (taken === null) return null
  const raw = parseJson(taken.text)
  if (raw === undefined) return null
  const answer = readRaw(raw, envelope, { isPlain, parts: { taken, shared: envelope.shared } })
  return taken.isUsedUp() ? answer : null
}

function readWhole({ bytes, isPlain }: EventJson, envelope: EnvelopeContext): EventAnswer {
  const raw = readLenientJson(bytes)
  return raw === undefined ? { ok: false, reason: 'invalid_json' } : readRaw(raw, envelope, { isPlain })
}

function readRaw(
  raw: unknown,
  envelope: EnvelopeContext,
  known: Pick<NormalizeContext, 'isPlain' | 'parts'>,
): EventAnswer {
  const other = isObject(raw) && typeof raw.type === 'string' ? OTHER_TYPES.get(raw.type) : undefined
  if (other !== undefined) return { ok: false, reason: 'unsupported_kind', category: other }
  return normalizeEvent(raw, {
    ...normalizeContext(envelope),
    ...known,
  })
}

function refused({ reason, category }: Refusal, bytes: number): ItemAnswer {
  const whose = { reason, category: category ?? CATEGORY, quantity: 1 }
  if (reason === 'unsupported_kind') {
    return onlyOutcome({ outcome: 'unsupported', ...whose, example: 'event item of another type' })
  }
  const example = `event of ${bytes} bytes${reason === 'invalid_json' ? ' that is no JSON' : ''}`
  return onlyOutcome({ outcome: 'invalid', ...whose, example })
}

function filtered({ rule, example }: Filtered): ItemAnswer {
  return onlyOutcome({ outcome: 'filtered', reason: rule, category: CATEGORY, quantity: 1, example })
}
