/** The address of the search of traces in parts. Pure. */
import { type AddressOf, type AddressTable, queryOf } from '#parts/address.ts'
import { CHOSEN } from '#parts/chosen-range.ts'
import { RANGES } from '#parts/ranges.ts'
import { valueTerm } from '#parts/search-token.ts'

/** The address: a change starts again on the first page, and another range takes the place of what was chosen on a chart. */
export const TRACES = {
  query: { type: 'search', first: '' },
  project: { type: 'value', first: null },
  range: { type: 'choice', first: '24h', of: RANGES, unless: 'chosen' },
  chosen: CHOSEN,
  /** How the chart is drawn; `null`: as suits how many there are. */
  chart: { type: 'choice', first: null, of: ['heat', 'marks'] },
  sort: { type: 'choice', first: 'newest', of: ['newest', 'slowest'] },
  cursor: { type: 'value', first: null, resetBy: 'all' },
} as const satisfies AddressTable

export type TracesAddress = AddressOf<typeof TRACES>

export const tracesQuery = queryOf(TRACES)

/** How the term of a tag’s value is typed. */
export function facetTerm(tag: string, value: string): string {
  return valueTerm({ key: tag === 'request_kind' ? 'kind' : tag, value, negated: false })
}

/** The search with another key for one that no request has. */
export function withKey(query: string, key: string, other: string): string {
  return ` ${query}`.replaceAll(` ${key}:`, ` ${other}:`).trimStart()
}

const searchKey = (tag: string) => (tag === 'request_kind' ? 'kind' : tag)

/** A term of the key, alone or with a list of values; a quoted value may have spaces. */
function termPattern(tag: string): RegExp {
  const key = searchKey(tag).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?:^|\\s)${key}:(\\[[^\\]]*\\]|"(?:[^"\\\\]|\\\\.)*"|[^\\s]+)(?=\\s|$)`)
}

const VALUES = /"(?:[^"\\]|\\.)*"|[^,\s[\]]+/g

/** Returns the values that a search asks of a tag: any of them is meant. */
export function chosenValues(query: string, tag: string): readonly string[] {
  const [, written = ''] = termPattern(tag).exec(query) ?? []
  const values = written.startsWith('[') ? (written.match(VALUES) ?? []) : written === '' ? [] : [written]
  return values.map((value) =>
    (value.startsWith('"') ? value.slice(1, -1) : value).replaceAll(/\\(.)/g, '$1'),
  )
}

/** Returns the search with other values for a tag: none, one, or a list of which any is meant. */
export function withTagValues(query: string, tag: string, values: readonly string[]): string {
  const texts = values.map((value) => valueTerm({ key: null, value, negated: false }))
  const key = searchKey(tag)
  const term =
    texts.length === 0 ? '' : texts.length === 1 ? `${key}:${texts[0]}` : `${key}:[${texts.join(', ')}]`
  const found = termPattern(tag).exec(query)
  if (found === null) return `${query} ${term}`.trim()
  const after = query.slice(found.index + found[0].length)
  return `${query.slice(0, found.index)} ${term}${after}`.replaceAll(/\s{2,}/g, ' ').trim()
}

/** The search with these bounds of duration in place of those that it has. */
export function withDurations(
  query: string,
  { low, high }: { readonly low: number; readonly high: number },
): string {
  const kept = ` ${query} `.replace(/ !?duration:(?:"[^"]*"|\S+)(?= )/g, '').trim()
  const least = low > HEAT_LEAST_MS ? low : 0
  return `${kept} duration:>=${boundText(least)} duration:<${boundText(high)}`.trim()
}

/** Least duration that a heat map tells apart: its lowest row has all that took less, too. */
const HEAT_LEAST_MS = 0.1

/** Writes microseconds, as SDKs measure them: what lies beside a cell is not among what it opens. */
function boundText(ms: number): string {
  return `${Number(ms.toFixed(3))}ms`
}
