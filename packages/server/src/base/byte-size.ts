/** Sizes as people read and write them: `20GB`, `500 MiB`, `1.5 TB`, or plain bytes. */

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
  ['tb', 1e12],
  ['kib', 2 ** 10],
  ['mib', 2 ** 20],
  ['gib', 2 ** 30],
  ['tib', 2 ** 40],
])
const SIZE = /^(\d{1,15}(?:\.\d{1,6})?)\s*([kmgt]i?b|b)?$/i

/** Whole bytes, or `null` for a text that is no size. */
export function readByteSize(text: string): number | null {
  const match = SIZE.exec(text.trim())
  const unit = UNITS.get((match?.[2] ?? '').toLowerCase())
  if (match === null || unit === undefined) return null
  const bytes = Math.round(Number(match[1]) * unit)
  return Number.isSafeInteger(bytes) ? bytes : null
}

const SHOWN_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** `1 row`, `2 rows`. */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** `1.4 MiB`. */
export function byteSizeText(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 1_024 && unit < SHOWN_UNITS.length - 1) {
    value /= 1_024
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${SHOWN_UNITS[unit]}`
}
