/** Bearer tokens of the web API: kept as hashes. */

import { type OrgId, tokenId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import {
  ACCOUNT_REFUSALS,
  agentCallNote,
  auditExportNote,
  expiryText,
  refuseTokens,
} from '#model/account-rules.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import type { Connection } from '../connection.ts'
import { countOf, roleOf } from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'

export function tokensWrite(
  db: Connection,
): Pick<
  AccountsWrite,
  'createToken' | 'revokeToken' | 'noteAgentCall' | 'noteAudit' | 'noteQuarantineDownload' | 'noteAuditExport'
> {
  return {
    createToken: async (token, actor) =>
      db.transaction(() => {
        if (token.userId !== null && roleOf(db, token.orgId, token.userId) === null) {
          return ACCOUNT_REFUSALS.noMember()
        }
        // tokens_by_org
        const same =
          'SELECT count(*) AS count FROM tokens WHERE org_id = ? AND user_id IS ? AND client_id IS NULL'
        const count = countOf(db, same, [token.orgId, token.userId])
        const tooMany = refuseTokens(token.userId === null ? 'organisation' : 'person', count)
        if (tooMany !== null) return tooMany
        const sql = `INSERT INTO tokens
            (org_id, user_id, name, scopes, tail, token_hash, created_ms, expires_ms, created_by_id, created_by,
             address)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
        const scopes = JSON.stringify(token.scopes)
        const { orgId, userId, name, tail, tokenHash, expiresMs } = token
        const by = userId === null ? [actor.userId, actor.label] : [null, null]
        const given = [orgId, userId, name, scopes, tail, tokenHash, actor.atMs, expiresMs]
        const { lastId } = db.run(sql, [...given, ...by, token.address ?? null])
        writeAudit(db, orgId, actor, {
          action: 'token.created',
          target: name,
          detail: {
            tail,
            scopes: token.scopes.join(' '),
            personal: userId !== null,
            expires: expiryText(expiresMs),
          },
        })
        return ok(tokenId(lastId))
      }),
    revokeToken: async (org, id, actor) =>
      db.transaction(() => {
        const sql =
          'DELETE FROM tokens WHERE id = ? AND org_id = ? AND client_id IS NULL RETURNING name, tail'
        const revoked = db.get<{ name: string; tail: string }>(sql, [id, org])
        if (revoked === undefined) return ACCOUNT_REFUSALS.tokenRevoked()
        writeAudit(db, org, actor, {
          action: 'token.revoked',
          target: revoked.name,
          detail: { tail: revoked.tail },
        })
        return ok(null)
      }),
    ...notesWrite(db),
  }
}

/** Entries of the audit log alone. */
function notesWrite(
  db: Connection,
): Pick<AccountsWrite, 'noteAgentCall' | 'noteAudit' | 'noteQuarantineDownload' | 'noteAuditExport'> {
  return {
    noteAgentCall: async (org, call, actor) =>
      db.transaction(() => writeAudit(db, org, actor, agentCallNote(call))),
    noteQuarantineDownload: async (seq, actor) =>
      db.transaction(() => {
        const sql = `SELECT p.org_id AS org FROM quarantined q JOIN projects p ON p.id = q.project_id WHERE q.seq = ?`
        const org = db.get<{ org: OrgId }>(sql, [seq])?.org ?? null
        writeAudit(db, org, actor, { action: 'quarantine.downloaded', target: `envelope ${seq}` })
      }),
    noteAudit: async (org, note, actor) => db.transaction(() => writeAudit(db, org, actor, note)),
    noteAuditExport: async (org, exported, actor) =>
      db.transaction(() => writeAudit(db, org, actor, auditExportNote(exported))),
  }
}
