/** Keeps whether set-up was done, and where the installation is reached. */
import type { Connection } from '../connection.ts'

/** True until the first owner exists. */
export function needsSetup(db: Connection): boolean {
  return db.get('SELECT 1 FROM memberships WHERE role = ? LIMIT 1', ['owner']) === undefined
}

export function publicUrl(db: Connection): string | null {
  return (
    db.get<{ value: string }>('SELECT value FROM installation WHERE name = ?', ['public_url'])?.value ?? null
  )
}
