/** Outcomes as a ledger: sent = stored + what this version does not support + why not. Pure; every sum here is a sum of what is shown. */
import type { OutcomesView } from '@errata/server/queries'

type OutcomeGroup = OutcomesView['groups'][number]
export type OutcomeName = NonNullable<OutcomeGroup['outcome']>

/** Columns of the ledger, in its order. */
export const COLUMNS = [
  { key: 'stored', label: 'stored', head: 'Stored', outcomes: ['accepted'] },
  {
    key: 'unsupported',
    label: 'not supported',
    head: 'Not supported',
    outcomes: ['unsupported'],
  },
  { key: 'filtered', label: 'filtered', head: 'Filtered', outcomes: ['filtered'] },
  {
    key: 'limited',
    label: 'limited',
    head: 'Limited',
    outcomes: ['rate_limited', 'abuse', 'cardinality_limited'],
  },
  { key: 'invalid', label: 'invalid', head: 'Invalid', outcomes: ['invalid'] },
  { key: 'dropped', label: 'dropped by the SDK', head: 'Dropped by SDK', outcomes: ['client_discard'] },
] as const satisfies readonly {
  readonly key: string
  readonly label: string
  readonly head: string
  readonly outcomes: readonly OutcomeName[]
}[]

/** Words for categories whose code name says little; others are shown as they are. */
const CATEGORY_WORDS: ReadonlyMap<string, string> = new Map([
  ['span', 'span (of traces)'],
  ['transaction', 'transaction (a request and its spans)'],
])

export function categoryText(category: string): string {
  return CATEGORY_WORDS.get(category) ?? category
}

export type ColumnKey = (typeof COLUMNS)[number]['key']
export type Amounts = Readonly<Record<ColumnKey, number>>

/** From the axis outwards. */
export const NOT_STORED: readonly ColumnKey[] = ['unsupported', 'dropped', 'filtered', 'limited', 'invalid']

export interface LedgerRow {
  readonly category: string
  readonly amounts: Amounts
  readonly sent: number
  readonly notStored: number
  /** Items that this version could have stored: the whole that the stored share refers to. */
  readonly supported: number
}

export interface Ledger {
  readonly all: LedgerRow
  /** Largest first. */
  readonly rows: readonly LedgerRow[]
  /** Amounts of each bucket of the view. */
  readonly buckets: readonly Amounts[]
}

export function outcomeColumn(outcome: OutcomeName): ColumnKey {
  return COLUMNS.find(({ outcomes }) => (outcomes as readonly string[]).includes(outcome))?.key ?? 'invalid' // widened for includes
}

export function ledgerOf(view: Pick<OutcomesView, 'groups' | 'buckets'>): Ledger {
  const byCategory = new Map<string, Record<ColumnKey, number>>()
  const buckets = view.buckets.map(() => emptyColumns())
  const all = emptyColumns()
  for (const { outcome, category, total, series } of view.groups) {
    if (outcome === undefined) continue
    const key = outcomeColumn(outcome)
    const name = category ?? 'other'
    const amounts = byCategory.get(name) ?? emptyColumns()
    amounts[key] += total
    all[key] += total
    byCategory.set(name, amounts)
    for (const [index, count] of series.entries()) {
      const bucket = buckets[index]
      if (bucket !== undefined) bucket[key] += count
    }
  }
  const rows = [...byCategory].map(([category, amounts]) => ledgerRow(category, amounts))
  return { all: ledgerRow('All', all), rows: rows.sort((a, b) => b.sent - a.sent), buckets }
}

/** Returns the part of a bucket that was not stored. */
export function notStored(amounts: Amounts): number {
  return NOT_STORED.reduce((sum, key) => sum + amounts[key], 0)
}

function ledgerRow(category: string, amounts: Amounts): LedgerRow {
  const hidden = notStored(amounts)
  const sent = amounts.stored + hidden
  return { category, amounts, sent, notStored: hidden, supported: sent - amounts.unsupported }
}

function emptyColumns(): Record<ColumnKey, number> {
  return { stored: 0, unsupported: 0, filtered: 0, limited: 0, invalid: 0, dropped: 0 }
}
