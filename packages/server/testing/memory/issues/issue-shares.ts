/** Links to single issues. */
import { ok, refuse } from '#base/result.ts'
import type { IssueShare, IssueSharesRead, IssueSharesWrite } from '#ports/issue-shares.ts'
import type { ShareRow } from '../issue-tables.ts'
import { writeAudit } from '../rows/audit.ts'
import { isReadable } from '../rows/readable-issues.ts'
import type { Tables } from '../tables.ts'
import { choose } from './chosen-issues.ts'

export function issueSharesRead(of: Tables): IssueSharesRead {
  return {
    issueShare: async (scope, id, nowMs) => {
      const share = isReadable(of, scope, id) ? of.issueShares.get(id) : undefined
      return share === undefined || !isOpen(share, nowMs) ? null : shown(share)
    },
    sharedIssue: async (tokenHash, nowMs) => {
      const isMeant = (share: ShareRow) => share.tokenHash === tokenHash && isOpen(share, nowMs)
      const [issueId] = of.issueShares.entries().find(([, share]) => isMeant(share)) ?? []
      const issue = issueId === undefined ? undefined : of.issues.get(issueId)
      const project = issue === undefined ? undefined : of.projects.get(issue.projectId)
      const organisation = project === undefined ? undefined : of.organisations.get(project.orgId)
      if (issueId === undefined || project === undefined || organisation === undefined) return null
      const { id, slug } = organisation
      return { organisation: { id, slug }, projectId: project.id, issueId }
    },
  }
}

function isOpen({ expiresMs }: IssueShare, nowMs: number): boolean {
  return expiresMs === null || expiresMs > nowMs
}

function shown({ tokenHash: _, ...share }: ShareRow): IssueShare {
  return share
}

export function issueSharesWrite(to: Tables): IssueSharesWrite {
  return {
    shareIssue: async (change, made, actor) =>
      to.transaction(() => {
        const chosen = choose(to, change)
        if (!chosen.ok) return chosen
        const [issue] = chosen.value
        if (issue === undefined) return refuse('not_found', 'There is no such issue.')
        const kept = to.issueShares.get(issue.id)
        const createdMs = Math.floor(actor.atMs)
        if (kept !== undefined && isOpen(kept, createdMs)) return ok(shown(kept))
        const share = { ...made, createdMs, createdBy: actor.label }
        to.issueShares.put(issue.id, share)
        const detail = { expiresMs: made.expiresMs }
        writeAudit(to, change.orgId, actor, { action: 'issue.shared', target: issue.shortId, detail })
        return ok(shown(share))
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
