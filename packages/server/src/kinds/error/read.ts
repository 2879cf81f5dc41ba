/** Reads an error or a message: normalise, scrub, group, then what the stores keep of it. */

import { isObject } from '#base/json.ts'
import type { Filtered } from '#filter/filter.ts'
import { withProjectRules } from '#group/project-rules.ts'
import type { NormalizedEvent } from '#model/event.ts'
import type { SharedParts, TakenParts } from '#model/shared-parts.ts'
import { type NormalizeContext, normalizeEvent } from '#normalize/normalize.ts'
import { scrubEvent } from '#scrub/scrub.ts'
import { symbolicateEvent } from '#symbolicate/symbolicate.ts'
import {
  type EnvelopeContext,
  filtered,
  type ItemAnswer,
  type ItemInput,
  type ItemSteps,
  refused,
  stored,
} from '../item.ts'
import { isPlainJson, parseJson, readLenientJson } from '../lenient-json.ts'
import { normalizeContext } from '../normalize-context.ts'
import { eventFacts } from './facts.ts'
import { ERROR, ERROR_CATEGORY } from './fields.ts'
import { recogniseEvent, withBuildsKnown } from './recognised.ts'
import { storedJson } from './stored-json.ts'

/** Old clients send these through the event endpoint; they have no store of their own yet. */
const OTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ['transaction', 'transaction'],
  ['feedback', 'feedback'],
  ['csp', 'security'],
])

export function* readErrorEvent({ payload, envelope }: ItemInput): ItemSteps {
  const { clientAddress, shared } = envelope
  let json: EventJson | null = parsedEvent(payload, shared)
  yield
  const clean = cleanPartsOf(json, envelope)
  const read = readParsedEvent(json, envelope, clean)
  json = null // many are read together: what was parsed need not outlive the steps after it
  if (!read.ok) return refuseEvent(read, payload.length)
  const unwanted = envelope.filter?.(read.event, envelope) ?? null
  if (unwanted !== null && unwanted !== 'unfinished') return filteredBy(unwanted)
  const kept = unwanted === null ? read.event : withUnfinished(read.event)
  yield
  const { event: written, missed, frames } = symbolicateEvent(kept, { maps: envelope.maps, shared })
  yield
  const scrubbed = scrubEvent(written, envelope.scrubber, { clientAddress, shared, clean })
  yield
  const ruled = withProjectRules(scrubbed, envelope.groupingRules ?? [])
  const first = recogniseEvent(ruled, shared)
  const builds = { deploys: envelope.deploys, trace: envelope.header.trace }
  const event = withBuildsKnown(ruled, builds, first.recognised)
  const recognised = event === ruled ? first : recogniseEvent(event, shared)
  yield
  const { row, ...own } = eventFacts(event, recognised, {
    missedMaps: missed,
    mapFrames: frames,
    shared,
    ...(envelope.routes && { routes: envelope.routes }),
    projectId: envelope.projectId,
    seq: envelope.seq,
    receivedMs: envelope.receivedMs,
    sentAt: envelope.header.sent_at,
    trace: envelope.header.trace,
    retentionDays: envelope.retentionDays,
  })
  yield
  const pending = { kind: ERROR, row, keyId: envelope.keyId, payload: storedJson(event, shared), own }
  return stored({ rows: [pending] })
}

/** It stays, and says that not all filters were asked. */
function withUnfinished(event: NormalizedEvent): NormalizedEvent {
  return { ...event, problems: [...event.problems, { path: 'filters', rule: 'filters_budget' }] }
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
  /** With tokens for `taken`, where it holds parts of earlier events; `undefined`: no JSON. */
  readonly raw: unknown
  readonly taken: TakenParts | null
  /** Parsed bytes in UTF-8; `null` if a lenient reader had to mend them. */
  readonly scanned: Buffer | null
}

function parsedEvent(bytes: Uint8Array, shared: SharedParts): EventJson {
  const isPlain = isPlainJson(bytes)
  const taken = shared.take(bytes)
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const raw = parseJson(taken === null ? whole.toString('utf8') : taken.text)
  if (raw !== undefined) return { bytes, isPlain, raw, taken, scanned: taken?.bytes ?? whole }
  return { bytes, isPlain, raw: readLenientJson(bytes), taken: null, scanned: null }
}

/** Returns what the bytes tell of the event's parts, for JSON that was read as it came alone. */
function cleanPartsOf({ scanned }: EventJson, { scrubber }: EnvelopeContext) {
  const verdicts = scanned === null ? null : (scrubber.scan?.of(scanned, scrubber.keys) ?? null)
  if (scanned === null || verdicts === null) return undefined
  const { crumbs, contexts, isExtraClean, texts } = verdicts
  return { crumbs, contexts, isExtraClean, texts, json: scanned, objects: new Set<object>() }
}

function readParsedEvent(
  json: EventJson,
  envelope: EnvelopeContext,
  clean: NormalizeContext['clean'],
): EventAnswer {
  const { bytes, isPlain, raw, taken } = json
  if (raw === undefined) return { ok: false, reason: 'invalid_json' }
  if (taken === null) return readRaw(raw, envelope, { isPlain, clean })
  const parts = { taken, shared: envelope.shared }
  const answer = readRaw(raw, envelope, { isPlain, parts, clean })
  // A part stands in a place that is not its own.
  return taken.isUsedUp() ? answer : readRaw(readLenientJson(bytes), envelope, { isPlain })
}

function readRaw(
  raw: unknown,
  envelope: EnvelopeContext,
  known: Pick<NormalizeContext, 'isPlain' | 'parts' | 'clean'>,
): EventAnswer {
  const other = isObject(raw) && typeof raw.type === 'string' ? OTHER_TYPES.get(raw.type) : undefined
  if (other !== undefined) return { ok: false, reason: 'unsupported_kind', category: other }
  return normalizeEvent(raw, {
    ...normalizeContext(envelope),
    ...known,
  })
}

function refuseEvent({ reason, category }: Refusal, bytes: number): ItemAnswer {
  const whose = { reason, category: category ?? ERROR_CATEGORY, quantity: 1 }
  if (reason === 'unsupported_kind') {
    return refused({ outcome: 'unsupported', ...whose, example: 'event item of another type' })
  }
  const example = `event of ${bytes} bytes${reason === 'invalid_json' ? ' that is no JSON' : ''}`
  return refused({ outcome: 'invalid', ...whose, example })
}

function filteredBy({ rule, example }: Filtered): ItemAnswer {
  return filtered({ reason: rule, category: ERROR_CATEGORY, quantity: 1, example })
}
