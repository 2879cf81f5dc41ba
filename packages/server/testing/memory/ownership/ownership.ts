/** Who owns what of a project, and whom new issues belong to. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import { assign } from '#issues/issue-changes.ts'
import { OwnershipCompiler } from '#issues/ownership/compiled.ts'
import {
  authorOf,
  changesOwnership,
  factsOfNewIssue,
  type OwnerDirectory,
  suggestedOwners,
} from '#issues/ownership/owners.ts'
import { PROJECT_REFUSALS, refuseUnseen } from '#model/project-rules.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import {
  NO_OWNERSHIP,
  type OwnershipRead,
  type OwnershipWrite,
  type SuggestedOwner,
} from '#ports/ownership.ts'
import { byId } from '../order.ts'
import { suspectOfIssue } from '../releases/suspects.ts'
import { assigneeName, peopleOfAssignee, writeAssignee } from '../rows/assignees.ts'
import { writeAudit } from '../rows/audit.ts'
import { writeActivity } from '../rows/issue-rows.ts'
import { follow } from '../rows/marks.ts'
import { projectsOpenTo } from '../rows/members.ts'
import { projectById } from '../rows/project-rows.ts'
import { readableProjects } from '../rows/readable.ts'
import { isReadable } from '../rows/readable-issues.ts'
import type { Tables } from '../tables.ts'

export function ownershipRead(of: Tables): OwnershipRead {
  return {
    ownership: async (scope, project) =>
      readableProjects(of, scope).has(project) ? (of.ownership.get(project) ?? NO_OWNERSHIP) : NO_OWNERSHIP,
    ownersByRules: async (scope, project, facts) => {
      const ownership = readableProjects(of, scope).has(project) ? of.ownership.get(project) : undefined
      const rules = new OwnershipCompiler().compile(ownership ?? NO_OWNERSHIP)
      return suggestedOwners(rules, facts, { directory: directoryOf(of, project) })
    },
    ownersOfIssue: async (scope, id) => (isReadable(of, scope, id) ? (of.owners.get(id)?.owners ?? []) : []),
  }
}

export function ownershipWrite(to: Tables): OwnershipWrite {
  return {
    setOwnership: async ({ org, project }, { seen, ...change }, actor) =>
      to.transaction(() => {
        const found = projectById(to, org, project)
        if (found === null) return PROJECT_REFUSALS.noProject()
        const before = to.ownership.get(project) ?? NO_OWNERSHIP
        const unseen = refuseUnseen(before, seen)
        if (unseen !== null) return unseen
        if (!changesOwnership(before, change)) return ok(null)
        const changedMs = Math.floor(actor.atMs)
        const createdMs = before.createdMs ?? changedMs
        to.ownership.put(project, { ...before, ...change, createdMs, changedMs, cut: null })
        writeAudit(to, org, actor, { action: 'ownership.changed', target: found.name })
        return ok(null)
      }),
  }
}

/** Once a batch: whom new issues belong to by the rules, and where the project wants it, theirs. */
export function giveOwners(
  to: Tables,
  begun: readonly { readonly issueId: IssueId; readonly delta: GroupDelta }[],
  nowMs: number,
): void {
  for (const { issueId, delta } of begun) {
    const ownership = to.ownership.get(delta.projectId) ?? NO_OWNERSHIP
    const directory = directoryOf(to, delta.projectId)
    const mappings = to.projects.get(delta.projectId)?.options.codeMappings ?? []
    const rules = new OwnershipCompiler().compile(ownership)
    const { owners, isCut } = suggestedOwners(rules, factsOfNewIssue(delta, mappings), { directory })
    const cut = { issues: (ownership.cut?.issues ?? 0) + 1, atMs: Math.floor(nowMs) }
    if (isCut) to.ownership.put(delta.projectId, { ...ownership, cut })
    if (owners.length > 0) to.owners.put(issueId, { issueId, owners })
    const suspect = ownership.assignsSuspects ? suspectOfIssue(to, issueId) : null
    const first = authorOf(suspect, directory) ?? (ownership.isAutoAssigned ? owners[0] : undefined)
    if (first !== undefined) autoAssign(to, issueId, { first, nowMs })
  }
}

function directoryOf(of: Tables, project: ProjectId): OwnerDirectory {
  const org = of.projects.get(project)?.orgId
  if (org === undefined) return { people: [], teams: [] }
  return {
    people: of.users
      .where(({ id }) => projectsOpenTo(of, org, id).includes(project))
      .sort(byId)
      .map((user) => ({ userId: user.id, name: user.name, email: user.email })),
    teams: of.teams.where(({ projects }) => projects.includes(project)).sort(byId),
  }
}

function autoAssign(
  to: Tables,
  issue: IssueId,
  { first, nowMs }: { readonly first: SuggestedOwner; readonly nowMs: number },
): void {
  const assignee = first.owner
  const unassigned = { assigneeId: null, assigneeTeamId: null }
  const step = assign(unassigned, { assignee, name: assigneeName(to, assignee) })
  if (step === null) return
  writeAssignee(to, issue, assignee)
  const detail = { ...step.detail, rule: first.rule }
  writeActivity(to, issue, { kind: step.kind, detail, atMs: Math.floor(nowMs), actor: null })
  for (const user of peopleOfAssignee(to, assignee)) follow(to, issue, { user, reason: 'assigned' })
}
