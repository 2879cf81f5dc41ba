/**
 * A copy of the data directory as it was at one seq, taken while the server runs.
 *
 * ```
 *  control store, one read transaction ─▶ its applied_seq decides
 *  payload files, as long as they are then ─▶ what lies beyond is cut by the restore
 *  blobs, bundles that were uploaded and the database that knows them, settings
 * ```
 *
 * Columns and event ids are not in it: they are made from payloads; compiled maps are made from bundles by the next start. The journal is not either: it holds what came
 * after. Files that have not changed since the last snapshot are not read again; of others the chunks that have. Of what
 * is taken over so a share is read on each run.
 */
import { hash } from 'node:crypto'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { type ChunkHash, ChunkStore, DamagedBackup, nullIfAbsent, writeWhole } from './chunk-store.ts'
import { chunksOf, type Manifest, type ManifestFile, Snapshots } from './manifest.ts'

export interface BackupOptions {
  /** The data directory. */
  readonly data: string
  /** Directory of snapshots; made if absent. */
  readonly directory: string
  /** Snapshots kept, the newest; at least one. */
  readonly keep: number
  /** Version of this Errata. */
  readonly version: string
  readonly clock: Clock
  /** Copies the control store to a new file in one read transaction, checks the copy, and answers its applied seq. */
  readonly copyControl: (target: string) => Promise<number>
  /** Copies the database of artifacts, as the control store; false where nothing was ever uploaded. */
  readonly copyArtifacts: (target: string) => Promise<boolean>
  /** Directory for copies of databases, for a moment. */
  readonly scratch: string
}

export interface BackupResult {
  readonly snapshot: string
  readonly appliedSeq: number
  readonly files: number
  /** Bytes of all files of the snapshot. */
  readonly bytes: number
  /** Bytes that this run added on disk. */
  readonly newBytes: number
  readonly elapsedMs: number
}

const CONTROL = 'control.sqlite'
const SETTINGS = 'errata.config.json'
const ARTIFACTS = 'artifacts.sqlite'
const AREAS = ['payloads', 'blobs', 'artifacts/bundles'] as const

/**
 * Adds a snapshot of the data directory to a backup.
 * @throws DamagedBackup when an earlier snapshot, by which old chunks are kept or deleted, is damaged
 */
export async function createBackup(options: BackupOptions): Promise<BackupResult> {
  const { data, clock, version, directory, keep, scratch } = options
  const startMs = clock.elapsed()
  const takenMs = clock.now()
  const chunks = new ChunkStore(directory)
  const snapshots = new Snapshots(directory)
  const before = await newestReadable(snapshots)
  const appliedSeq = await options.copyControl(join(scratch, CONTROL))
  const hasArtifacts = await options.copyArtifacts(join(scratch, ARTIFACTS))
  const copy = new Copy(chunks, { before, verified: (chunk) => chunk.startsWith(directorySuffix(takenMs)) })
  await copy.add(CONTROL, join(scratch, CONTROL))
  if (hasArtifacts) await copy.add(ARTIFACTS, join(scratch, ARTIFACTS))
  for (const area of AREAS) {
    for (const name of await listFilesBelow(join(data, area)))
      await copy.add(`${area}/${name}`, join(data, area, name))
  }
  await copy.add(SETTINGS, join(data, SETTINGS))
  const manifest: Manifest = { version: 1, errata: version, takenMs, appliedSeq, files: copy.files }
  const snapshot = await snapshots.write(manifest)
  await prune({ chunks, snapshots, keep })
  return {
    snapshot,
    appliedSeq,
    files: copy.files.length,
    bytes: copy.files.reduce((sum, file) => sum + file.bytes, 0),
    newBytes: copy.written,
    elapsedMs: clock.elapsed() - startMs,
  }
}

/** Begins the names of one chunk in 16, by chance: a run reads these although they are taken over. */
function directorySuffix(takenMs: number): string {
  return hash('sha256', String(takenMs)).slice(0, 1)
}

/**
 * Reads every chunk of a snapshot, or of the newest. Damaged ones are set aside: what they held is written again by the
 * next backup, where the data directory still has it. @throws DamagedBackup with the first thing wrong
 */
export async function verifyBackup(directory: string, name: string | null): Promise<Manifest> {
  const { manifest } = await findSnapshot(directory, name)
  const chunks = new ChunkStore(directory)
  let first: DamagedBackup | null = null
  for (const chunk of new Set(chunksOf(manifest))) {
    try {
      await chunks.get(chunk)
    } catch (cause) {
      if (!(cause instanceof DamagedBackup)) throw cause
      first ??= cause
      // Where the backup can only be read, it is said all the same.
      await chunks.setAside(chunk).catch(() => {})
    }
  }
  if (first !== null) throw first
  return manifest
}

/**
 * Finds a snapshot of a backup, the newest by default.
 * @throws DamagedBackup when there is none, or not this one
 */
export async function findSnapshot(
  directory: string,
  name: string | null,
): Promise<{ readonly name: string; readonly manifest: Manifest }> {
  const snapshots = new Snapshots(directory)
  const wanted = name ?? (await snapshots.names())[0]
  if (wanted === undefined) throw new DamagedBackup(`${directory} holds no backup`)
  return { name: wanted, manifest: await snapshots.read(wanted) }
}

class Copy {
  readonly files: ManifestFile[] = []
  written = 0
  readonly #chunks: ChunkStore
  readonly #before: ReadonlyMap<string, ManifestFile>
  readonly #verified: (chunk: ChunkHash) => boolean

  constructor(
    chunks: ChunkStore,
    options: {
      readonly before: Manifest | null
      /** Whether a chunk that is taken over is read. */
      readonly verified: (chunk: ChunkHash) => boolean
    },
  ) {
    this.#chunks = chunks
    this.#before = new Map((options.before?.files ?? []).map((file) => [file.path, file]))
    this.#verified = options.verified
  }

  /** A file that retention removed meanwhile is left out: what it held is past its time. */
  async add(path: string, from: string): Promise<void> {
    const handle = await open(from, 'r').catch(nullIfAbsent)
    if (handle === null) return
    try {
      const { size, mtimeMs } = await handle.stat()
      const known = this.#before.get(path)
      const isSame = known?.bytes === size && known.modifiedMs === mtimeMs
      if (known !== undefined && isSame && (await this.#isThere(known))) {
        this.files.push(known)
        return
      }
      const chunks: ChunkHash[] = []
      for (let at = 0; at < size; at += max('backupChunkBytes')) {
        const wanted = Math.min(max('backupChunkBytes'), size - at)
        const bytes = Buffer.allocUnsafe(wanted)
        for (let done = 0; done < wanted; ) {
          const { bytesRead } = await handle.read(bytes, done, wanted - done, at + done)
          if (bytesRead === 0)
            throw new Error(`${from} became shorter while it was copied: run the backup again`)
          done += bytesRead
        }
        const kept = await this.#chunks.put(bytes)
        chunks.push(kept.hash)
        this.written += kept.written
      }
      this.files.push({ path, bytes: size, modifiedMs: mtimeMs, chunks })
    } finally {
      await handle.close()
    }
  }

  /** True if all chunks are there; what somebody removed from the backup, or damaged, is written again. */
  async #isThere({ bytes, chunks }: ManifestFile): Promise<boolean> {
    const most = max('backupChunkBytes')
    for (const [index, chunk] of chunks.entries()) {
      const isThere = this.#verified(chunk)
        ? await this.#chunks.isWhole(chunk)
        : await this.#chunks.mayHold(chunk, Math.min(most, bytes - index * most))
      if (!isThere) return false
    }
    return true
  }
}

/** Paths of regular files below a directory, in `/`; those of writes that were cut short are left out. */
async function listFilesBelow(directory: string): Promise<readonly string[]> {
  const entries =
    (await readdir(directory, { withFileTypes: true, recursive: true }).catch(nullIfAbsent)) ?? []
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/** A damaged snapshot is no reason to make none: everything is read again then. */
async function newestReadable(snapshots: Snapshots): Promise<Manifest | null> {
  const [newest] = await snapshots.names()
  if (newest === undefined) return null
  return snapshots.read(newest).catch((cause: unknown) => {
    if (cause instanceof DamagedBackup) return null
    throw cause
  })
}

async function prune(of: {
  readonly chunks: ChunkStore
  readonly snapshots: Snapshots
  readonly keep: number
}): Promise<void> {
  const names = await of.snapshots.names()
  const gone = names.slice(Math.max(1, of.keep))
  if (gone.length === 0) return
  for (const name of gone) await of.snapshots.remove(name)
  const kept = new Set<ChunkHash>()
  for (const name of await of.snapshots.names()) {
    for (const chunk of chunksOf(await of.snapshots.read(name))) kept.add(chunk)
  }
  await of.chunks.keepOnly(kept)
}

/** Result of a data directory's last backup, for /system; `null` before the first. */
export interface BackupStatus {
  readonly atMs: number
  readonly ok: boolean
  /** Words: what was written, or why not. */
  readonly detail: string
  readonly directory: string
}

const STATUS = 'backup-status.json'
const statusSchema = v.object({
  atMs: v.number(),
  ok: v.boolean(),
  detail: v.string(),
  directory: v.string(),
})

/** A status that cannot be read is that of a backup that failed, at no known time. */
export async function readBackupStatus(data: string): Promise<BackupStatus | null> {
  try {
    const text = await readFile(join(data, STATUS), 'utf8').catch(nullIfAbsent)
    return text === null ? null : v.parse(statusSchema, JSON.parse(text))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { atMs: 0, ok: false, detail: `${STATUS} cannot be read: ${reason.slice(0, 200)}`, directory: '' }
  }
}

/** The data directory must be there. */
export async function writeBackupStatus(data: string, status: BackupStatus): Promise<void> {
  await writeWhole(join(data, STATUS), Buffer.from(JSON.stringify(status)))
}

export function backupStatusPath(data: string): string {
  return join(data, STATUS)
}

/** True where there is nothing that a restore could overwrite. */
export async function isEmptyDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(nullIfAbsent)
  return found === null || (found.isDirectory() && (await readdir(path)).length === 0)
}
