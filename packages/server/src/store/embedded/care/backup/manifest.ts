/**
 * Manifest of a backup: one a snapshot, `snapshots/2026-11-21T15-20-00Z.json`, with a checksum of its own.
 */
import { hash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { type ChunkHash, DamagedBackup, nullIfAbsent, writeWhole } from './chunk-store.ts'

/** A path below the data directory, in `/`: nothing that could leave it. */
const path = v.pipe(
  v.string(),
  v.regex(/^(?!\.)[A-Za-z0-9._-]+(?:\/(?!\.)[A-Za-z0-9._-]+)*$/),
  v.maxLength(300),
)
const whole = v.pipe(v.number(), v.integer(), v.minValue(0))

const manifestSchema = v.strictObject({
  version: v.literal(1),
  /** Version of the Errata that made it. */
  errata: v.string(),
  takenMs: whole,
  /** Everything up to this seq is in the backup; nothing beyond it counts. */
  appliedSeq: whole,
  files: v.array(v.strictObject({ path, bytes: whole, modifiedMs: v.number(), chunks: v.array(v.string()) })),
})

export type Manifest = v.InferOutput<typeof manifestSchema>
export type ManifestFile = Manifest['files'][number]

const NAME = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d-[0-5]\d-[0-5]\dZ$/
const ENDING = '.json'

export class Snapshots {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = join(directory, 'snapshots')
  }

  /** The one written last first: none is named before another that was there. */
  async names(): Promise<readonly string[]> {
    const found = (await readdir(this.#directory).catch(nullIfAbsent)) ?? []
    return found
      .map((name) => name.replace(ENDING, ''))
      .filter((name) => NAME.test(name))
      .sort()
      .reverse()
  }

  /** @throws DamagedBackup when it is not what was written */
  async read(name: string): Promise<Manifest> {
    const text = await readFile(join(this.#directory, name + ENDING), 'utf8').catch(nullIfAbsent)
    if (text === null) throw new DamagedBackup(`there is no snapshot ${name}`)
    const [body = '', checksum = ''] = text.split('\n')
    if (hash('sha256', body) !== checksum.trim()) throw new DamagedBackup(`snapshot ${name} is damaged`)
    return v.parse(manifestSchema, JSON.parse(body))
  }

  /** Answers its name: the time it was taken, or, where the clock was set back, what comes after the newest. */
  async write(manifest: Manifest): Promise<string> {
    const [newest] = await this.names()
    const afterNewest = newest === undefined ? 0 : manifestTime(newest) + 1_000
    const name = manifestName(Math.max(manifest.takenMs, afterNewest))
    const body = JSON.stringify(manifest)
    await writeWhole(join(this.#directory, name + ENDING), Buffer.from(`${body}\n${hash('sha256', body)}\n`))
    return name
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#directory, name + ENDING), { force: true })
  }
}

function manifestName(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '-').concat('Z')
}

function manifestTime(name: string): number {
  return Date.parse(name.replace(/(?<=T\d{2})-(\d{2})-/, ':$1:'))
}

export function chunksOf(manifest: Manifest): readonly ChunkHash[] {
  return manifest.files.flatMap(({ chunks }) => chunks)
}
