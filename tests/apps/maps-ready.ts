/** Maps are compiled after they were uploaded; events that come before are mended later, which other tests are about. */
import { readBeside } from '../support/beside.ts'
import { waitFor } from '../support/wait-for.ts'

/** Resolves when every uploaded map is compiled, with the number of maps. */
export function mapsReady(data: string): Promise<number> {
  return waitFor(
    'the maps are compiled',
    async () =>
      readBeside(data, 'artifacts.sqlite', (database) => {
        const states = database.prepare('SELECT state FROM maps').all()
        return states.every(({ state }) => state === 'ready') ? states.length : null
      }),
    60_000,
  )
}
