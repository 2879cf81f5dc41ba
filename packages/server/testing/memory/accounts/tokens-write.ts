/** Bearer tokens of the web API. */
import { tokenId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import {
  ACCOUNT_REFUSALS,
  agentCallNote,
  auditExportNote,
  expiryText,
  noteUseBefore,
  refuseTokens,
} from '#model/account-rules.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import { writeAudit } from '../rows/audit.ts'
import { roleOf } from '../rows/members.ts'
import type { Tables } from '../tables.ts'

export function tokensWrite(
  to: Tables,
): Pick<
  AccountsWrite,
  | 'createToken'
  | 'revokeToken'
  | 'touchToken'
  | 'noteAgentCall'
  | 'noteAudit'
  | 'noteQuarantineDownload'
  | 'noteAuditExport'
> {
  return {
    createToken: async (token, actor) =>
      to.transaction(() => {
        const { orgId: org, userId: user, name, tail, scopes, expiresMs } = token
        if (user !== null && roleOf(to, org, user) === null) return ACCOUNT_REFUSALS.noMember()
        const same = to.tokens.where(
          ({ orgId, userId, client }) => orgId === org && userId === user && client === undefined,
        )
        const tooMany = refuseTokens(user === null ? 'organisation' : 'person', same.length)
        if (tooMany !== null) return tooMany
        const id = tokenId(to.tokens.nextId())
        const createdBy = user === null ? { userId: actor.userId, name: actor.label } : null
        const address = token.address ?? null
        to.tokens.put(id, { ...token, id, createdMs: actor.atMs, usedMs: null, createdBy, address })
        const detail = {
          tail,
          scopes: scopes.join(' '),
          personal: user !== null,
          expires: expiryText(expiresMs),
        }
        writeAudit(to, org, actor, { action: 'token.created', target: name, detail })
        return ok(id)
      }),
    revokeToken: async (org, id, actor) =>
      to.transaction(() => {
        const token = to.tokens.get(id)
        if (token?.orgId !== org || token.client !== undefined) return ACCOUNT_REFUSALS.tokenRevoked()
        to.tokens.delete(id)
        const { name, tail } = token
        writeAudit(to, org, actor, { action: 'token.revoked', target: name, detail: { tail } })
        return ok(null)
      }),
    touchToken: async (id, nowMs) =>
      to.transaction(() => {
        const token = to.tokens.get(id)
        if (token !== undefined && (token.usedMs ?? 0) <= noteUseBefore(nowMs))
          to.tokens.change(id, { usedMs: nowMs })
      }),
    noteAgentCall: async (org, call, actor) =>
      to.transaction(() => writeAudit(to, org, actor, agentCallNote(call))),
    noteQuarantineDownload: async (seq, actor) =>
      to.transaction(() => {
        const project = to.quarantined.get(seq)?.projectId
        const org = project === undefined ? null : (to.projects.get(project)?.orgId ?? null)
        writeAudit(to, org, actor, { action: 'quarantine.downloaded', target: `envelope ${seq}` })
      }),
    noteAudit: async (org, note, actor) => to.transaction(() => writeAudit(to, org, actor, note)),
    noteAuditExport: async (org, exported, actor) =>
      to.transaction(() => writeAudit(to, org, actor, auditExportNote(exported))),
  }
}
