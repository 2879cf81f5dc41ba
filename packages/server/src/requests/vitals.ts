/** Web vitals of a page, from wherever an SDK says them: its pageload segment, spans of their own, measurements. */
import { type Fragment, type Span, VITALS, type Vital } from '#model/span.ts'

export interface FoundVital {
  readonly vital: Vital
  /** Milliseconds; `cls` without unit. */
  readonly value: number
  readonly span: Span
}

const NAMES: ReadonlyMap<string, Vital> = new Map(
  VITALS.flatMap((vital) => [
    [`browser.web_vital.${vital}.value`, vital],
    [`measurement.${vital}`, vital],
  ]),
)
/** Spans of old browsers, whose value is among their measurements, or is how long they took. */
const OPS: ReadonlyMap<string, Vital> = new Map([
  ['ui.webvital.lcp', 'lcp'],
  ['ui.webvital.cls', 'cls'],
])
const INTERACTION = /^ui\.interaction\./
/** The public thresholds: good up to the first, poor beyond the second. https://web.dev/articles/vitals */
export const VITAL_THRESHOLDS: Readonly<Record<Vital, readonly [good: number, poor: number]>> = {
  lcp: [2_500, 4_000],
  inp: [200, 500],
  cls: [0.1, 0.25],
  fcp: [1_800, 3_000],
  ttfb: [800, 1_800],
}
/** Greatest value that counts; a page that took longer was left open, not slow. */
const VALUE_MAX = 600_000

/** Each vital of the fragment once: the last that is said. */
export function vitalsOf({ spans, platform }: Pick<Fragment, 'spans' | 'platform'>): readonly FoundVital[] {
  if (platform !== 'javascript') return []
  const found = new Map<Vital, FoundVital>()
  for (const span of spans) {
    for (const name in span.attributes) {
      const vital = NAMES.get(name)
      const value = Number(span.attributes[name])
      if (vital !== undefined && isValue(value)) found.set(vital, { vital, value, span })
    }
    const own = bareVital(span)
    if (own !== null && !found.has(own.vital)) found.set(own.vital, own)
  }
  return [...found.values()]
}

function isValue(value: number): boolean {
  return Number.isFinite(value) && value >= 0 && value <= VALUE_MAX
}

function bareVital(span: Span): FoundVital | null {
  const vital = OPS.get(span.op)
  if (vital === 'lcp' || INTERACTION.test(span.op)) {
    const value = Math.round((span.end_timestamp - span.start_timestamp) * 1_000)
    return value > 0 && isValue(value) ? { vital: vital ?? 'inp', value, span } : null
  }
  return null
}
