/** Links to single issues. */
import { ok, refuse } from '#base/result.ts'
import type { IssueSharesRead, IssueSharesWrite } from '#ports/issue-shares.ts'
import { writeAudit } from '../rows/audit.ts'
import { isReadable } from '../rows/readable-issues.ts'
import type { Tables } from '../tables.ts'
import { choose } from './chosen-issues.ts'

export function issueSharesRead(of: Tables): IssueSharesRead {
  return {
    issueShare: async (scope, id) => (isReadable(of, scope, id) ? (of.issueShares.get(id) ?? null) : null),
    sharedIssue: async (token) => {
      const [issueId] = of.issueShares.entries().find(([, share]) => share.token === token) ?? []
      const issue = issueId === undefined ? undefined : of.issues.get(issueId)
      const project = issue === undefined ? undefined : of.projects.get(issue.projectId)
      const organisation = project === undefined ? undefined : of.organisations.get(project.orgId)
      if (issueId === undefined || project === undefined || organisation === undefined) return null
      const { id, slug } = organisation
      return { organisation: { id, slug }, projectId: project.id, issueId }
    },
  }
}

export function issueSharesWrite(to: Tables): IssueSharesWrite {
  return {
    shareIssue: async (change, token, actor) =>
      to.transaction(() => {
        const chosen = choose(to, change)
        if (!chosen.ok) return chosen
        const [issue] = chosen.value
        if (issue === undefined) return refuse('not_found', 'There is no such issue.')
        const kept = to.issueShares.get(issue.id)
        if (kept !== undefined) return ok(kept)
        const share = { token, createdMs: Math.floor(actor.atMs), createdBy: actor.label }
        to.issueShares.put(issue.id, share)
        writeAudit(to, change.orgId, actor, { action: 'issue.shared', target: issue.shortId })
        return ok(share)
      }),
    unshareIssue: async (change, actor) =>
      to.transaction(() => {
        const chosen = choose(to, change)
        if (!chosen.ok) return chosen
        for (const { id, shortId } of chosen.value) {
          if (!to.issueShares.has(id)) continue
          to.issueShares.delete(id)
          writeAudit(to, change.orgId, actor, { action: 'issue.unshared', target: shortId })
        }
        return ok(null)
      }),
  }
}
