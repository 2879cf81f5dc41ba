/** Sessions of the sample organisation: how much each release is used, and how often it crashes. */
import { DEMO_DAYS, type DemoItem, RELEASES } from './plan-events.ts'

const HOUR_MS = 3_600_000
const SPAN_MS = DEMO_DAYS * 24 * HOUR_MS
const PEOPLE = 900
/** People who come in the busiest hour. */
const BUSY = 34
/** A release takes over within about a day: people keep tabs open. */
const TAKES_OVER_MS = 9 * HOUR_MS
/** Shares of sessions by the release's place: the newest crashes more, which is what its page is for. */
const CRASHES = [0.004, 0.006, 0.004, 0.024] as const
const ERRORS = 0.021
const ABNORMAL = 0.0004
const STAGING = 0.03

interface Sampled {
  readonly project: string
  /** Package of the releases, which stands before the `@`. */
  readonly package: string
}

interface Planned {
  readonly nowMs: number
  /** Answers numbers in [0, 1). */
  readonly random: () => number
}

/** An item an hour, release and environment: each person's sessions of that hour in one entry. Oldest first. */
export function planSessions(of: Sampled, { nowMs, random }: Planned): readonly DemoItem[] {
  const items: DemoItem[] = []
  const firstHour = Math.ceil((nowMs - SPAN_MS) / HOUR_MS)
  for (let hour = firstHour; hour * HOUR_MS < nowMs; hour++) {
    const startMs = hour * HOUR_MS
    const lengthMs = Math.min(HOUR_MS, nowMs - startMs)
    for (const [place, people] of visits(startMs, { nowMs, random, part: lengthMs / HOUR_MS })) {
      const places = Map.groupBy(people, () => (random() < STAGING ? 'staging' : 'production'))
      for (const [environment, those] of places) {
        const visit = { startMs, lengthMs, place, random }
        const known = those.map((person) => entry(person, visit))
        const aggregates =
          environment === 'production' ? [...known, unnamedSessions(known.length, visit)] : known
        const attrs = { release: `${of.package}@${RELEASES[place]?.[1] ?? ''}`, environment }
        const atMs = startMs + lengthMs - 1
        items.push({ project: of.project, type: 'sessions', payload: { aggregates, attrs }, atMs })
      }
    }
  }
  return items
}

interface Hour extends Planned {
  /** Part of the hour that has passed. */
  readonly part: number
}

/** Returns visitors of an hour, by the place of the release they run. */
function visits(startMs: number, { nowMs, random, part }: Hour): ReadonlyMap<number, readonly number[]> {
  const daily = 0.55 - 0.45 * Math.cos(((startMs / HOUR_MS - 3) / 24) * 2 * Math.PI)
  const count = Math.round(BUSY * daily * part * (0.85 + 0.3 * random()))
  const byRelease = new Map<number, number[]>()
  for (let visit = 0; visit < count; visit++) {
    const place = releaseOf(startMs, { nowMs, random })
    const people = byRelease.get(place) ?? []
    byRelease.set(place, people)
    people.push(Math.floor(random() ** 1.4 * PEOPLE))
  }
  return byRelease
}

/** The newest that the visitor has reached: each one that is out is skipped with a chance that falls with its age. */
function releaseOf(atMs: number, { nowMs, random }: Planned): number {
  for (let place = RELEASES.length - 1; place > 0; place--) {
    const outMs = nowMs - SPAN_MS * (1 - (RELEASES[place]?.[0] ?? 0))
    const age = atMs - outMs
    if (age >= 0 && random() < 1 - Math.exp(-(age + HOUR_MS) / TAKES_OVER_MS)) return place
  }
  return 0
}

interface Visit {
  readonly startMs: number
  readonly lengthMs: number
  readonly place: number
  readonly random: () => number
}

function entry(person: number, { startMs, lengthMs, place, random }: Visit) {
  const started = new Date(Math.floor(startMs + random() * lengthMs)).toISOString()
  const sessions = 1 + Math.floor(random() ** 3 * 4)
  const counts = { exited: 0, errored: 0, abnormal: 0, crashed: 0 }
  for (let session = 0; session < sessions; session++) counts[outcome(CRASHES[place] ?? 0, random())]++
  return { started, did: `u-${person}`, ...counts }
}

/** Visitors of apps that name nobody, per named visitor. */
const UNNAMED = 22

function unnamedSessions(named: number, { startMs, place, random }: Visit) {
  const all = Math.round(named * UNNAMED * (0.9 + 0.2 * random()))
  const crashed = Math.round(all * (CRASHES[place] ?? 0) * (0.7 + 0.6 * random()))
  const errored = Math.round(all * ERRORS)
  return {
    started: new Date(startMs).toISOString(),
    exited: all - crashed - errored,
    errored,
    abnormal: 0,
    crashed,
  }
}

function outcome(crashes: number, chance: number) {
  if (chance < crashes) return 'crashed'
  if (chance < crashes + ABNORMAL) return 'abnormal'
  return chance < crashes + ABNORMAL + ERRORS ? 'errored' : 'exited'
}
