/** Outline of an envelope: kinds of its items, whether they are within limits, and its event id. */
import {
  ATTACHMENT_BYTES,
  categoryOf,
  type Envelope,
  type EnvelopeAnswer,
  type EnvelopeItem,
  isEventLike,
  needsEventId,
} from '@errata/protocol'
import { readEventId } from '#base/ids.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { ATTACHMENT_NAME } from '#model/large-item.ts'
import { isTooDeep, mayBeTooDeep, topLevelString } from './event-scan.ts'
import { envelopeInvalid, type Quantity, Refused } from './refusal.ts'

const NO_ITEMS: readonly number[] = []

export interface OutlineItem extends Quantity {
  readonly index: number
  readonly type: string
  /** Length of an attachment, which counts by bytes too. */
  readonly bytes?: number
}

/**
 * Reads the envelope that an answer outlines.
 * @throws Refused when the framing is broken: then all of it is refused.
 */
export function readOutline(answer: EnvelopeAnswer): Envelope {
  if (answer.ok) return answer.envelope
  if (answer.problem.code !== 'too_many_items') throw envelopeInvalid(answer.problem.cause)
  throw new Refused({
    code: 'body_too_large',
    detail: 'envelope exceeded size limits',
    causes: [answer.problem.cause],
    reason: 'too_large',
  })
}

/** Returns kind and quantity of each item. `aside`: lengths of payloads that are not in the envelope any more. */
export function outlineItems(
  envelope: Envelope,
  aside: ReadonlyMap<number, number> | null = null,
): readonly OutlineItem[] {
  return envelope.items.map(({ index, type, header, start, end }) => {
    const item = { index, type, ...categoryOf(type, header) }
    return type === ATTACHMENT_NAME ? { ...item, bytes: aside?.get(index) ?? end - start } : item
  })
}

/** Returns an item’s categories and quantities: an attachment counts as one, and by its bytes; none is not counted. */
export function quantitiesOf(item: Quantity & { readonly bytes?: number }): readonly Quantity[] {
  if (item.bytes === undefined) return [item]
  return [item, { category: ATTACHMENT_BYTES, quantity: Math.max(1, item.bytes) }]
}

/** Counts and sizes per kind. @throws Refused for the whole envelope when one is exceeded. */
export function checkLimits(envelope: Envelope, items: readonly OutlineItem[]): void {
  let eventLike = 0
  let reports = 0
  let reportBytes = 0
  for (const item of envelope.items) {
    const bytes = item.end - item.start
    if (isEventLike(item.type)) {
      if (++eventLike > max('eventItemsMax')) {
        throw refuseOversized(item.type, `at most ${max('eventItemsMax')} per envelope`, items)
      }
      if (bytes > max('eventBytesMax'))
        throw refuseOversized(item.type, `at most ${max('eventBytesMax')} bytes`, items)
    } else if (item.type === 'client_report') {
      reportBytes += bytes
      if (++reports > max('clientReportsMax')) {
        throw refuseOversized(item.type, `at most ${max('clientReportsMax')} per envelope`, items)
      }
      if (reportBytes > max('clientReportBytesMax')) {
        throw refuseOversized(item.type, `at most ${max('clientReportBytesMax')} bytes`, items)
      }
    } else if (item.type !== ATTACHMENT_NAME && bytes > max('itemBytesMax')) {
      throw refuseOversized('other', `at most ${max('itemBytesMax')} bytes`, items)
    }
  }
}

/** Events nested so deeply that no reader should try; only events have a reader that would. */
export function tooDeepItems(bytes: Uint8Array, envelope: Envelope): readonly number[] {
  const levelsMax = max('jsonDepthMax')
  let found = NO_ITEMS
  for (const item of envelope.items) {
    if (item.type !== 'event' || !mayBeTooDeep(bytes, item, levelsMax)) continue
    if (isTooDeep(bytes, item, levelsMax)) found = [...found, item.index]
  }
  return found
}

/**
 * The id that is answered and stored: the envelope's, else its event's own, else a new one where an item needs one;
 * `null` where none does.
 */
export function chooseEventId(bytes: Uint8Array, envelope: Envelope, random: Random): string | null {
  const fromHeader = readEventId(envelope.header.event_id)
  if (fromHeader !== null) return fromHeader
  const needing = envelope.items.filter((item) => needsEventId(item.type))
  if (needing.length === 0) return null
  const own = needing.find((item) => isEventLike(item.type))
  return (own === undefined ? null : payloadEventId(bytes, own)) ?? random.hex(16)
}

function payloadEventId(bytes: Uint8Array, item: EnvelopeItem): string | null {
  return readEventId(topLevelString(bytes, item, 'event_id'))
}

function refuseOversized(type: string, limit: string, quantities: readonly Quantity[]): Refused {
  return new Refused({
    code: 'body_too_large',
    detail: `envelope exceeded size limits for type '${type}' (${limit})`,
    reason: 'too_large',
    quantities,
  })
}
