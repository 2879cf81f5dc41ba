/**
 * Steps that most readers share: read JSON, believe a time, bound what is said, take secrets out, make a row.
 * Everything is bounded before anything is scrubbed, and nothing of a row comes from the payload unscrubbed.
 */
import { dayOf, type EventId, eventId, readEventId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { PendingRow } from '#model/batch.ts'
import type { NormalizedEvent } from '#model/event.ts'
import type { RowTable, StoredRow } from '#model/fields.ts'
import { clockDrift, isBelievable, parseTime } from '#normalize/time.ts'
import { scrubEvent } from '#scrub/scrub.ts'
import { accepted, type EnvelopeContext, type ItemAnswer, type ItemInput, refused, stored } from './item.ts'
import { hasTooManyValues, readLenientJson } from './lenient-json.ts'
import { personKeys } from './person-keys.ts'

export type Pairs = readonly (readonly [string, string])[]

/** Returns the object that an item's payload is, or the refusal of one that is none. */
export function readItem(
  { type, payload }: Pick<ItemInput, 'type' | 'payload'>,
  category: string,
):
  | { readonly ok: true; readonly said: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly answer: ItemAnswer } {
  const said = hasTooManyValues(payload) ? null : readLenientJson(payload)
  if (isObject(said)) return { ok: true, said }
  const reason = said === null ? 'too_large' : said === undefined ? 'invalid_json' : 'not_an_object'
  return { ok: false, answer: refusedItem({ type, category, reason }) }
}

/**
 * Reads an item that holds others, `{"items": […]}`, one by one: what became of each is answered for, and one that holds
 * none is accepted.
 */
export function readEach(
  { type, payload }: Pick<ItemInput, 'type' | 'payload'>,
  category: string,
  readOne: (said: Readonly<Record<string, unknown>>) => ItemAnswer,
): ItemAnswer {
  const read = readItem({ type, payload }, category)
  if (!read.ok) return read.answer
  const { items } = read.said
  if (!Array.isArray(items)) return refusedItem({ type, category, reason: 'no_items' })
  const answers = items.map((said: unknown) =>
    isObject(said) ? readOne(said) : refusedItem({ type, category, reason: 'not_an_object' }),
  )
  const [rows, outcomes] = [answers.flatMap((one) => one.rows), answers.flatMap((one) => one.outcomes)]
  return rows.length + outcomes.length === 0 ? accepted([]) : stored({ rows, outcomes })
}

/** Refuses an item for a reason such as `no_text`, which people see in what was not stored. */
export function refusedItem({
  type,
  category,
  reason,
}: {
  readonly type: string
  readonly category: string
  readonly reason: string
}): ItemAnswer {
  return refused({ outcome: 'invalid', reason, category, quantity: 1, example: `${type} item: ${reason}` })
}

/** The fields of every row. A time that nobody can believe is that of receipt. */
export function rowBase(
  { seq, projectId, receivedMs, retentionDays, header }: EnvelopeContext,
  time?: unknown,
): StoredRow {
  const sent = time === undefined || time === null ? null : parseTime(time)
  const corrected = sent === null ? null : sent + clockDrift({ receivedMs, sentAt: header.sent_at })
  const isBelieved = corrected !== null && isBelievable(corrected, receivedMs / 1_000)
  const timestampMs = isBelieved ? Math.round(corrected * 1e6) / 1e3 : receivedMs
  return { seq, projectId, receivedMs, retentionDays, day: dayOf(receivedMs), timestampMs }
}

/** Row of an item as a reader hands it on. */
export function plainRow<R extends StoredRow>(
  table: RowTable<R>,
  row: R,
  { keyId }: Pick<EnvelopeContext, 'keyId'>,
): PendingRow {
  return { kind: table.kind, row, keyId, payload: NO_PAYLOAD, own: null }
}

const NO_PAYLOAD = new Uint8Array(0)

/** A text without what nothing can store, cut to its bound; `null` for what is none, or empty. */
export function plainText(value: unknown, charsMax = max('plainTextCharsMax')): string | null {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') return null
  const plain = text.slice(0, charsMax).replaceAll('\0', '').toWellFormed().trim()
  return plain === '' ? null : plain
}

/** A short text such as a name. */
export function plainName(value: unknown): string | null {
  return plainText(value, max('plainNameCharsMax'))
}

/** Returns the word that a value is, in any case; `null` for anything else. */
export function plainWord<const T extends string>(words: readonly T[], value: unknown): T | null {
  const wanted = plainName(value)?.toLowerCase()
  return words.find((word) => word.toLowerCase() === wanted) ?? null
}

/** A number, also one that is written as text; `null` for what is none. */
export function readPlainNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** A whole number below 2^53; `null` for what is none. */
export function plainWhole(value: unknown): number | null {
  const number = readPlainNumber(value)
  return number !== null && Number.isSafeInteger(number) ? number : null
}

/** Reads a flag. `null` for what is neither true nor false. */
export function plainFlag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** Milliseconds since 1970 UTC of a time as SDKs write them; `null` for what is none. */
export function plainTime(value: unknown): number | null {
  const seconds = parseTime(value)
  return seconds === null ? null : Math.round(seconds * 1_000)
}

/** Texts of a list, each once. */
export function plainList(value: unknown): readonly string[] {
  const texts = (Array.isArray(value) ? value.slice(0, max('plainListMax')) : []).map(plainName)
  return [...new Set(texts.filter((text) => text !== null))]
}

/**
 * Pairs of an object, sorted by key. Attributes with a type, `{"type": "string", "value": "gold"}`, are their value; what is
 * no text, number or flag is written as JSON.
 */
export function plainPairs(value: unknown): Pairs {
  if (!isObject(value)) return []
  const pairs = new Map<string, string>()
  for (const key in value) {
    if (pairs.size >= max('plainPairsMax')) break
    const [name, text] = [
      plainText(key, max('tagKeyCharsMax')),
      plainText(valueText(untypeValue(value[key])), max('plainNameCharsMax')),
    ]
    if (name !== null && text !== null) pairs.set(name, text)
  }
  return [...pairs].sort(([one], [other]) => (one < other ? -1 : 1))
}

function untypeValue(value: unknown): unknown {
  return isObject(value) && typeof value.type === 'string' && 'value' in value ? value.value : value
}

function valueText(value: unknown): unknown {
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : value
}

/** The id that tells an item from a repeat of it, of 32 hex characters with or without dashes; `null` for none. */
export function plainId(value: unknown): EventId | null {
  const id = readEventId(value)
  return id === null ? null : eventId(id)
}

/** Parts of an item that may hold secrets. */
interface Said<Name extends string, List extends string> {
  readonly texts: Readonly<Record<Name, string | null>>
  readonly lists?: Readonly<Record<List, readonly string[]>>
  readonly pairs?: Pairs
  /** Person whom the item is about: an object with `id`, `email`, `username` or `ip_address`. */
  readonly user?: unknown
}

/** The same without them. */
interface Scrubbed<Name extends string, List extends string> {
  /** A text by its name; `null` for one that is not there. */
  text(name: Name): string | null
  list(name: List): readonly string[]
  readonly pairs: Pairs
  /** Every name of the user, as rows name people. */
  readonly people: readonly string[]
}

/** Takes secrets out of what an item says, by the rules of its project: by key, by form, and addresses as it wants. */
export function scrubItem<Name extends string, List extends string>(
  said: Said<Name, List>,
  { scrubber, clientAddress }: Pick<EnvelopeContext, 'scrubber' | 'clientAddress'>,
): Scrubbed<Name, List> {
  const { texts, lists = {}, pairs = [] } = said
  const user = plainUser(said.user)
  const event: NormalizedEvent = {
    ...NO_EVENT,
    extra: { texts, lists, pairs: Object.fromEntries(pairs) },
    ...(user === undefined ? {} : { user }),
  }
  const { extra = {}, user: known } = scrubEvent(event, scrubber, { clientAddress })
  const [cleanTexts, cleanLists] = [objectParts(extra.texts), objectParts(extra.lists)]
  return {
    text: (name) => plainText(cleanTexts[name]),
    list: (name) => plainList(cleanLists[name]),
    ...{ pairs: plainPairs(extra.pairs), people: personKeys(known) },
  }
}

function objectParts(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

const NO_EVENT: NormalizedEvent = {
  event_id: eventId('0'.repeat(32)),
  ...{ timestamp: 0, received: 0, level: 'info', platform: 'other', tags: [], problems: [] },
}

function plainUser(value: unknown): NormalizedEvent['user'] {
  if (!isObject(value)) return undefined
  const names = ['id', 'email', 'username', 'ip_address'].flatMap((name) => {
    const text = plainName(value[name])
    return text === null ? [] : [[name, text] as const]
  })
  return names.length === 0 ? undefined : Object.fromEntries(names)
}
