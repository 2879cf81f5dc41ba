/** Numbers as people read them. One locale for all of them, so that server and browser print the same. */

const WHOLE = new Intl.NumberFormat('en-US')
const SHORT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** `1,284,410`. */
export function numberText(value: number): string {
  // Most numbers of a page have no group of three: the formatter takes ten times as long.
  return value > 0 && value < 1_000 && Number.isInteger(value) ? String(value) : WHOLE.format(value)
}

/** Formats a count; one that is not exact starts with `≈`. */
export function countText(value: number, exactness: 'exact' | 'approximate' = 'exact'): string {
  return exactness === 'exact' ? numberText(value) : `≈ ${numberText(value)}`
}

/** `1.2 M`, `38 k`, `214`: for buttons and sentences, where the place is short. */
export function shortNumberText(value: number): string {
  if (value >= 999_950) return `${SHORT.format(value / 1_000_000)} M`
  if (value >= 10_000) return `${SHORT.format(Math.round(value / 100) / 10)} k`
  return numberText(value)
}

/** `3 issues`, `1 issue`. `plural` defaults to `singular` and an s. */
export function quantityText(value: number, singular: string, plural = `${singular}s`): string {
  return `${numberText(value)} ${value === 1 ? singular : plural}`
}

/** Share of a whole as text: never "100 %" or "0 %" unless it is exactly so. */
export function shareText(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %'
  if (part >= whole) return '100 %'
  const percent = (part / whole) * 100
  if (percent < 0.01) return '< 0.01 %'
  if (percent < 0.1) return `${(Math.round(percent * 100) / 100).toFixed(2)} %`
  if (percent > 99.9) return '> 99.9 %'
  // A little less than half is added, so that half of a tenth goes down.
  return `${(Math.floor(percent * 10 + 0.5 - 1e-9) / 10).toFixed(1)} %`
}

/** `1.4 MiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? numberText(value) : SHORT.format(value)} ${units[unit]}`
}

/** A number at or above `value` that ends in zeros: where the line of an axis stands. */
export function roundUp(value: number): number {
  if (value <= 1) return 1
  const magnitude = 10 ** Math.floor(Math.log10(value))
  for (const step of [1, 2, 3, 4, 5, 6, 8, 10]) {
    if (value <= step * magnitude) return Math.max(1, Math.round(step * magnitude))
  }
  return Math.ceil(value)
}

const COUNTED_MAX = 99

/** Returns a count that is taken up to a bound: “99+” beyond it. */
export function boundedText(count: number): string {
  return count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count)
}
