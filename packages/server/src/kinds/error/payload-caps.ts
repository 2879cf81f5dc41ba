/**
 * Which events of a batch keep their payload. What is stored decides, event by event in the order of the journal, so
 * that a batch that comes again, cut otherwise or not, ends with the same payloads. What a process thread left out
 * already (kinds/error/capped-groups.ts) it left out by the same rule.
 */
import { assert } from '#base/errors.ts'
import { hourSinceEpoch, isSampled, samplingOf } from '#issues/payload-sampling.ts'
import { max } from '#limits/limits.ts'
import type { ControlCommit, PayloadWindow } from '#ports/ingest.ts'
import type { CappedGroup } from './capped-groups.ts'
import type { Windows } from './gathered-issues.ts'
import type { EventColumns } from './sum.ts'

export interface CappedPayloads {
  /** Places of events that keep none. */
  readonly bare: ReadonlySet<number>
  /** Groups of issues that are past their cap now, for the process threads. */
  readonly capped: readonly CappedGroup[]
}

interface IssueWindow {
  hour: number
  events: number
}

interface GroupWindow {
  readonly cap: number
  /** Shared by the groups of an issue. */
  readonly issue: IssueWindow
  /** Seen of the group so far; `null`: a new one is nothing special. */
  readonly digests: Set<string> | null
}

/**
 * Returns which events lose their payload because their group has too many in an hour. `places`: of the events that
 * are stored, in ascending order.
 */
export function capPayloads(
  columns: EventColumns,
  places: readonly number[],
  known: Windows,
): CappedPayloads {
  const windows = groupWindows(known)
  const bare = new Set<number>()
  for (const place of places) {
    const window = windows.get(columns.group[place] ?? 0)
    if (window !== undefined && !keeps(columns, place, window)) bare.add(place)
  }
  return { bare, capped: cappedOf(columns, windows) }
}

/** Asks the control store about the groups of the events, by place of the group. */
export async function askWindows(
  control: Pick<ControlCommit, 'payloadWindows'>,
  columns: EventColumns,
  places: readonly number[],
): Promise<Windows> {
  if (places.length === 0) return new Map()
  const events = new Map<number, number>()
  for (const place of places) {
    const group = columns.group[place] ?? 0
    events.set(group, (events.get(group) ?? 0) + 1)
  }
  const asked = [...events].map(([place, count]) => {
    const group = columns.groups[place]
    assert(group !== undefined, 'every event names a group of its batch')
    return { place, ask: { projectId: group.projectId, hash: group.hash, events: count } }
  })
  const answers = await control.payloadWindows(asked.map(({ ask }) => ask))
  return new Map(
    asked.flatMap(({ place }, index) => {
      const answer = answers[index]
      return answer === undefined ? [] : [[place, answer] as const]
    }),
  )
}

/** Groups of projects that keep all are left out. */
function groupWindows(known: Windows): ReadonlyMap<number, GroupWindow> {
  const issues = new Map<number, IssueWindow>()
  const windows = new Map<number, GroupWindow>()
  for (const [group, window] of known) {
    if (window.cap === null) continue
    const digests = window.digests === null ? null : new Set(window.digests)
    windows.set(group, { cap: window.cap, issue: issueWindow(issues, window), digests })
  }
  return windows
}

function issueWindow(known: Map<number, IssueWindow>, { issueId, hour, events }: PayloadWindow): IssueWindow {
  if (issueId === null) return { hour, events }
  const window = known.get(issueId) ?? { hour, events }
  known.set(issueId, window)
  return window
}

/** Counts the event, and decides. */
function keeps(columns: EventColumns, place: number, { cap, issue, digests }: GroupWindow): boolean {
  const hour = hourSinceEpoch(columns.receivedMs[place] ?? 0)
  if (hour > issue.hour) {
    issue.hour = hour
    issue.events = 0
  }
  issue.events++
  const isNew = digests !== null && addDigests(columns, place, digests)
  const every = samplingOf(issue.events, cap)
  return every === 1 || isSampled(columns.seq[place] ?? 0, every) || isNew
}

/** True when one of the event's digests was not seen: what an error page shows must lead to something to read. */
function addDigests({ digests, digestsEnd, texts }: EventColumns, place: number, seen: Set<string>): boolean {
  const end = digestsEnd[place] ?? 0
  let isNew = false
  // A digest and its `verified` in turn.
  for (let at = place === 0 ? 0 : (digestsEnd[place - 1] ?? 0); at < end; at += 2) {
    const digest = texts[digests[at] ?? 0] ?? ''
    if (seen.has(digest) || seen.size >= max('digestPayloadsMax')) continue
    seen.add(digest)
    isNew = true
  }
  return isNew
}

function cappedOf(
  { groups }: EventColumns,
  windows: ReadonlyMap<number, GroupWindow>,
): readonly CappedGroup[] {
  return [...windows].flatMap(([place, { cap, issue }]) => {
    const every = samplingOf(issue.events + 1, cap)
    const group = groups[place]
    if (every === 1 || group === undefined) return []
    return [{ projectId: group.projectId, hash: group.hash, hour: issue.hour, every }]
  })
}
