/** Artifacts without threads: uploads over real files and a real index; maps wait, nobody makes them ready. */
import { join } from 'node:path'
import { createArtifacts } from '#artifacts/artifacts.ts'
import type { Clock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { openArtifactFiles } from '#store/artifact-files/artifact-directory.ts'
import { openArtifactIndex } from '#store/sqlite/artifacts/artifact-database.ts'
import { openMapIndex } from '#store/sqlite/artifacts/map-index.ts'

export async function openArtifacts(directory: string, clock: Clock, bytesMax: number | null = null) {
  const path = join(directory, 'artifacts.sqlite')
  const index = openArtifactIndex({ path, log: silentLog })
  const reader = openMapIndex(path)
  const files = await openArtifactFiles(join(directory, 'artifacts'))
  let added = 0
  const artifacts = createArtifacts({
    ...{ files, index, clock, log: silentLog, bytesMax },
    onAdded: () => added++,
  })
  return {
    ...{ artifacts, files, index, directory: join(directory, 'artifacts') },
    /** How often maps were said to wait. */
    added: () => added,
    /** Reader of uploads, as a process thread has one. */
    reader,
    close() {
      reader.close()
      index.close()
    },
  }
}
