/** Resolving, archiving, assigning, merging, deleting: one issue or many. */

import type { Permission } from '#access/permissions.ts'
import { newSecret, secretHash } from '#access/secrets.ts'
import { DAY_MS, MINUTE_MS } from '#base/durations.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { refuseNoMirror } from '#issues/mirror-folding.ts'
import { readGroups, refuseNoGroup, refuseNoTaker } from '#issues/unmerging.ts'
import { max } from '#limits/limits.ts'
import type { Priority } from '#model/priority.ts'
import type { IssueChange } from '#ports/issue-change.ts'
import type { Assignee, IssuesWrite, ResolveIn, UndoneChoice } from '#ports/issues.ts'
import type { IssueSearched } from '#queries/search/issue-search.ts'
import { shownShare } from '#queries/sharing/shown-share.ts'
import type { ShownShare } from '#queries/sharing-types.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import { type CommandParts, deleting } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'

/** Each answers the issues that it changed. */
export interface IssueCommands {
  /** `within` left out: now. */
  resolveIssues(
    asking: Asking,
    selection: IssueSelection,
    within?: ResolveIn | null,
  ): Promise<Result<readonly IssueId[]>>
  unresolveIssues(asking: Asking, selection: IssueSelection): Promise<Result<readonly IssueId[]>>
  /** Takes back what the asking person resolved or archived last; issues that have changed since are left alone. */
  undoIssues(asking: Asking, selection: IssueSelection): Promise<Result<readonly IssueId[]>>
  /** The same of whom they assigned, or of the priority. */
  undoChoices(
    asking: Asking,
    undone: { readonly selection: IssueSelection; readonly of: UndoneChoice },
  ): Promise<Result<readonly IssueId[]>>
  archiveIssues(asking: Asking, archiving: Archiving): Promise<Result<readonly IssueId[]>>
  assignIssues(asking: Asking, assigning: Assigning): Promise<Result<readonly IssueId[]>>
  prioritiseIssues(
    asking: Asking,
    asked: { readonly selection: IssueSelection; readonly priority: Priority },
  ): Promise<Result<readonly IssueId[]>>
  /** `reason` is kept in the activity. */
  mergeIssues(asking: Asking, selection: IssueSelection, reason?: string | null): Promise<Result<Merged>>
  /** Takes back what the asking person merged last into the issues. Answers the issues that are back. */
  undoMerges(asking: Asking, selection: IssueSelection): Promise<Result<readonly IssueId[]>>
  /** Gives groups of an issue one issue of their own, or to another one; answers that. */
  unmergeIssue(asking: Asking, parting: Parting): Promise<Result<IssueId>>
  /** Splits browser copies off as another failure, for good. Returns the issues that it makes. */
  keepMirrorsApart(asking: Asking, mirrors: MirrorsApart): Promise<Result<readonly IssueId[]>>
  deleteIssues(asking: Asking, selection: IssueSelection): Promise<Result<readonly IssueId[]>>
  /**
   * Makes the link of an issue, or answers the one that it has. `expiresDays` left out: it opens the issue for
   * `shareDaysDefault`; `null`: until it is revoked.
   */
  shareIssue(
    asking: Asking,
    asked: { readonly ref: string; readonly expiresDays?: number | null | undefined },
  ): Promise<Result<ShownShare>>
  unshareIssue(asking: Asking, ref: string): Promise<Result<null>>
}

/** Which issues a change names: ids or short ids, or everything a search finds. */
export type IssueSelection = { readonly refs: readonly string[] } | IssueSearched

/** When an archived issue comes back: with whichever is first. All `null`: never. */
export interface ArchiveRequest {
  /** So many more events. */
  readonly eventsMore: number | null
  readonly usersMore: number | null
  readonly minutes: number | null
  /** It exceeds the forecast of its own past week; with none of the others. */
  readonly escalating?: boolean
}

interface Merged {
  /** Holds all of them from then on. */
  readonly into: IssueId
  /** Issues that it took in. */
  readonly merged: readonly IssueId[]
}

interface Archiving {
  readonly selection: IssueSelection
  readonly until: ArchiveRequest
}

interface Assigning {
  readonly selection: IssueSelection
  /** `null` unassigns. */
  readonly assignee: Assignee | null
}

interface MirrorsApart {
  readonly ref: string
  /** `null`: all that may be read. */
  readonly groups: Parameters<IssuesWrite['keepApart']>[0]['groups']
}

interface Parting {
  readonly ref: string
  /** Their hashes, as they were named: read once the issue is known to be there. */
  readonly groups: readonly string[]
  readonly reason: string | null
  /** The issue that takes them, an id or short id; `null` and left out: a new one. */
  readonly into?: string | null
}

export type IssueParts = Pick<
  CommandParts,
  | 'accounts'
  | 'issues'
  | 'issuesWrite'
  | 'deletion'
  | 'queries'
  | 'clock'
  | 'random'
  | 'mailRoom'
  | 'trackers'
  | 'seal'
>

export function issueCommands(parts: IssueParts): IssueCommands {
  const { issuesWrite } = parts
  return {
    resolveIssues: (asking, selection, within = null) =>
      changing(parts, asking, { selection, permission: 'issue.write' }, (change) =>
        issuesWrite.resolve(change, actorOf(parts, asking), within),
      ),
    unresolveIssues: (asking, selection) =>
      changing(parts, asking, { selection, permission: 'issue.write' }, (change) =>
        issuesWrite.unresolve(change, actorOf(parts, asking)),
      ),
    ...undoCommands(parts),
    archiveIssues: (asking, archiving) => archive(parts, asking, archiving),
    assignIssues: (asking, { selection, assignee }) =>
      changing(parts, asking, { selection, permission: 'issue.write' }, async (change, found) => {
        const refusal = assignee === null ? null : await refuseAssignee(parts, asking, { assignee, found })
        return refusal ?? issuesWrite.assign(change, assignee, actorOf(parts, asking))
      }),
    prioritiseIssues: (asking, { selection, priority }) =>
      changing(parts, asking, { selection, permission: 'issue.write' }, (change) =>
        issuesWrite.prioritise(change, priority, actorOf(parts, asking)),
      ),
    mergeIssues: (asking, selection, reason = null) => merge(parts, asking, { selection, reason }),
    unmergeIssue: (asking, { ref, groups, reason, into: takerRef = null }) =>
      changing(
        parts,
        asking,
        { selection: { refs: [ref] }, permission: 'issue.write' },
        async ({ orgId, projects, ids: [id] }) => {
          if (id === undefined) return refuseNoGroup()
          const named = readGroups(groups)
          if (!named.ok) return named
          const refs = takerRef === null ? [] : [takerRef]
          const [taker] = await parts.issues.issuesByRefs(asking.scope, refs)
          if (takerRef !== null && taker === undefined) return refuseNoTaker()
          const parting = { groups: named.value, reason, into: taker?.id ?? null }
          return issuesWrite.unmerge({ orgId, projects, id, ...parting }, actorOf(parts, asking))
        },
      ),
    keepMirrorsApart: (asking, { ref, groups }) =>
      changing(
        parts,
        asking,
        { selection: { refs: [ref] }, permission: 'issue.write' },
        async ({ orgId, projects, ids: [id] }) =>
          id === undefined
            ? refuseNoMirror()
            : issuesWrite.keepApart({ orgId, projects, id, groups }, actorOf(parts, asking)),
      ),
    shareIssue: (asking, asked) => share(parts, asking, asked),
    unshareIssue: (asking, ref) =>
      changing(parts, asking, { selection: { refs: [ref] }, permission: 'issue.write' }, (change) =>
        issuesWrite.unshareIssue(change, actorOf(parts, asking)),
      ),
    deleteIssues: (asking, selection) =>
      changing(parts, asking, { selection, permission: 'issue.delete' }, (change) =>
        deleting(parts, (write) => write.deleteIssues(change, actorOf(parts, asking))),
      ),
  }
}

function undoCommands(parts: IssueParts): Pick<IssueCommands, 'undoIssues' | 'undoChoices' | 'undoMerges'> {
  const { issuesWrite } = parts
  return {
    undoIssues: (asking, selection) =>
      changing(parts, asking, { selection, permission: 'issue.write' }, (change) =>
        issuesWrite.undo(change, actorOf(parts, asking)),
      ),
    undoChoices: (asking, { selection, of }) =>
      changing(parts, asking, { selection, permission: 'issue.write' }, (change) =>
        issuesWrite.undoChoice(change, of, actorOf(parts, asking)),
      ),
    undoMerges: (asking, selection) =>
      changing(parts, asking, { selection, permission: 'issue.write' }, (change) =>
        issuesWrite.undoMerge(change, actorOf(parts, asking)),
      ),
  }
}

async function share(
  parts: IssueParts,
  asking: Asking,
  { ref, ...given }: Parameters<IssueCommands['shareIssue']>[1],
): Promise<Result<ShownShare>> {
  const checked = read(SCHEMAS.share, given)
  if (!checked.ok) return refusalOf(asking, 'issue.write') ?? checked
  const { expiresDays = max('shareDaysDefault') } = checked.value
  const token = newSecret(parts.random)
  const what = { selection: { refs: [ref] }, permission: 'issue.write' } as const
  const done = await changing(parts, asking, what, (change) => {
    const actor = actorOf(parts, asking)
    const made = {
      tokenHash: secretHash(token),
      sealedToken: parts.seal.seal(token),
      expiresMs: expiresDays === null ? null : Math.floor(actor.atMs) + expiresDays * DAY_MS,
    }
    return parts.issuesWrite.shareIssue(change, made, actor)
  })
  return done.ok ? ok(shownShare(done.value, parts.seal)) : done
}

async function archive(
  parts: IssueParts,
  asking: Asking,
  { selection, until }: Archiving,
): Promise<Result<readonly IssueId[]>> {
  const checked = read(SCHEMAS.archive, until)
  if (!checked.ok) return refusalOf(asking, 'issue.write') ?? checked
  const { eventsMore, usersMore, minutes, escalating = false } = checked.value
  return changing(parts, asking, { selection, permission: 'issue.write' }, (change) => {
    const actor = actorOf(parts, asking)
    const atMs = minutes === null ? null : Math.floor(actor.atMs) + minutes * MINUTE_MS
    return parts.issuesWrite.archive(change, { eventsMore, usersMore, atMs, escalating }, actor)
  })
}

interface Found {
  readonly id: IssueId
  readonly projectId: ProjectId
}

/** Permission, then selection, then one named operation of the writer. */
export async function changing<T>(
  parts: IssueParts,
  asking: Asking,
  what: { readonly selection: IssueSelection; readonly permission: Permission },
  run: (change: IssueChange, found: readonly Found[]) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { scope } = asking
  const refusal = refusalOf(asking, what.permission)
  if (refusal !== null) return refusal
  const found = await select(parts, asking, what.selection)
  if (!found.ok) return found
  const ids = found.value.map(({ id }) => id)
  const done = await run({ orgId: scope.orgId, projects: scope.projects, ids }, found.value)
  // Followers may have been left emails.
  if (done.ok) parts.mailRoom?.wake()
  // Trackers may be asked to close theirs.
  if (done.ok) parts.trackers?.wake()
  return done
}

async function select(
  parts: IssueParts,
  { scope }: Asking,
  selection: IssueSelection,
): Promise<Result<readonly Found[]>> {
  if ('query' in selection) {
    if (parts.queries === undefined) return refuse('bad_request', 'Issues are not searched here.')
    return parts.queries.search.select(scope, selection)
  }
  const refs = [...new Set(selection.refs)]
  if (refs.length > max('issuesPerChangeMax')) {
    const message = `At most ${max('issuesPerChangeMax')} issues are changed at once.`
    return refuse('invalid_input', message, { id: [message] })
  }
  const found = await parts.issues.issuesByRefs(scope, refs)
  if (found.length === 0) {
    return refuse('not_found', refs.length === 1 ? 'There is no such issue.' : 'None of these issues exists.')
  }
  return ok(found)
}

/** Only somebody who can open every one of the issues can be made responsible for them. */
async function refuseAssignee(
  parts: IssueParts,
  { scope }: Asking,
  { assignee, found }: { readonly assignee: Assignee; readonly found: readonly Found[] },
): Promise<Refusal | null> {
  // A team is one of the organisation, and opens the projects, or the writer refuses.
  if (typeof assignee === 'object') return null
  const memberships = await parts.accounts.memberships(assignee)
  const membership = memberships.find(({ organisation }) => organisation.id === scope.orgId)
  if (membership === undefined) {
    return refuse('invalid_input', 'Only a member can be assigned.', {
      assignedTo: ['Only a member can be assigned.'],
    })
  }
  const readable = new Set(membership.projects)
  if (found.every(({ projectId }) => readable.has(projectId))) return null
  const message = 'This member cannot read the project of the issue.'
  return refuse('invalid_input', message, { assignedTo: [message] })
}

/** The issue with the most events keeps its name and takes in the others; of equals the oldest. */
async function merge(
  parts: IssueParts,
  asking: Asking,
  { selection, reason }: { readonly selection: IssueSelection; readonly reason: string | null },
): Promise<Result<Merged>> {
  return changing(parts, asking, { selection, permission: 'issue.write' }, async (change, found) => {
    if (found.length < 2) {
      return refuse('invalid_input', 'Merging takes at least two issues.', {
        merge: ['At least two issues.'],
      })
    }
    if (new Set(found.map(({ projectId }) => projectId)).size > 1) {
      const message = 'Only issues of one project can be merged.'
      return refuse('invalid_input', message, { merge: [message] })
    }
    const issues = await parts.issues.issuesByRefs(
      asking.scope,
      found.map(({ id }) => String(id)),
    )
    const [into] = issues.toSorted(
      (a, b) => b.eventCount - a.eventCount || a.firstSeenMs - b.firstSeenMs || a.id - b.id,
    )
    if (into === undefined) return refuse('not_found', 'These issues no longer exist.')
    const done = await parts.issuesWrite.merge({ ...change, reason }, into.id, actorOf(parts, asking))
    if (!done.ok) return done
    return ok({ into: done.value, merged: change.ids.filter((id) => id !== done.value) })
  })
}
