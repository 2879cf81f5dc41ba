/**
 * Bounds known before a batch is stored: how many payloads an issue may still keep, how many issues may
 * begin.
 */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ControlCommit, PayloadWindow } from '#ports/ingest.ts'
import type { ProjectOptions } from '#ports/projects.ts'
import type { HourCount } from './issue-sums.ts'
import { samplingOf } from './payload-sampling.ts'

export type WindowAsk = Parameters<ControlCommit['payloadWindows']>[0][number]

/** Bounds of a project. */
export interface PayloadBounds {
  readonly cap: number | null
  /** `null`: any number of issues may begin. */
  readonly begins: PayloadWindow['begins']
}

/** Projects that are gone have none either: their events are left out later. */
export const UNBOUNDED: PayloadBounds = { cap: null, begins: null }

export function boundsOf(
  { payloadsPerIssueHour, spikeProtection }: ProjectOptions,
  begun: HourCount,
): PayloadBounds {
  return {
    cap: payloadsPerIssueHour,
    begins: spikeProtection ? { hour: begun.hour, count: begun.events } : null,
  }
}

/** Whether a group must be looked for at all. */
export function isBounded({ cap, begins }: PayloadBounds): boolean {
  return cap !== null || begins !== null
}

/** Facts of a group that is asked for. */
export interface KnownOfGroup {
  /** Newest hour of its issue. */
  readonly window: HourCount
  /** Its digests, `digestPayloadsMax` at most; read where `needsDigests`. */
  readonly digests: readonly string[]
}

/** A group that is asked for; `issueId` is `null` when it is new, or nothing is bounded. */
export interface BoundedAsk {
  readonly ask: WindowAsk
  readonly bounds: PayloadBounds
  readonly issueId: IssueId | null
}

/** Whether an issue may pass the cap: then digests decide. `events`: of it in the batch, see `eventsPerIssue`. */
export function needsDigests(
  { bounds: { cap }, issueId }: BoundedAsk,
  events: number,
  window: HourCount,
): boolean {
  return issueId !== null && cap !== null && samplingOf(window.events + events, cap) > 1
}

export function payloadWindow(
  asked: BoundedAsk,
  events: number,
  { window, digests }: KnownOfGroup,
): PayloadWindow {
  const { ask, bounds, issueId } = asked
  const { cap, begins } = bounds
  if (issueId === null) {
    const none = cap !== null && ask.events > cap ? new Set<string>() : null
    return { ...NOTHING, cap, begins, digests: none }
  }
  if (cap === null) return { ...NOTHING, cap, begins: null, issueId }
  const decide = needsDigests(asked, events, window)
  return { cap, begins: null, issueId, ...window, digests: decide ? fewOf(digests) : null }
}

/** Nothing is bounded here, or nothing is stored yet. */
const NOTHING: Omit<PayloadWindow, 'cap' | 'begins'> = { issueId: null, hour: 0, events: 0, digests: null }

/** `null` where there are so many that a new one is nothing special. */
function fewOf(digests: readonly string[]): ReadonlySet<string> | null {
  return digests.length >= max('digestPayloadsMax') ? null : new Set(digests)
}

/** The groups of an issue share its hour: each may pass the cap because of the others. */
export function eventsPerIssue(
  asked: readonly Pick<BoundedAsk, 'ask' | 'issueId'>[],
): ReadonlyMap<IssueId, number> {
  const events = new Map<IssueId, number>()
  for (const { ask, issueId } of asked) {
    if (issueId !== null) events.set(issueId, (events.get(issueId) ?? 0) + ask.events)
  }
  return events
}

/** The projects that are asked about, each once. */
export function projectsAsked(asks: readonly WindowAsk[]): readonly ProjectId[] {
  return [...new Set(asks.map(({ projectId }) => projectId))]
}
