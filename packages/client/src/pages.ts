/** Paging: `<…>; rel="next"; results="true"; cursor="0:25:0"`. */

const LINK = /<[^>]*>((?:\s*;\s*\w+="[^"]*")*)/g
const PARAMETER = /(\w+)="([^"]*)"/g

/** `null` where the header has no page of this name with rows. */
export function cursorOf(header: string | null, rel: 'previous' | 'next'): string | null {
  for (const [, parameters = ''] of (header ?? '').matchAll(LINK)) {
    const found = new Map([...parameters.matchAll(PARAMETER)].map(([, name, value]) => [name, value]))
    if (found.get('rel') === rel && found.get('results') === 'true') return found.get('cursor') ?? null
  }
  return null
}

/** Seconds, or the time when; `null` where nothing is said. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const ms = Date.parse(header)
  return Number.isNaN(ms) ? null : Math.max(0, Math.ceil((ms - nowMs) / 1_000))
}
