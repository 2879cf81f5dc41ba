/** Changes of bearer tokens of the web API, which are kept as hashes, and entries of the audit log alone. */
import { type OrgId, type Seq, type TokenId, tokenId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, expiryText, refuseTokens } from '#model/account-rules.ts'
import { QUARANTINED } from '#model/tables/installation.ts'
import { TOKENS } from '#model/tables/organisations.ts'
import { PROJECTS } from '#model/tables/projects.ts'
import type { AuditNote, Token } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { readRole } from './account-entry.ts'
import { writeAudit } from './audit-entry.ts'

type NewToken = Pick<Token, 'orgId' | 'userId' | 'name' | 'scopes' | 'tail' | 'expiresMs'> & {
  readonly tokenHash: string
  readonly address: string | null
}

export async function createToken(
  tx: Tx,
  { token, actor }: { readonly token: NewToken; readonly actor: Actor },
): Promise<Result<TokenId>> {
  const { orgId, userId, name, scopes, tail, tokenHash, expiresMs, address } = token
  if (userId !== null && (await readRole(tx, { orgId, userId })) === null) return ACCOUNT_REFUSALS.noMember()
  const rows = tx.rows(TOKENS)
  const count = await rows.count({ orgId, userId, clientId: null })
  const tooMany = refuseTokens(userId === null ? 'organisation' : 'person', count)
  if (tooMany !== null) return tooMany
  const kept = { orgId, userId, name, scopes, tail, tokenHash, expiresMs, address }
  const by = userId === null ? { createdById: actor.userId, createdBy: actor.label } : {}
  const [id = 0] = await rows.insert([{ ...kept, createdMs: actor.atMs, ...by }])
  await writeAudit(tx, orgId, actor, {
    action: 'token.created',
    target: name,
    detail: { tail, scopes: scopes.join(' '), personal: userId !== null, expires: expiryText(expiresMs) },
  })
  return ok(tokenId(id))
}

export async function revokeToken(
  tx: Tx,
  { orgId, id, actor }: { readonly orgId: OrgId; readonly id: TokenId; readonly actor: Actor },
): Promise<Result<null>> {
  const revoked = await tx.rows(TOKENS).one({ id, orgId, clientId: null })
  if (revoked === null) return ACCOUNT_REFUSALS.tokenRevoked()
  await tx.rows(TOKENS).remove({ id })
  const { name: target, tail } = revoked
  await writeAudit(tx, orgId, actor, { action: 'token.revoked', target, detail: { tail } })
  return ok(null)
}

/** Writes only an entry: what was done elsewhere, or changes nothing. */
export function noteAudit(
  tx: Tx,
  { orgId, note, actor }: { readonly orgId: OrgId; readonly note: AuditNote; readonly actor: Actor },
): Promise<void> {
  return writeAudit(tx, orgId, actor, note)
}

/** Tells the organisation whose envelope it is that the operator took it. */
export async function noteQuarantineDownload(
  tx: Tx,
  { seq, actor }: { readonly seq: Seq; readonly actor: Actor },
): Promise<void> {
  const taken = await tx.rows(QUARANTINED).one({ seq })
  const id = taken?.projectId ?? null
  const project = id === null ? null : await tx.rows(PROJECTS).one({ id })
  const note = { action: 'quarantine.downloaded', target: `envelope ${seq}` }
  await writeAudit(tx, project?.orgId ?? null, actor, note)
}
