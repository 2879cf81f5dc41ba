/** Waits for alert rules to have looked at what was sent: a rule that is made before then fires for it. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunningErrata } from './start-errata.ts'
import { waitFor } from './wait-for.ts'

export async function rulesHaveLooked({ data }: Pick<RunningErrata, 'data'>): Promise<void> {
  const control = new DatabaseSync(join(data, 'control.sqlite'), { readOnly: true })
  const waiting = control.prepare('SELECT count(*) AS count FROM alert_candidates')
  await waitFor('rules have looked', async () => waiting.get()?.count === 0)
  control.close()
}
