/** Reads client reports into outcomes of the SDK. docs/wire.md, section "Client reports". */
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { Outcome } from '#model/outcome.ts'
import { accepted, type ItemAnswer, type ItemInput, refused } from '../item.ts'
import { readLenientJson } from '../lenient-json.ts'

const LISTS = [
  'discarded_events',
  'rate_limited_events',
  'filtered_events',
  'filtered_sampling_events',
] as const
const ENTRIES_MAX = max('clientReportEntriesMax')
const QUANTITY_MAX = max('outcomeQuantityMax')
const TOKEN = /^[\w.:-]{1,64}$/
const CATEGORY = /^[a-z][a-z0-9_]{0,39}$/

export function readClientReport({ payload }: ItemInput): ItemAnswer {
  const report = readLenientJson(payload)
  if (!isObject(report)) {
    return refuseMalformed(
      report === undefined ? 'invalid_json' : 'not_an_object',
      'a client report that is no JSON object',
    )
  }
  const entries = LISTS.flatMap((list) => listOf(report[list]))
  const outcomes = entries.slice(0, ENTRIES_MAX).flatMap(outcomeOf)
  if (entries.length > ENTRIES_MAX) {
    outcomes.push({ ...TOO_MANY, quantity: entries.length - ENTRIES_MAX })
  }
  return accepted(outcomes)
}

const TOO_MANY: Outcome = {
  outcome: 'invalid',
  reason: 'too_large',
  category: 'internal',
  quantity: 1,
  example: `client report with more than ${ENTRIES_MAX} entries`,
}

function refuseMalformed(reason: string, example: string): ItemAnswer {
  return refused({ outcome: 'invalid', reason, category: 'internal', quantity: 1, example })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function outcomeOf(entry: unknown): readonly Outcome[] {
  if (!isObject(entry))
    return [{ ...TOO_MANY, reason: 'not_an_object', example: 'client report entry that is no object' }]
  const quantity = readQuantity(entry.quantity)
  if (quantity === 0) return []
  return [
    {
      outcome: 'client_discard',
      reason: readReason(entry.reason),
      category:
        typeof entry.category === 'string' && CATEGORY.test(entry.category) ? entry.category : 'default',
      quantity,
      example: 'reported by the SDK itself',
    },
  ]
}

/** Any token is a reason; a text that is none may be anything and stays out of the counters. */
function readReason(reason: unknown): string {
  const token = typeof reason === 'string' ? reason.trim() : ''
  return TOKEN.test(token) ? token : 'unknown'
}

function readQuantity(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value
  if (number === undefined || number === null) return 1
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return 0
  return Math.min(Math.trunc(number), QUANTITY_MAX)
}
