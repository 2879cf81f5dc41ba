/** Values of OTLP: `{ "key": "a", "value": { "intValue": "1" } }` into plain ones. */
import { isObject, setOwn } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { RawObject } from '../reader.ts'

const DEPTH_MAX = max('otlpValueDepthMax')
/** Reads one more than is kept, so that the reader of attributes sees that there were more. */
const PAIRS_MAX = max('spanAttributesMax') + 1
const LIST_MAX = 64

/** A list of pairs as an object; the last of a name wins. */
export function plainOf(pairs: unknown, depth: number = DEPTH_MAX): RawObject {
  const plain: Record<string, unknown> = {}
  if (!Array.isArray(pairs)) return plain
  for (const pair of pairs.slice(0, PAIRS_MAX)) {
    if (!isObject(pair) || typeof pair.key !== 'string' || pair.key === '') continue
    const value = plainOtlpValue(pair.value, depth)
    if (value !== undefined) setOwn(plain, pair.key, value)
  }
  return plain
}

function plainOtlpValue(raw: unknown, depth: number): unknown {
  if (!isObject(raw) || depth <= 0) return undefined
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = raw
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  if (intValue !== undefined) return wholeOrText(intValue)
  if (doubleValue !== undefined) return otlpNumber(doubleValue)
  if (typeof bytesValue === 'string') return bytesValue
  if (isObject(arrayValue)) {
    const values = Array.isArray(arrayValue.values) ? arrayValue.values : []
    return values.slice(0, LIST_MAX).map((value: unknown) => plainOtlpValue(value, depth - 1))
  }
  return isObject(kvlistValue) ? plainOf(kvlistValue.values, depth - 1) : undefined
}

/** JavaScript writes a number, others a text; one that no double holds stays a text. */
function wholeOrText(value: unknown): number | string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined
  if (typeof value !== 'string' || !/^-?\d{1,20}(?:\.0+)?(?:[eE]\+?\d{1,2})?$/.test(value)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Texts are the forms that JSON has no number for, such as `NaN`. */
function otlpNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.length <= 32 && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
