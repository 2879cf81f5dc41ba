/** Control stores of tests: what people run, each on a file of its own that goes when it is closed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { silentLog as log } from '#base/log.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { openNewControl } from '../../new-control.ts'
import type { ControlStores } from './stores.ts'

/** Opens an empty store. Its directory is removed with the process, too, where a test did not close it. */
export async function openControlStores(clock: Clock): Promise<ControlStores> {
  const directory = mkdtempSync(join(tmpdir(), 'errata-control-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  const path = join(directory, 'control.sqlite')
  const write = openNewControl({ path, clock, log })
  const read = openControlReader({ path, clock, log })
  return {
    write,
    read,
    async close() {
      await read.close()
      await write.close()
      process.off('exit', remove)
      remove()
    },
  }
}
