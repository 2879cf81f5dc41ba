/** Attributes of spans: typed ones of span batches and bare ones of transactions, as one map of plain values. */
import { isObject, setOwn } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { AttributeValue } from '#model/span.ts'
import type { EventReader, RawObject } from '../reader.ts'

const KEYS_MAX = max('spanAttributesMax')
const CHARS_MAX = max('spanAttributeCharsMax')
const BYTES_MAX = max('spanAttributesBytesMax')
const KEY_CHARS = 200
const LIST_MAX = 64

/** `{ "name": { "type": "integer", "value": 200 } }`; a value that is not of its type is left out. */
export function readTypedAttributes(reader: EventReader, value: unknown): Record<string, AttributeValue> {
  return readEachAttribute(reader, reader.object(value, 'attributes'), { read: typedValue })
}

interface Apart {
  readonly attributes: Record<string, AttributeValue>
  readonly said: Record<string, AttributeValue>
}

/**
 * Reads typed attributes, those named in `aside` apart: taking them out of an object later makes it a slow one. Each
 * object is read once, however many spans share it, unless a problem was met that every one of them has to name.
 */
export function typedReader(reader: EventReader, aside: ReadonlySet<string>): (value: unknown) => Apart {
  const known = new Map<unknown, Apart & { readonly visits: number }>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) {
      reader.visitsLeft -= before.visits
      return before
    }
    const { met, visitsLeft } = reader
    const apart = readTypedApart(reader, value, aside)
    if (reader.met === met) known.set(value, { ...apart, visits: visitsLeft - reader.visitsLeft })
    return apart
  }
}

function readTypedApart(reader: EventReader, value: unknown, aside: ReadonlySet<string>): Apart {
  const said: Record<string, AttributeValue> = {}
  const apart = { read: typedValue, aside, said }
  return { attributes: readEachAttribute(reader, reader.object(value, 'attributes'), apart), said }
}

/** `{ "name": 200 }`, as `data` of transactions and stand-alone spans; objects become their JSON. */
export function readPlainAttributes(
  reader: EventReader,
  value: unknown,
  key = 'data',
): Record<string, AttributeValue> {
  return readEachAttribute(reader, reader.object(value, key), { read: plainAttribute })
}

interface Reading {
  readonly read: (reader: EventReader, raw: unknown) => AttributeValue | undefined
  readonly aside?: ReadonlySet<string>
  readonly said?: Record<string, AttributeValue>
}

function readEachAttribute(
  reader: EventReader,
  raw: RawObject | undefined,
  { read, aside, said }: Reading,
): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {}
  if (raw === undefined) return attributes
  let [count, bytes] = [0, 0]
  for (const key in raw) {
    if (count >= KEYS_MAX || bytes > BYTES_MAX || --reader.visitsLeft <= 0) {
      reader.problem('attributes', 'too_many', `${Object.keys(raw).length} attributes`)
      break
    }
    const value = read(reader, raw[key])
    if (value === undefined) continue
    count++
    bytes += key.length + attributeSize(value)
    if (said !== undefined && aside?.has(key) === true) said[key] = value
    else setOwn(attributes, reader.clean(key.length > KEY_CHARS ? key.slice(0, KEY_CHARS) : key), value)
  }
  return attributes
}

function typedValue(reader: EventReader, raw: unknown): AttributeValue | undefined {
  if (!isObject(raw)) return plainAttribute(reader, raw)
  const { type, value } = raw
  if (value === null || value === undefined) return undefined
  switch (type) {
    case 'string':
      return typeof value === 'string' ? attributeText(reader, value) : undefined
    case 'integer':
    case 'double':
      return attributeNumber(value, type === 'integer')
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'array':
    case 'string[]':
    case 'integer[]':
    case 'double[]':
    case 'boolean[]':
      return Array.isArray(value) ? attributeList(reader, value) : undefined
    default:
      return type === undefined ? plainAttribute(reader, value) : undefined
  }
}

/** Whole numbers beyond 2^53 come as texts, and stay texts. */
function attributeNumber(value: unknown, isWhole: boolean): AttributeValue | undefined {
  const number = typeof value === 'string' && value.length <= 32 && value !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  if (isWhole && !Number.isInteger(number)) return undefined
  return typeof value === 'string' && !Number.isSafeInteger(number) && isWhole ? value : number
}

function plainAttribute(reader: EventReader, raw: unknown): AttributeValue | undefined {
  if (typeof raw === 'string') return attributeText(reader, raw)
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined
  if (typeof raw === 'boolean') return raw
  if (Array.isArray(raw)) return attributeList(reader, raw)
  return isObject(raw) ? attributeText(reader, reader.jsonText(raw, CHARS_MAX)) : undefined
}

function attributeList(reader: EventReader, raw: readonly unknown[]): AttributeValue {
  return raw.slice(0, LIST_MAX).flatMap((one): (string | number | boolean)[] => {
    const value = Array.isArray(one) ? reader.jsonText(one, CHARS_MAX) : plainAttribute(reader, one)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [value] : []
  })
}

function attributeText(reader: EventReader, value: string): string {
  const text = reader.clean(value)
  return text.length <= CHARS_MAX ? text : reader.cut(text, 'attributes', CHARS_MAX)
}

function attributeSize(value: AttributeValue): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' ? value.reduce<number>((sum, one) => sum + String(one).length, 0) : 8
}
