/** Looks up pasted digests. */

import type { Viewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import type { Digest } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { findDigestsInText } from '#model/digest-text.ts'
import type { DigestLookedUp } from '#ports/alerts.ts'
import type { OutcomesRead } from '#ports/ingest.ts'
import type { DigestMatch, Issue, IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { type FoldedMirrorCount, isMirrorMatch, ownersOfDigests } from './digest-owners.ts'
import type { IssueEventReads } from './events/event-reads.ts'
import type { FindEvent } from './find-event.ts'
import { lastSeenHalves } from './first-event.ts'
import { reasonsOf } from './outcomes.ts'
import type { DigestAnswer, DigestHint, DigestLookup, EventView } from './types.ts'

export interface DigestParts {
  readonly projects: Pick<ProjectsRead, 'projects'>
  readonly issues: Pick<IssuesRead, 'digests' | 'issue' | 'list'>
  readonly outcomes: Pick<OutcomesRead, 'outcomeExamples'>
  readonly events: Pick<IssueEventReads, 'view'>
  readonly findEvent: FindEvent
  readonly clock: Clock
}

type FoundDigest = DigestMatch & FoldedMirrorCount & { readonly issue: Issue; readonly organisation: string }

const BUCKET_MS = 15 * 60_000
const HINTS_MAX = 8
const PROJECTS_HINTED_MAX = 10

export async function digestLookup(
  parts: DigestParts,
  scopes: readonly ReadScope[],
  text: string,
): Promise<DigestLookup> {
  const startMs = parts.clock.elapsed()
  const digests = digestsIn(text)
  const found = (await Promise.all(scopes.map((scope) => matchesIn(parts, scope, digests)))).flat()
  const hints = digests.some((digest) => found.every((match) => match.digest !== digest))
    ? await digestHints(parts, scopes)
    : []
  const answers = await Promise.all(
    digests.map(async (digest): Promise<DigestAnswer> => {
      const matches = found.filter((match) => match.digest === digest)
      const best = bestOf(matches, text)
      if (best === null) return { digest, seen: false, hints }
      const ordered = likeFirst(matches, best)
      return { digest, seen: true, matches: ordered, event: await readBestEvent(parts, scopes, best) }
    }),
  )
  return { answers, elapsedMs: parts.clock.elapsed() - startMs }
}

/**
 * Returns each found issue once, for rules that fire when many people look a digest up. Nothing is kept about
 * the person but a number.
 */
export function issuesFound({ answers }: DigestLookup, viewer: Viewer): readonly DigestLookedUp[] {
  const ids = answers.flatMap((answer) => (answer.seen ? answer.matches.map(({ issueId }) => issueId) : []))
  const person = viewer.kind === 'person' ? BigInt(viewer.user.id) : TOKENS + BigInt(viewer.token.id)
  return [...new Set(ids)].map((issueId) => ({ issueId, person }))
}

/** Numbers of tokens are none of people. */
const TOKENS = 2n ** 53n

export function digestsIn(text: string): readonly Digest[] {
  return findDigestsInText(text.slice(0, max('digestPasteCharsMax'))).slice(0, max('digestsPerPasteMax'))
}

/** Matches with the issue that owns them now, newest release first. */
export async function matchesIn(
  { issues }: Pick<DigestParts, 'issues'>,
  scope: ReadScope,
  digests: readonly Digest[],
): Promise<readonly FoundDigest[]> {
  if (digests.length === 0) return []
  const matches = ownersOfDigests(await issues.digests(scope, digests))
  const ids = [...new Set(matches.map(({ issueId }) => issueId))]
  const owners = new Map(
    await Promise.all(ids.map(async (id) => [id, await issues.issue(scope, String(id))] as const)),
  )
  return matches.flatMap((match) => {
    const issue = owners.get(match.issueId)
    return issue === undefined || issue === null ? [] : [{ ...match, issue, organisation: scope.orgSlug }]
  })
}

/**
 * Several builds may share a number: the one whose release the pasted text names, else the one that showed it last, since
 * whoever pastes it has just seen it. The server's own failure first: the browser's mirror says nothing of the cause.
 */
function bestOf(matches: readonly FoundDigest[], text: string): FoundDigest | null {
  const rank = (match: FoundDigest) =>
    Number(!isMirrorMatch(match)) * 2 + Number(isReleaseNamed(match.release, text))
  const [best] = [...matches].sort((a, b) => rank(b) - rank(a) || b.lastSeenMs - a.lastSeenMs)
  return best ?? null
}

/** True if the text names the release as a whole word: `shop@1.2` is not named by `shop@1.20`. */
function isReleaseNamed(release: string | null, text: string): boolean {
  if (release === null) return false
  const at = text.indexOf(release)
  const around = `${text[at - 1] ?? ' '}${text[at + release.length] ?? ' '}`
  return at >= 0 && !/[\w@-]/.test(around)
}

/** Its build, then its issue, then the others as they come: the newest release first. */
function likeFirst(matches: readonly FoundDigest[], best: FoundDigest): readonly FoundDigest[] {
  const rank = (match: FoundDigest) => {
    if (match.issueId !== best.issueId || match.organisation !== best.organisation) return 2
    return match.release === best.release ? 0 : 1
  }
  return [...matches].sort((a, b) => rank(a) - rank(b))
}

async function readBestEvent(
  parts: DigestParts,
  scopes: readonly ReadScope[],
  best: FoundDigest,
): Promise<EventView | null> {
  const scope = scopes.find(({ orgSlug }) => orgSlug === best.organisation)
  if (scope === undefined) return null
  const row = await parts.findEvent(scope, best.eventId, best.projectId)
  return row === null ? null : parts.events.view(scope, row)
}

/** Likely reasons, each from real numbers, the most telling first. */
async function digestHints(parts: DigestParts, scopes: readonly ReadScope[]): Promise<readonly DigestHint[]> {
  const hints = await Promise.all(
    scopes.map(async (scope) => {
      const projects = (await parts.projects.projects(scope)).filter(({ isSelf }) => !isSelf)
      return Promise.all(
        projects.slice(0, PROJECTS_HINTED_MAX).map((project) => hintOf(parts, scope, project)),
      )
    }),
  )
  const order: readonly DigestHint['kind'][] = ['not_stored', 'server_silent', 'no_events', 'check_sdk']
  return hints
    .flat(2)
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .slice(0, HINTS_MAX)
}

async function hintOf(parts: DigestParts, scope: ReadScope, project: Project): Promise<DigestHint> {
  const about = { organisation: scope.orgSlug, project: project.slug, platform: project.platform }
  if (project.firstEventMs === null) {
    return { ...about, kind: 'no_events', text: `${project.slug} has no events yet.` }
  }
  const nowMs = parts.clock.now()
  const examples = await parts.outcomes.outcomeExamples(scope, {
    startMs: Math.floor((nowMs - DAY_MS) / BUCKET_MS) * BUCKET_MS,
    endMs: nowMs + BUCKET_MS,
    intervalMs: null,
    projects: [project.id],
    keys: null,
    groupBy: ['outcome'],
  })
  const [worst] = reasonsOf(examples).filter(({ category }) => category === 'error')
  if (worst !== undefined) {
    const count = `${worst.quantity} ${worst.quantity === 1 ? 'error' : 'errors'}`
    const text = `${count} of ${project.slug} were not stored in the last 24 hours: ${worst.what}.`
    return { ...about, kind: 'not_stored', text }
  }
  return { ...about, ...(await silenceOf(parts, scope, project)) }
}

async function silenceOf(
  parts: DigestParts,
  scope: ReadScope,
  project: Project,
): Promise<Pick<DigestHint, 'kind' | 'text'>> {
  const { serverMs, browserMs } = await lastSeenHalves(parts, scope, project)
  const nowMs = parts.clock.now()
  const isBrowserHeard = browserMs !== null && nowMs - browserMs < DAY_MS
  if (isBrowserHeard && (serverMs === null || nowMs - serverMs > DAY_MS)) {
    const last =
      serverMs === null ? 'has never sent an error' : `last sent an error ${ago(nowMs - serverMs)} ago`
    return {
      kind: 'server_silent',
      text: `The server of ${project.slug} ${last}, while its browsers sent one ${ago(nowMs - browserMs)} ago.`,
    }
  }
  const newestMs = Math.max(serverMs ?? 0, browserMs ?? 0)
  const last = newestMs === 0 ? 'has no issue' : `last sent an error ${ago(nowMs - newestMs)} ago`
  return {
    kind: 'check_sdk',
    text: `${project.slug} ${last}; check that the SDK runs in the server process that showed this number.`,
  }
}

/** `12 min`, `3 h`, `5 d`, as the product writes ages. */
function ago(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / 60_000))} min`
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} d`
}
