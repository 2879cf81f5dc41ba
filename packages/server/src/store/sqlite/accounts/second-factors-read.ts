/** Passkeys, authenticators and recovery codes, as they are read. */
import type { UserId } from '#base/ids.ts'
import type { Authenticator, Passkey, SecondFactors, SecondFactorsRead } from '#ports/second-factors.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'

export function secondFactorsRead(db: Connection): SecondFactorsRead {
  return {
    secondFactors: async (user) => db.snapshot(() => secondFactors(db, user)),
    passkey: async (credentialId) => {
      // The unique index on credential_id.
      const row = db.get<PasskeyRow>(`SELECT ${COLUMNS} FROM passkeys WHERE credential_id = ?`, [
        credentialId,
      ])
      return row === undefined ? null : passkeyOf(row)
    },
    hasSecondFactor: async (user) => db.snapshot(() => countFactors(db, user) > 0),
  }
}

function secondFactors(db: Connection, user: UserId): SecondFactors {
  // passkeys_by_user
  const passkeys = `SELECT ${COLUMNS} FROM passkeys WHERE user_id = ? ORDER BY id`
  // recovery_codes_by_user
  const left = 'SELECT count(*) AS count FROM recovery_codes WHERE user_id = ?'
  return {
    passkeys: db.all<PasskeyRow>(passkeys, [user]).map(passkeyOf),
    authenticator: authenticatorOf(db, user),
    recoveryCodesLeft: countOf(db, left, [user]),
  }
}

const COLUMNS = `id, user_id AS userId, name, credential_id AS credentialId, public_key AS publicKey, counter,
  transports, host, created_ms AS createdMs, used_ms AS usedMs`

interface PasskeyRow {
  readonly id: number
  readonly userId: UserId
  readonly name: string
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
  /** Words that hold no comma. */
  readonly transports: string
  readonly host: string
  readonly createdMs: number
  readonly usedMs: number | null
}

function passkeyOf({ transports, ...row }: PasskeyRow): Passkey {
  return { ...row, transports: transports === '' ? [] : transports.split(',') }
}

function authenticatorOf(db: Connection, user: UserId): Authenticator | null {
  const sql = `SELECT sealed_secret AS sealedSecret, confirmed_ms AS confirmedMs
    FROM authenticators WHERE user_id = ?`
  return db.get<Authenticator>(sql, [user]) ?? null
}

/** Passkeys, and the authenticator where it was confirmed. */
function countFactors(db: Connection, user: UserId): number {
  // passkeys_by_user
  const passkeys = countOf(db, 'SELECT count(*) AS count FROM passkeys WHERE user_id = ?', [user])
  const isConfirmed = (authenticatorOf(db, user)?.confirmedMs ?? null) !== null
  return passkeys + (isConfirmed ? 1 : 0)
}
