/** A data directory made of a snapshot. The control store comes last: without it a restore that was cut short is none. */
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findSnapshot, isEmptyDirectory } from './backup.ts'
import { ChunkStore } from './chunk-store.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import { RESTORING } from './restoring.ts'

export interface RestoreOptions {
  readonly directory: string
  /** `null` for the newest. */
  readonly snapshot: string | null
  /** Must be absent or empty. */
  readonly data: string
  /** Brings payloads to the snapshot's seq and makes the columns. */
  readonly rebuild: (manifest: Manifest) => Promise<void>
}

const CONTROL = 'control.sqlite'

/**
 * Makes a data directory of a snapshot.
 * @throws a sentence when the target holds something, DamagedBackup when the snapshot is not what was written
 */
export async function restoreBackup(options: RestoreOptions): Promise<{ name: string; manifest: Manifest }> {
  const { directory, snapshot, data, rebuild } = options
  if (!(await isEmptyDirectory(data))) {
    throw new Error(`${data} is not empty; a backup is restored into a new directory`)
  }
  const { name, manifest } = await findSnapshot(directory, snapshot)
  const chunks = new ChunkStore(directory)
  await mkdir(data, { recursive: true, mode: 0o700 })
  for (const file of manifest.files) {
    await writeFile(chunks, join(data, file.path === CONTROL ? RESTORING : file.path), file)
  }
  await rebuild(manifest)
  await rename(join(data, RESTORING), join(data, CONTROL))
  return { name, manifest }
}

async function writeFile(chunks: ChunkStore, path: string, file: ManifestFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const handle = await open(path, 'wx', 0o600)
  try {
    for (const chunk of file.chunks) await handle.write(await chunks.get(chunk))
    await handle.sync()
  } finally {
    await handle.close()
  }
}
