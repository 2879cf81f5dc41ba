/**
 * Bytes of a backup by their content: a chunk is a file named by the SHA-256 of what it holds, so that what has not
 * changed since the last backup is there already. Compressed where that helps; read back after it was written.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { nodeDisk } from '#base/disk.ts'
import { max } from '#limits/limits.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
const HASH = /^[0-9a-f]{64}$/
const PACKED = '.zst'
const DAMAGED = '.damaged'

/** SHA-256 of a chunk's bytes, 64 hex characters. */
export type ChunkHash = string

export class DamagedBackup extends Error {}

export class ChunkStore {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = join(directory, 'chunks')
  }

  /** Keeps the bytes, durably; answers how many bytes were written, 0 where they were there undamaged. */
  async put(bytes: Uint8Array): Promise<{ readonly hash: ChunkHash; readonly written: number }> {
    const hash = sha256(bytes)
    if (await this.isWhole(hash)) return { hash, written: 0 }
    const packed = await compress(bytes, ZSTD)
    const isPacked = packed.length < bytes.length * 0.9
    await writeWhole(this.#path(hash) + (isPacked ? PACKED : ''), isPacked ? packed : bytes)
    // A damaged one of the other form would be read in its place; those set aside are of no more use.
    for (const ending of [isPacked ? '' : PACKED, DAMAGED, PACKED + DAMAGED])
      await rm(this.#path(hash) + ending, { force: true })
    await this.get(hash)
    return { hash, written: isPacked ? packed.length : bytes.length }
  }

  /** Reads it: false where the chunk is absent or not what was put. */
  async isWhole(hash: ChunkHash): Promise<boolean> {
    try {
      await this.get(hash)
      return true
    } catch (cause) {
      if (cause instanceof DamagedBackup) return false
      throw cause
    }
  }

  /** Without reading it: whether there is a file that may hold so many bytes. */
  async mayHold(hash: ChunkHash, bytes: number): Promise<boolean> {
    const plain = await stat(this.#path(hash)).catch(nullIfAbsent)
    if (plain !== null) return plain.size === bytes
    const packed = await stat(this.#path(hash) + PACKED).catch(nullIfAbsent)
    return packed !== null && packed.size > 0 && packed.size < bytes
  }

  /** Moves a damaged chunk out of the way, so that the next backup writes it again. */
  async setAside(hash: ChunkHash): Promise<void> {
    for (const path of [this.#path(hash), this.#path(hash) + PACKED]) {
      await rename(path, path + DAMAGED).catch(nullIfAbsent)
    }
  }

  /** @throws DamagedBackup when the chunk is absent or not what was put */
  async get(hash: ChunkHash): Promise<Uint8Array> {
    const stored = await this.#read(hash)
    if (stored === null) throw new DamagedBackup(`chunk ${hash} is ${await this.#stateOfNone(hash)}`)
    if (sha256(stored) !== hash) throw new DamagedBackup(`chunk ${hash} is damaged`)
    return stored
  }

  /** Deletes every chunk that is not in `kept`; answers the bytes that freed. */
  async keepOnly(kept: ReadonlySet<ChunkHash>): Promise<number> {
    let freed = 0
    for (const folder of (await readdir(this.#directory).catch(nullIfAbsent)) ?? []) {
      for (const name of await readdir(join(this.#directory, folder))) {
        if (kept.has(name.replace(PACKED, ''))) continue
        const path = join(this.#directory, folder, name)
        freed += (await stat(path)).size
        await rm(path)
      }
    }
    return freed
  }

  async #stateOfNone(hash: ChunkHash): Promise<'missing' | 'damaged'> {
    for (const ending of [DAMAGED, PACKED + DAMAGED]) {
      if ((await stat(this.#path(hash) + ending).catch(nullIfAbsent)) !== null) return 'damaged'
    }
    return 'missing'
  }

  async #read(hash: ChunkHash): Promise<Uint8Array | null> {
    const plain = await readFile(this.#path(hash)).catch(nullIfAbsent)
    if (plain !== null) return plain
    const packed = await readFile(this.#path(hash) + PACKED).catch(nullIfAbsent)
    if (packed === null) return null
    const bytesMax = max('backupChunkBytes')
    try {
      // In one piece, one byte larger than what comes: of 16 KB each costs a turn of the pool, 50 ms instead of 2 at 12 MB.
      return await decompress(packed, { maxOutputLength: bytesMax, chunkSize: bytesMax + 1 })
    } catch {
      throw new DamagedBackup(`chunk ${hash} is damaged`)
    }
  }

  #path(hash: ChunkHash): string {
    if (!HASH.test(hash)) throw new DamagedBackup('a chunk has a name that is no hash')
    return join(this.#directory, hash.slice(0, 2), hash)
  }
}

/** Begins the name of a file that is being written; a crash may leave one. */
export const WRITING = '.writing-'

/** Writes a file whole or not at all, durably. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = join(dirname(path), `${WRITING}${randomBytes(8).toString('hex')}`)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
  await nodeDisk.syncDirectory(dirname(path))
}

function sha256(bytes: Uint8Array): ChunkHash {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Returns `null` for what is not there, in a `catch`; rethrows every other failure. */
export function nullIfAbsent(cause: unknown): null {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
  throw cause
}
