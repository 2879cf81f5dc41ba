/** Web vitals of the document that is shown, as browsers measure them. https://web.dev/articles/vitals */

interface PageVitals {
  /** Returns values known by now: milliseconds by name, `cls` without a unit. */
  read(): Readonly<Record<string, number>>
  /** Nothing more is measured. */
  stop(): void
}

/** An entry as these types of it have it; each type has some of the fields. */
type Measured = PerformanceEntry & {
  readonly value?: number
  readonly hadRecentInput?: boolean
  readonly interactionId?: number
}

/** Shifts less than this apart, and within so long, count together. */
const SHIFT_GAP_MS = 1_000
const SHIFTS_MS = 5_000

export function watchVitals(): PageVitals {
  const vitals: Record<string, number> = {}
  const shifts = createShifts()
  const [navigation] = performance.getEntriesByType('navigation')
  if (navigation instanceof PerformanceNavigationTiming) vitals.ttfb = navigation.responseStart
  const stops = [
    watch('paint', (entry) => {
      if (entry.name === 'first-contentful-paint') vitals.fcp = entry.startTime
    }),
    watch('largest-contentful-paint', (entry) => {
      vitals.lcp = entry.startTime
    }),
    watch('layout-shift', (entry) => {
      if (entry.hadRecentInput !== true) vitals.cls = shifts.add(entry.startTime, entry.value ?? 0)
    }),
    watch('event', (entry) => {
      if ((entry.interactionId ?? 0) > 0) vitals.inp = Math.max(vitals.inp ?? 0, entry.duration)
    }),
  ]
  return {
    // Where nothing moved, nothing is measured: the best there is.
    read: () => ('lcp' in vitals ? { cls: 0, ...vitals } : vitals),
    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** Observes entries; types that the browser does not know are not measured. */
function watch(type: string, note: (entry: Measured) => void): () => void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return () => {}
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) note(entry)
  })
  observer.observe({ type, buffered: true })
  return () => observer.disconnect()
}

/** The worst stretch of shifts. */
function createShifts() {
  let [worst, sum, firstMs, lastMs] = [0, 0, 0, 0]
  return {
    add(atMs: number, value: number): number {
      const isSame = atMs - lastMs < SHIFT_GAP_MS && atMs - firstMs < SHIFTS_MS
      if (!isSame) [sum, firstMs] = [0, atMs]
      lastMs = atMs
      sum += value
      worst = Math.max(worst, sum)
      return worst
    },
  }
}
