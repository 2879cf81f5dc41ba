/**
 * Decides which failure of a server a mirror shows. Only stored values decide, and they are compared again when either half comes, so that every order of arrival ends the same.
 */
import { hash } from 'node:crypto'
import type { GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import type { FoldConfidence, FoldMatch, MissingHalf } from '#ports/mirrors.ts'

/** A group of a server that failed. */
export interface ServerGroup {
  readonly groupId: number
  readonly issueId: IssueId
  readonly projectId: ProjectId
  readonly hash: GroupHash
}

/** A failure of a server beside an event of the mirror that it may belong to. */
export interface FailureBeside extends ServerGroup {
  readonly kind: RequestKind
  readonly isHandled: boolean
  readonly atMs: number
  /** Both say where, and as `mirrorRoute` spells it that is the same. */
  readonly isSameRoute: boolean
  readonly mirror: { readonly kind: RequestKind; readonly atMs: number }
}

export interface FoldEvidence {
  /** Project of the mirror. */
  readonly projectId: ProjectId
  /** Groups of servers in the same organisation with one of its digests. */
  readonly byDigest: readonly ServerGroup[]
  /** Failures of the same trace. */
  readonly byTrace: readonly FailureBeside[]
  /** Failures about the time of its events that have neither digest nor trace. */
  readonly byTime: readonly FailureBeside[]
}

export interface Fold {
  readonly into: ServerGroup
  readonly match: FoldMatch
  readonly confidence: FoldConfidence
  /** Between the halves; `null` where time decided nothing. */
  readonly distanceMs: number | null
}

/**
 * Finds the failure on the server that a mirror belongs to. `ambiguous`: several failures fit, and nothing tells
 * which. `null`: nothing is known of any.
 */
export function foldOf(evidence: FoldEvidence): Fold | 'ambiguous' | null {
  return byDigest(evidence) ?? byTrace(evidence) ?? byRoute(evidence)
}

const STRENGTH: Readonly<Record<FoldMatch, number>> = { deploy: 3, digest: 2, trace: 1, route: 0 }

/** True unless one match is less sure: what is remembered for days only must not undo what was known. */
export function isAtLeastAsSure(one: FoldMatch, other: FoldMatch): boolean {
  return STRENGTH[one] >= STRENGTH[other]
}

function byDigest({ projectId, byDigest: groups, byTrace: beside }: FoldEvidence): Fold | null {
  const traced = new Set(beside.map(({ groupId }) => groupId))
  const [into] = groups.toSorted(
    (a, b) =>
      Number(traced.has(b.groupId)) - Number(traced.has(a.groupId)) ||
      Number(b.projectId === projectId) - Number(a.projectId === projectId) ||
      byName(a, b),
  )
  return into === undefined ? null : { into, match: 'digest', confidence: 'high', distanceMs: null }
}

function byTrace({ byTrace: beside }: FoldEvidence): Fold | null {
  const fitting = beside.filter(isOfItsKind)
  const [into] = fitting.toSorted(
    (a, b) =>
      Number(isAfter(a)) - Number(isAfter(b)) ||
      Number(b.isSameRoute) - Number(a.isSameRoute) ||
      Number(a.isHandled) - Number(b.isHandled) ||
      distanceOf(a) - distanceOf(b) ||
      byName(a, b),
  )
  if (into === undefined) return null
  const issues = new Set(fitting.map(({ issueId }) => issueId))
  const confidence = issues.size === 1 ? 'high' : into.isSameRoute ? 'medium' : 'low'
  return { into, match: 'trace', confidence, distanceMs: distanceOf(into) }
}

/** By the clocks of both: where those differ, all of a trace lie on one side. */
const AFTER_MS = 200

/** The mirror is of something that had failed by then. */
function isAfter({ atMs, mirror }: FailureBeside): boolean {
  return Math.floor(atMs) - Math.floor(mirror.atMs) > AFTER_MS
}

/** Every event of the mirror that says where it happened must point to the same issue. */
function byRoute({ byTime }: FoldEvidence): Fold | 'ambiguous' | null {
  const fitting = byTime.filter(
    (beside) => beside.isSameRoute && isOfItsKind(beside) && distanceOf(beside) <= max('mirrorRouteWindowMs'),
  )
  const issues = new Set(fitting.map(({ issueId }) => issueId))
  const [into] = fitting.toSorted((a, b) => distanceOf(a) - distanceOf(b) || byName(a, b))
  if (into === undefined) return null
  if (issues.size > 1) return 'ambiguous'
  const distanceMs = distanceOf(into)
  return { into, match: 'route', confidence: confidenceAt(distanceMs), distanceMs }
}

/** Milliseconds between the halves. */
const CLOSE_MS = 5_000
const NEAR_MS = 20_000

function confidenceAt(distanceMs: number): FoldConfidence {
  if (distanceMs <= CLOSE_MS) return 'high'
  return distanceMs <= NEAR_MS ? 'medium' : 'low'
}

/**
 * True if a failure can be the mirror's. A framework's render fails with its page; a route handler's failure
 * shows there only if it has the same route. A page's own request is never the page.
 */
function isOfItsKind(beside: FailureBeside): boolean {
  const { kind, mirror } = beside
  if (kind === 'static') return false
  if (mirror.kind === 'other') return kind !== 'document'
  if (mirror.kind !== 'browser') return kind === mirror.kind
  return kind !== 'route-handler' || beside.isSameRoute
}

function distanceOf({ atMs, mirror }: FailureBeside): number {
  return Math.abs(Math.floor(atMs) - Math.floor(mirror.atMs))
}

function byName(a: ServerGroup, b: ServerGroup): number {
  return a.projectId - b.projectId || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)
}

/** A route as both halves would spell it: `/orders/[id]`, `/orders/:id` and `/orders/$id` are one. */
export function mirrorRoute(route: string): string {
  const parts = route
    .split('/')
    .filter((part) => part !== '' && !/^\(.*\)$/.test(part))
    .map((part) => (/^(?:\[{1,2}.*\]{1,2}|[:$*].*)$/.test(part) ? ':' : part))
  return `/${parts.join('/')}`
}

/**
 * Returns 64 bits of what a mirror without a digest says and where: those of one project that stand alone are
 * one issue, not one per request.
 */
export function mirrorFamily({
  title,
  culprit,
}: {
  readonly title: string
  readonly culprit: string
}): bigint {
  return BigInt.asIntN(64, hash('sha256', `${title}\n${culprit}`, 'buffer').readBigUInt64BE(0))
}

/**
 * React Router's text in place of every server message: it calls no error handler for a promise that a loader
 * deferred.
 */
const ROUTER_TEXT = /^Unexpected Server Error\.?$/

/** The first that holds says the most. */
export function missingHalf(of: {
  readonly isKeptApart: boolean
  readonly isFull: boolean
  readonly hasDigest: boolean
  readonly hasTrace: boolean
  /** Text of the mirror. */
  readonly value: string
  /** No server of the organisation told of a failure. */
  readonly isSilent: boolean
}): MissingHalf {
  if (of.isKeptApart) return 'kept_apart'
  if (of.isFull) return 'full'
  // Before the silence of servers, which such a failure doesn’t break.
  if (ROUTER_TEXT.test(of.value)) return 'maybe_deferred'
  if (of.isSilent) return 'silent'
  if (of.hasDigest) return 'digest_unseen'
  return of.hasTrace ? 'trace_unseen' : 'unnamed'
}

export function refuseNoMirror(): Refusal {
  return refuse('not_found', 'This issue has no such browser copy.')
}
