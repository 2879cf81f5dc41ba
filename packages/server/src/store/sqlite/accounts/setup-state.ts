import type { Connection } from '../connection.ts'

/** True until the first owner exists. */
export function needsSetup(db: Connection): boolean {
  return db.get('SELECT 1 FROM memberships WHERE role = ? LIMIT 1', ['owner']) === undefined
}
