/** Passkeys, authenticators, recovery codes and known devices, as they change. */
import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import { keepsCodes, refusePasskeys, SECOND_FACTOR_REFUSALS } from '#model/second-factor-rules.ts'
import type { Actor } from '#ports/scope.ts'
import type { Enrolled, NewPasskey, SecondFactorsWrite } from '#ports/second-factors.ts'
import type { Connection } from '../connection.ts'
import { countOf, organisationById } from '../rows/account-rows.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { authenticatorOf, factorsOf } from './second-factors-read.ts'
import { emailOf } from './sessions-write.ts'

type Devices = Pick<SecondFactorsWrite, 'noteDevice' | 'confirmSession' | 'requireSecondFactor'>
type Codes = Pick<SecondFactorsWrite, 'setRecoveryCodes' | 'useRecoveryCode' | 'removeSecondFactors'>
type Apps = Pick<
  SecondFactorsWrite,
  'beginAuthenticator' | 'confirmAuthenticator' | 'useAuthenticatorStep' | 'removeAuthenticator'
>

export function secondFactorsWrite(db: Connection): SecondFactorsWrite {
  return {
    addPasskey: async (passkey, codeHashes, actor) =>
      db.transaction(() => addPasskey(db, { passkey, codeHashes }, actor)),
    notePasskeyUse: async (id, counter, nowMs) =>
      void db.run('UPDATE passkeys SET counter = ?, used_ms = ? WHERE id = ?', [counter, nowMs, id]),
    renamePasskey: async (user, passkey, actor) =>
      db.transaction(() => renamePasskey(db, { user, ...passkey }, actor)),
    removePasskey: async (user, id, actor) => db.transaction(() => removePasskey(db, { user, id }, actor)),
    ...authenticators(db),
    ...recoveryCodes(db),
    ...devices(db),
  }
}

function authenticators(db: Connection): Apps {
  return {
    beginAuthenticator: async (user, sealedSecret) =>
      db.transaction(() => {
        if ((authenticatorOf(db, user)?.confirmedMs ?? null) !== null)
          return SECOND_FACTOR_REFUSALS.authenticatorSet()
        const sql = 'INSERT OR REPLACE INTO authenticators (user_id, sealed_secret) VALUES (?, ?)'
        db.run(sql, [user, sealedSecret])
        return ok(null)
      }),
    confirmAuthenticator: async (user, { step, codeHashes }, actor) =>
      db.transaction(() => {
        const factorsBefore = factorsOf(db, user)
        const sql = `UPDATE authenticators SET confirmed_ms = ?, used_step = ?
          WHERE user_id = ? AND confirmed_ms IS NULL`
        if (db.run(sql, [actor.atMs, step, user]).changes === 0)
          return SECOND_FACTOR_REFUSALS.authenticatorGone()
        writeAccountAudit(db, user, actor, { action: 'authenticator.added', target: emailOf(db, user) })
        return ok(enrolled(db, { user, factorsBefore, codeHashes }))
      }),
    useAuthenticatorStep: async (user, step) => {
      const sql = `UPDATE authenticators SET used_step = :step
        WHERE user_id = :user AND confirmed_ms IS NOT NULL AND used_step < :step`
      return db.run(sql, { user, step }).changes > 0
    },
    removeAuthenticator: async (user, actor) =>
      db.transaction(() => {
        if (db.run('DELETE FROM authenticators WHERE user_id = ?', [user]).changes === 0)
          return SECOND_FACTOR_REFUSALS.authenticatorGone()
        removeLonelyCodes(db, user)
        writeAccountAudit(db, user, actor, { action: 'authenticator.removed', target: emailOf(db, user) })
        return ok(null)
      }),
  }
}

function recoveryCodes(db: Connection): Codes {
  return {
    setRecoveryCodes: async (user, codeHashes, actor) =>
      db.transaction(() => {
        writeCodes(db, user, codeHashes)
        writeAccountAudit(db, user, actor, { action: 'recovery.codes_created', target: emailOf(db, user) })
      }),
    useRecoveryCode: async (user, codeHash, actor) =>
      db.transaction(() => {
        const sql = 'DELETE FROM recovery_codes WHERE code_hash = ? AND user_id = ?'
        if (db.run(sql, [codeHash, user]).changes === 0) return false
        writeAccountAudit(db, user, actor, { action: 'recovery.code_used', target: emailOf(db, user) })
        return true
      }),
    removeSecondFactors: async (user, actor) =>
      db.transaction(() => {
        for (const table of ['passkeys', 'authenticators', 'recovery_codes', 'sessions'])
          db.run(`DELETE FROM ${table} WHERE user_id = ?`, [user])
        const note = { action: 'recovery.factors_removed', target: emailOf(db, user) }
        writeAccountAudit(db, user, actor, note)
      }),
  }
}

function devices(db: Connection): Devices {
  return {
    confirmSession: async (session, user, actor) =>
      db.transaction(() => {
        const sql = 'UPDATE sessions SET confirmed_ms = ? WHERE id = ? AND user_id = ?'
        db.run(sql, [actor.atMs, session, user])
        writeAccountAudit(db, user, actor, { action: 'session.confirmed', target: emailOf(db, user) })
      }),
    requireSecondFactor: async (org, isRequired, actor) =>
      db.transaction(() => requireSecondFactor(db, { org, isRequired }, actor)),
    noteDevice: async (user, name, nowMs) =>
      db.transaction(() => {
        // The primary key of devices.
        const known = db.all<{ name: string }>('SELECT name FROM devices WHERE user_id = ?', [user])
        const sql = 'INSERT OR REPLACE INTO devices (user_id, name, seen_ms) VALUES (?, ?, ?)'
        db.run(sql, [user, name, nowMs])
        const oldest = `DELETE FROM devices WHERE user_id = :user AND name NOT IN
          (SELECT name FROM devices WHERE user_id = :user ORDER BY seen_ms DESC, name LIMIT :keep)`
        db.run(oldest, { user, keep: max('devicesPerPersonMax') })
        return known.length > 0 && known.every((one) => one.name !== name)
      }),
  }
}

function addPasskey(
  db: Connection,
  { passkey, codeHashes }: { readonly passkey: NewPasskey; readonly codeHashes: readonly string[] },
  actor: Actor,
): Result<Enrolled> {
  const { userId: user, name, credentialId, publicKey, counter, transports, host } = passkey
  if (db.get('SELECT 1 FROM passkeys WHERE credential_id = ?', [credentialId]) !== undefined)
    return SECOND_FACTOR_REFUSALS.passkeyKnown()
  // passkeys_by_user
  const owned = countOf(db, 'SELECT count(*) AS count FROM passkeys WHERE user_id = ?', [user])
  const tooMany = refusePasskeys(owned)
  if (tooMany !== null) return tooMany
  const factorsBefore = factorsOf(db, user)
  const sql = `INSERT INTO passkeys
      (user_id, name, credential_id, public_key, counter, transports, host, created_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
  db.run(sql, [user, name, credentialId, publicKey, counter, transports.join(','), host, actor.atMs])
  writeAccountAudit(db, user, actor, { action: 'passkey.added', target: name })
  return ok(enrolled(db, { user, factorsBefore, codeHashes }))
}

function enrolled(
  db: Connection,
  given: {
    readonly user: UserId
    readonly factorsBefore: number
    readonly codeHashes: readonly string[]
  },
): Enrolled {
  const codesKept = keepsCodes(given.factorsBefore)
  if (codesKept) writeCodes(db, given.user, given.codeHashes)
  return { codesKept }
}

function writeCodes(db: Connection, user: UserId, codeHashes: readonly string[]): void {
  db.run('DELETE FROM recovery_codes WHERE user_id = ?', [user])
  for (const hash of codeHashes)
    db.run('INSERT INTO recovery_codes (code_hash, user_id) VALUES (?, ?)', [hash, user])
}

function renamePasskey(
  db: Connection,
  { user, id, name }: { readonly user: UserId; readonly id: number; readonly name: string },
  actor: Actor,
): Result<null> {
  const before = db.get<{ name: string }>('SELECT name FROM passkeys WHERE id = ? AND user_id = ?', [
    id,
    user,
  ])
  if (before === undefined) return SECOND_FACTOR_REFUSALS.passkeyGone()
  db.run('UPDATE passkeys SET name = ? WHERE id = ?', [name, id])
  const detail = { nameBefore: before.name }
  writeAccountAudit(db, user, actor, { action: 'passkey.renamed', target: name, detail })
  return ok(null)
}

function removePasskey(
  db: Connection,
  { user, id }: { readonly user: UserId; readonly id: number },
  actor: Actor,
): Result<null> {
  const sql = 'SELECT name FROM passkeys WHERE id = ? AND user_id = ?'
  const passkey = db.get<{ name: string }>(sql, [id, user])
  if (passkey === undefined) return SECOND_FACTOR_REFUSALS.passkeyGone()
  db.run('DELETE FROM passkeys WHERE id = ?', [id])
  removeLonelyCodes(db, user)
  writeAccountAudit(db, user, actor, { action: 'passkey.removed', target: passkey.name })
  return ok(null)
}

function removeLonelyCodes(db: Connection, user: UserId): void {
  if (factorsOf(db, user) === 0) db.run('DELETE FROM recovery_codes WHERE user_id = ?', [user])
}

function requireSecondFactor(
  db: Connection,
  { org, isRequired }: { readonly org: OrgId; readonly isRequired: boolean },
  actor: Actor,
): Result<null> {
  const organisation = organisationById(db, org)
  if (organisation === null) return ACCOUNT_REFUSALS.organisationGone()
  db.run('UPDATE organisations SET requires_second_factor = ? WHERE id = ?', [isRequired ? 1 : 0, org])
  const detail = { isRequired }
  writeAudit(db, org, actor, { action: 'organisation.second_factor', target: organisation.name, detail })
  return ok(null)
}
