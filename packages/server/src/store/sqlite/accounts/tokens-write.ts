/** Bearer tokens of the web API: kept as hashes. */

import { tokenId } from '#base/ids.ts'
import { ok, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import type { Connection } from '../connection.ts'
import { countOf, roleOf } from './account-rows.ts'
import { writeAudit } from './audit.ts'
import { touch } from './sessions-write.ts'

export function tokensWrite(
  db: Connection,
): Pick<AccountsWrite, 'createToken' | 'revokeToken' | 'touchToken'> {
  return {
    createToken: async (token, actor) =>
      db.transaction(() => {
        if (token.userId !== null && roleOf(db, token.orgId, token.userId) === null) {
          return refuse('not_found', 'They are no member of this organisation.')
        }
        const count = countOf(db, 'SELECT count(*) AS count FROM tokens WHERE org_id = ?', [token.orgId])
        if (count >= max('tokensPerOrgMax')) {
          return refuse(
            'conflict',
            `An organisation has at most ${max('tokensPerOrgMax')} tokens. Revoke one first.`,
          )
        }
        const sql = `INSERT INTO tokens (org_id, user_id, name, scopes, tail, token_hash, created_ms)
          VALUES (?, ?, ?, ?, ?, ?, ?)`
        const scopes = JSON.stringify(token.scopes)
        const { orgId, userId, name, tail, tokenHash } = token
        const { lastId } = db.run(sql, [orgId, userId, name, scopes, tail, tokenHash, actor.atMs])
        writeAudit(db, orgId, actor, {
          action: 'token.created',
          target: name,
          detail: { tail, scopes: token.scopes.join(' '), personal: userId !== null },
        })
        return ok(tokenId(lastId))
      }),
    revokeToken: async (org, id, actor) =>
      db.transaction(() => {
        const sql = 'DELETE FROM tokens WHERE id = ? AND org_id = ? RETURNING name, tail'
        const revoked = db.get<{ name: string; tail: string }>(sql, [id, org])
        if (revoked === undefined) return refuse('not_found', 'The token was revoked already.')
        writeAudit(db, org, actor, {
          action: 'token.revoked',
          target: revoked.name,
          detail: { tail: revoked.tail },
        })
        return ok(null)
      }),
    touchToken: async (id, nowMs) => touch(db, 'tokens', { id, nowMs }),
  }
}
