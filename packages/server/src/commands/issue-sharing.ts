/** Links to single issues, for people without an account. */
import { newSecret, secretHash } from '#access/secrets.ts'
import { DAY_MS } from '#base/durations.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ISSUE_SHARES } from '#model/tables/issues.ts'
import type { IssueShare, NewShare } from '#ports/issue-shares.ts'
import { writeAudit } from './audit-entry.ts'
import { preparedCommand } from './command.ts'
import {
  chosenIssues,
  foundIssues,
  type IssueIds,
  type SelectionParts,
  wakeSenders,
} from './issue-selection.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'

type Asked = { readonly ref: string; readonly expiresDays: number | null }
type Sharing = IssueIds & NewShare

/**
 * Makes the link of an issue, unless it has one that opens it yet. `expiresDays` left out: it opens the issue for
 * `shareDaysDefault`; `null`: until it is revoked.
 */
export const shareIssue = preparedCommand({
  permission: 'issue.write',
  input: ({
    ref,
    ...given
  }: {
    readonly ref: string
    readonly expiresDays?: number | null | undefined
  }): Result<Asked> => {
    const checked = readInput(SCHEMAS.share, given)
    if (!checked.ok) return checked
    const { expiresDays = max('shareDaysDefault') } = checked.value
    return ok({ ref, expiresDays })
  },
  prepare: async (
    parts: SelectionParts & Pick<CommandParts, 'random' | 'seal' | 'clock'>,
    asking,
    { ref, expiresDays }: Asked,
  ): Promise<Result<Sharing>> => {
    const found = await foundIssues(parts, asking, { refs: [ref] })
    if (!found.ok) return found
    const token = newSecret(parts.random)
    return ok({
      ids: found.value.map(({ id }) => id),
      tokenHash: secretHash(token),
      sealedToken: parts.seal.seal(token),
      expiresMs: expiresDays === null ? null : Math.floor(parts.clock.now()) + expiresDays * DAY_MS,
    })
  },
  change: async (tx, { ids, tokenHash, ...link }: Sharing, by): Promise<Result<IssueShare>> => {
    const chosen = await chosenIssues(tx, by, ids)
    if (!chosen.ok) return chosen
    const [issue] = chosen.value
    if (issue === undefined) return refuse('not_found', 'There is no such issue.')
    const { actor, scope } = by
    const createdMs = Math.floor(actor.atMs)
    const rows = tx.rows(ISSUE_SHARES)
    const kept = await rows.one({ issueId: issue.id })
    if (kept !== null && (kept.expiresMs === null || kept.expiresMs > createdMs)) {
      const { issueId: _, tokenHash: __, ...share } = kept
      return ok(share)
    }
    const share = { ...link, createdMs, createdBy: actor.label }
    await rows.merge([{ issueId: issue.id, tokenHash, ...share }])
    const note = { action: 'issue.shared', target: issue.shortId, detail: { expiresMs: link.expiresMs } }
    await writeAudit(tx, scope.orgId, actor, note)
    return ok(share)
  },
  after: wakeSenders,
})

/** The link opens nothing from then on, nor does a later one have its token. */
export const unshareIssue = preparedCommand({
  permission: 'issue.write',
  input: (ref: string) => ok({ ref }),
  prepare: async (parts: SelectionParts, asking, { ref }): Promise<Result<IssueIds>> => {
    const found = await foundIssues(parts, asking, { refs: [ref] })
    return found.ok ? ok({ ids: found.value.map(({ id }) => id) }) : found
  },
  change: async (tx, { ids }: IssueIds, by) => {
    const chosen = await chosenIssues(tx, by, ids)
    if (!chosen.ok) return chosen
    for (const { id, shortId } of chosen.value) {
      if ((await tx.rows(ISSUE_SHARES).remove({ issueId: id })) === 0) continue
      await writeAudit(tx, by.scope.orgId, by.actor, { action: 'issue.unshared', target: shortId })
    }
    return ok(null)
  },
  after: wakeSenders,
})
