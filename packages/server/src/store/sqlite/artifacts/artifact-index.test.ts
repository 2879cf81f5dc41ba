/** The index of artifacts in SQLite. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#base/log.ts'
import { testArtifactIndex } from '#testing/contract/artifacts/index-contract.ts'
import { openArtifactIndex } from './artifact-database.ts'

testArtifactIndex('SQLite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-artifact-index-'))
  const index = openArtifactIndex({ path: join(directory, 'artifacts.sqlite'), log: silentLog })
  return {
    index,
    close() {
      index.close()
      rmSync(directory, { recursive: true })
    },
  }
})
