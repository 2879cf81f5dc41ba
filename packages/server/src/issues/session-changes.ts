/**
 * Changes that a batch of sessions makes, without a store. A session counts once, in the hour of its start, as the worst
 * that any of its updates said: so neither their order nor a repeat matters, and a lost one takes nothing back.
 *
 * ```
 *  healthy ─▶ errored ─▶ unhandled ─▶ abnormal ─▶ crashed      never to the left
 * ```
 */
import { HOUR_MS } from '#base/durations.ts'
import type { KeyId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { SessionCounts, SessionDelta } from '#ports/health.ts'

const WORSE = ['errored', 'unhandled', 'abnormal', 'crashed'] as const

/** Place where a session is counted. An environment without a name is empty. */
export interface HealthPlace {
  readonly projectId: ProjectId
  readonly release: string
  readonly environment: string
  /** Since 1970. */
  readonly hour: number
}

/** Session that may still change. */
export interface KnownSession {
  readonly place: HealthPlace
  /** 0: healthy. The others are places in `WORSE`, from 1 on. */
  readonly severity: number
  readonly people: readonly bigint[]
}

/** Additions to one place. Counts may be negative: a session that was healthy is errored now. */
export interface HealthAddition {
  readonly place: HealthPlace
  readonly counts: SessionCounts
  readonly people: ReadonlySet<bigint>
  readonly crashedPeople: ReadonlySet<bigint>
}

export interface ChangedSession extends KnownSession {
  readonly session: bigint
}

/** Session that is stored and not counted. */
export interface LeftOutSession {
  readonly projectId: ProjectId
  readonly keyId: KeyId
  readonly receivedMs: number
  readonly reason: 'too_many_releases' | 'too_many_sessions'
}

export interface SessionChanges {
  readonly sessions: readonly ChangedSession[]
  readonly additions: readonly HealthAddition[]
  readonly leftOut: readonly LeftOutSession[]
}

/** Stored sessions and places before the batch. */
export interface SessionsThere {
  /** By `projectSessionKey`. */
  readonly sessions: ReadonlyMap<string, KnownSession>
  /** Places of the batch that are counted already, by `placeKey`. */
  readonly places: ReadonlySet<string>
  /** How many there are in hours of projects in which one begins, by `hourKey`. */
  readonly placesInHour: ReadonlyMap<string, number>
  /** Sessions of each project that may still change. */
  readonly remembered: Pick<ReadonlyMap<ProjectId, number>, 'get'>
}

export function sessionChanges(deltas: readonly SessionDelta[], before: SessionsThere): SessionChanges {
  const changes = new Changes(before)
  for (const delta of deltas) changes.add(delta)
  return changes
}

/** Returns the places in which sessions of the batch began, each once. */
export function placesToAsk(deltas: readonly SessionDelta[]): readonly HealthPlace[] {
  return [...new Map(deltas.map(sessionPlace).map((place) => [healthPlaceKey(place), place])).values()]
}

/** Returns sessions that are told apart, each once, with their keys. */
export function sessionsToAsk(
  deltas: readonly SessionDelta[],
): readonly { readonly key: string; readonly projectId: ProjectId; readonly session: bigint }[] {
  const named = deltas.flatMap(({ projectId, session }) =>
    session === null ? [] : [{ key: projectSessionKey(projectId, session), projectId, session }],
  )
  return [...new Map(named.map((one) => [one.key, one])).values()]
}

export const NO_SESSIONS: SessionCounts = { sessions: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }

export function addCounts(a: SessionCounts, b: SessionCounts): SessionCounts {
  return {
    sessions: a.sessions + b.sessions,
    errored: a.errored + b.errored,
    unhandled: a.unhandled + b.unhandled,
    abnormal: a.abnormal + b.abnormal,
    crashed: a.crashed + b.crashed,
  }
}

interface OpenAddition extends HealthAddition {
  counts: SessionCounts
  readonly people: Set<bigint>
  readonly crashedPeople: Set<bigint>
}

class Changes implements SessionChanges {
  readonly leftOut: LeftOutSession[] = []
  readonly #before: SessionsThere
  readonly #sessions = new Map<string, ChangedSession>()
  readonly #additions = new Map<string, OpenAddition>()
  /** Numbers of hours and projects that the batch adds to. */
  readonly #places = new Map<string, number>()
  readonly #remembered = new Map<ProjectId, number>()

  constructor(before: SessionsThere) {
    this.#before = before
  }

  get sessions(): readonly ChangedSession[] {
    return [...this.#sessions.values()]
  }

  get additions(): readonly HealthAddition[] {
    return [...this.#additions.values()]
  }

  add(delta: SessionDelta): void {
    const { projectId, session } = delta
    const key = session === null ? null : projectSessionKey(projectId, session)
    const known = key === null ? undefined : (this.#sessions.get(key) ?? this.#before.sessions.get(key))
    if (session === null || known === undefined) this.#begin(delta)
    else this.#continue({ ...known, session }, delta)
  }

  #begin(delta: SessionDelta): void {
    const { projectId, session, counts, person } = delta
    const place = sessionPlace(delta)
    const remembered = this.#remembered.get(projectId) ?? this.#before.remembered.get(projectId) ?? 0
    if (session !== null && remembered >= max('sessionsRememberedMax')) {
      this.#leaveOut(delta, 'too_many_sessions')
      return
    }
    const addition = this.#addition(place)
    if (addition === null) {
      this.#leaveOut(delta, 'too_many_releases')
      return
    }
    addition.counts = addCounts(addition.counts, counts)
    if (person !== null) {
      addition.people.add(person)
      if (counts.crashed > 0) addition.crashedPeople.add(person)
    }
    if (session === null) return
    this.#remembered.set(projectId, remembered + 1)
    const people = person === null ? [] : [person]
    this.#sessions.set(projectSessionKey(projectId, session), {
      ...{ session, place, severity: severityOf(counts), people },
    })
  }

  #continue(known: ChangedSession, { person, counts }: SessionDelta): void {
    const severity = Math.max(known.severity, severityOf(counts))
    const people = withPerson(known.people, person)
    if (severity === known.severity && people === known.people) return
    const addition = this.#open(known.place)
    addition.counts = addCounts(addition.counts, moveCounts(known.severity, severity))
    for (const one of people) {
      addition.people.add(one)
      if (severity === WORSE.length) addition.crashedPeople.add(one)
    }
    this.#sessions.set(projectSessionKey(known.place.projectId, known.session), {
      ...known,
      severity,
      people,
    })
  }

  /** `null` where the hour has as many places as it may. */
  #addition(place: HealthPlace): OpenAddition | null {
    const open = this.#additions.get(healthPlaceKey(place))
    if (open !== undefined) return open
    if (this.#before.places.has(healthPlaceKey(place))) return this.#open(place)
    const hour = hourKey(place)
    const places = this.#places.get(hour) ?? this.#before.placesInHour.get(hour) ?? 0
    if (places >= max('healthPlacesPerHourMax')) return null
    this.#places.set(hour, places + 1)
    return this.#open(place)
  }

  #open(place: HealthPlace): OpenAddition {
    const key = healthPlaceKey(place)
    const known = this.#additions.get(key)
    if (known !== undefined) return known
    const open = { place, counts: NO_SESSIONS, people: new Set<bigint>(), crashedPeople: new Set<bigint>() }
    this.#additions.set(key, open)
    return open
  }

  #leaveOut({ projectId, keyId, receivedMs }: SessionDelta, reason: LeftOutSession['reason']): void {
    this.leftOut.push({ projectId, keyId, receivedMs, reason })
  }
}

/** A start that is ahead of the receipt is a clock that is wrong. */
function sessionPlace({ projectId, release, environment, startedMs, receivedMs }: SessionDelta): HealthPlace {
  const hour = Math.floor(Math.min(startedMs, receivedMs) / HOUR_MS)
  return { projectId, release, environment, hour }
}

function severityOf(counts: SessionCounts): number {
  return WORSE.findLastIndex((name) => counts[name] > 0) + 1
}

function moveCounts(from: number, to: number): SessionCounts {
  const counts = { ...NO_SESSIONS }
  const [left, reached] = [WORSE[from - 1], WORSE[to - 1]]
  if (left !== undefined) counts[left] -= 1
  if (reached !== undefined) counts[reached] += 1
  return counts
}

/** The same list where nobody is new, or where it is full. */
function withPerson(people: readonly bigint[], person: bigint | null): readonly bigint[] {
  if (person === null || people.includes(person) || people.length >= max('sessionPeopleMax')) return people
  return [...people, person]
}

function projectSessionKey(project: ProjectId, session: bigint): string {
  return `${project} ${session}`
}

export function hourKey({ projectId, hour }: Pick<HealthPlace, 'projectId' | 'hour'>): string {
  return `${projectId} ${hour}`
}

export function healthPlaceKey({ projectId, release, environment, hour }: HealthPlace): string {
  return JSON.stringify([projectId, hour, release, environment])
}
