/** Maps are compiled after they were uploaded; events that come before are mended later, which other tests are about. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { waitFor } from '../support/wait-for.ts'

/** Resolves when every uploaded map is compiled, with the number of maps. */
export function mapsReady(data: string): Promise<number> {
  return waitFor(
    'the maps are compiled',
    async () => {
      const database = new DatabaseSync(join(data, 'artifacts.sqlite'), { readOnly: true })
      try {
        const states = database.prepare('SELECT state FROM maps').all()
        return states.every(({ state }) => state === 'ready') ? states.length : null
      } finally {
        database.close()
      }
    },
    60_000,
  )
}
