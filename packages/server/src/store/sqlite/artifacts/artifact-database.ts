/** The database of artifacts, in a file of its own. */
import type { Log } from '#base/log.ts'
import type { ArtifactIndex, MapIndex } from '#ports/artifacts.ts'
import type { LateBundles } from '#ports/late-maps.ts'
import { Connection, type OnDamage } from '../connection.ts'
import { ARTIFACT_MIGRATIONS, migrate } from '../migrations.ts'
import { artifactIndex } from './artifact-index.ts'
import { lateBundles } from './late-bundles.ts'
import { mapIndex } from './map-index.ts'

interface OpenOptions {
  readonly path: string
  readonly log: Log
  readonly onDamage?: OnDamage
}

/** The one writer. Creates the file when it is absent. */
export function openArtifactIndex({
  path,
  log,
  onDamage,
}: OpenOptions): ArtifactIndex & MapIndex & LateBundles & { close(): void } {
  const db = Connection.openWriter(path, onDamage)
  try {
    migrate(db, { log, planLog: log, migrations: ARTIFACT_MIGRATIONS })
  } catch (cause) {
    db.close()
    throw cause
  }
  return { ...artifactIndex(db), ...mapIndex(db), ...lateBundles(db), close: () => db.close() }
}
