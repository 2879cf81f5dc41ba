/** The order in which every change of something that is there goes: found, refused, written, noted in the audit log. */
import { ok, type Refusal, type Result } from '#base/result.ts'
import type { AuditNote } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import { writeAudit } from './audit-entry.ts'
import type { By } from './command.ts'

interface ChangeOfFound<Found> {
  readonly find: Promise<Found | null>
  /** Refusal where it is not there. */
  readonly missing: () => Refusal
  /** Refuses, or writes and answers how the log tells of it; `null` where there is nothing to write. */
  readonly change: (found: Found) => Promise<Refusal | AuditNote | null>
}

/** Changes what is found, and notes it in the log of the organisation; a refusal leaves nothing. */
export async function changeFound<Found>(
  tx: Tx,
  { scope: { orgId }, actor }: By,
  { find, missing, change }: ChangeOfFound<Found>,
): Promise<Result<null>> {
  const found = await find
  if (found === null) return missing()
  const done = await change(found)
  if (done === null) return ok(null)
  if ('ok' in done) return done
  await writeAudit(tx, orgId, actor, done)
  return ok(null)
}
