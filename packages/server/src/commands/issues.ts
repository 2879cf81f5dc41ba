/** Resolving, archiving, assigning, merging, commenting, deleting: one issue or many. */

import type { Permission } from '#access/permissions.ts'
import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { IssueChange } from '#ports/issues.ts'
import type { Asking } from './organisation.ts'
import { actorOf, type CommandParts, refusalOf } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import type { Commands, IssueSelection } from './types.ts'

type IssueCommands = Pick<
  Commands,
  | 'resolveIssues'
  | 'unresolveIssues'
  | 'archiveIssues'
  | 'assignIssues'
  | 'mergeIssues'
  | 'commentIssue'
  | 'deleteIssues'
>

const LOOKUPS_AT_ONCE = 50
const MINUTE_MS = 60_000

export function issueCommands(parts: CommandParts): IssueCommands {
  const { issuesWrite } = parts
  return {
    resolveIssues: (viewer, scope, selection, facts) =>
      changing(parts, { viewer, scope, facts }, { selection, permission: 'issue.write' }, (change) =>
        issuesWrite.resolve(change, actorOf(parts, viewer, facts)),
      ),
    unresolveIssues: (viewer, scope, selection, facts) =>
      changing(parts, { viewer, scope, facts }, { selection, permission: 'issue.write' }, (change) =>
        issuesWrite.unresolve(change, actorOf(parts, viewer, facts)),
      ),
    archiveIssues: async (...[viewer, scope, selection, until, facts]) => {
      const checked = read(SCHEMAS.archive, until)
      if (!checked.ok) return refusalOf(viewer, scope, 'issue.write') ?? checked
      const { eventsMore, usersMore, minutes } = checked.value
      return changing(parts, { viewer, scope, facts }, { selection, permission: 'issue.write' }, (change) => {
        const actor = actorOf(parts, viewer, facts)
        const atMs = minutes === null ? null : Math.floor(actor.atMs) + minutes * MINUTE_MS
        return issuesWrite.archive(change, { eventsMore, usersMore, atMs }, actor)
      })
    },
    assignIssues: (...[viewer, scope, selection, assignee, facts]) =>
      changing(
        parts,
        { viewer, scope, facts },
        { selection, permission: 'issue.write' },
        async (change, found) => {
          const refusal =
            assignee === null
              ? null
              : await refuseAssignee(parts, { viewer, scope, facts }, { assignee, found })
          return refusal ?? issuesWrite.assign(change, assignee, actorOf(parts, viewer, facts))
        },
      ),
    mergeIssues: async (viewer, scope, selection, facts) => merge(parts, { viewer, scope, facts }, selection),
    commentIssue: async (...[viewer, scope, ref, text, facts]) => {
      const checked = read(SCHEMAS.comment, { text })
      if (!checked.ok) return refusalOf(viewer, scope, 'issue.write') ?? checked
      const selection = { refs: [ref] }
      const done = await changing(
        parts,
        { viewer, scope, facts },
        { selection, permission: 'issue.write' },
        (change) => issuesWrite.comment(change, checked.value.text, actorOf(parts, viewer, facts)),
      )
      return done.ok ? ok(null) : done
    },
    deleteIssues: (viewer, scope, selection, facts) =>
      changing(parts, { viewer, scope, facts }, { selection, permission: 'issue.delete' }, (change) =>
        issuesWrite.deleteIssues(change, actorOf(parts, viewer, facts)),
      ),
  }
}

interface Found {
  readonly id: IssueId
  readonly projectId: ProjectId
}

/** Permission, then selection, then one named operation of the writer. */
async function changing<T>(
  parts: CommandParts,
  asking: Asking,
  what: { readonly selection: IssueSelection; readonly permission: Permission },
  run: (change: IssueChange, found: readonly Found[]) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { viewer, scope } = asking
  const refusal = refusalOf(viewer, scope, what.permission)
  if (refusal !== null) return refusal
  const found = await select(parts, asking, what.selection)
  if (!found.ok) return found
  const ids = found.value.map(({ id }) => id)
  return run({ orgId: scope.orgId, projects: scope.projects, ids }, found.value)
}

async function select(
  parts: CommandParts,
  { scope }: Asking,
  selection: IssueSelection,
): Promise<Result<readonly Found[]>> {
  if ('query' in selection) {
    if (parts.queries === undefined) return refuse('bad_request', 'Issues are not searched here.')
    return parts.queries.search.select(scope, selection.query, selection.projects)
  }
  const refs = [...new Set(selection.refs)]
  if (refs.length > max('issuesPerChangeMax')) {
    const message = `At most ${max('issuesPerChangeMax')} issues are changed at once.`
    return refuse('invalid_input', message, { id: [message] })
  }
  const found = new Map<IssueId, Found>()
  for (let at = 0; at < refs.length; at += LOOKUPS_AT_ONCE) {
    const some = refs.slice(at, at + LOOKUPS_AT_ONCE)
    const issues = await Promise.all(some.map((ref) => parts.issues.issue(scope, ref)))
    for (const issue of issues) if (issue !== null) found.set(issue.id, issue)
  }
  if (found.size === 0) {
    return refuse('not_found', refs.length === 1 ? 'There is no such issue.' : 'None of these issues exists.')
  }
  return ok([...found.values()])
}

/** Only somebody who can open every one of the issues can be made responsible for them. */
async function refuseAssignee(
  parts: CommandParts,
  { scope }: Asking,
  { assignee, found }: { readonly assignee: UserId; readonly found: readonly Found[] },
) {
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
  parts: CommandParts,
  asking: Asking,
  selection: IssueSelection,
): Promise<Result<IssueId>> {
  const { viewer, scope, facts } = asking
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
    const issues = await Promise.all(found.map(({ id }) => parts.issues.issue(scope, String(id))))
    const [into] = issues
      .filter((issue) => issue !== null)
      .sort((a, b) => b.eventCount - a.eventCount || a.firstSeenMs - b.firstSeenMs || a.id - b.id)
    if (into === undefined) return refuse('not_found', 'These issues do not exist any more.')
    return parts.issuesWrite.merge(change, into.id, actorOf(parts, viewer, facts))
  })
}
