/** Large blobs as files below a directory: written in pieces under a name that nothing lists, then renamed. */

import { createHash, type Hash, randomBytes } from 'node:crypto'
import { opendir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Disk, type DiskFile, makeDurableDirectory, nodeDisk } from '#base/disk.ts'
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { BlobName, BlobWriter, ByteRange } from '#ports/blobs.ts'
import type { BlobEntry, LargeBlobCare } from '#store/embedded/care/stores/large-blobs.ts'
import { absentAsNull } from './blob-directory.ts'

const NAME = /^[a-z0-9][a-z0-9.-]{0,79}\/\d{1,16}\/[0-9a-f]{32}$/
const AREA = /^[a-z0-9][a-z0-9.-]{0,79}(?:\/\d{1,16})?$/
/** Begins with a dot, as what a crash left half-written: `openBlobDirectory` removes it at the start. */
const TEMPORARY = '.writing-'

/** Opens the directory, made where absent and readable by its owner alone. */
export async function openLargeBlobs({
  directory,
  disk = nodeDisk,
}: {
  readonly directory: string
  readonly disk?: Disk
}): Promise<LargeBlobCare> {
  await makeDurableDirectory(disk, directory)
  return largeBlobsIn({ directory, disk })
}

/** Returns the blobs of a directory that need not be there, for a reader. */
export function largeBlobsIn({
  directory,
  disk = nodeDisk,
}: {
  readonly directory: string
  readonly disk?: Disk
}): LargeBlobCare {
  const path = (name: BlobName): string => join(directory, ...checkLargeName(name, NAME).split('/'))
  const areaPath = (area: string): string => join(directory, ...checkLargeName(area, AREA).split('/'))
  return {
    async begin() {
      const temporary = join(directory, `${TEMPORARY}${randomBytes(8).toString('hex')}`)
      return new FileWriter({ disk, path, temporary, file: await disk.create(temporary) })
    },
    read: (name, range) => absentAsNull(openStream(disk, path(name), range)),
    bytes: async (name) => (await absentAsNull(stat(path(name))))?.size ?? null,
    async remove(name) {
      await disk.unlink(path(name))
    },
    removeArea: (area) => rm(areaPath(area), { recursive: true, force: true }),
    async areas() {
      const entries = (await absentAsNull(readdir(directory, { withFileTypes: true }))) ?? []
      return entries.filter((entry) => entry.isDirectory() && AREA.test(entry.name)).map(({ name }) => name)
    },
    list: (area) => listBelow(areaPath(area), area),
  }
}

function checkLargeName(name: string, rule: RegExp): string {
  if (!rule.test(name)) throw new ErrataError('invalid_input', 'a large blob is named `area/project/id`')
  return name
}

interface Written {
  readonly disk: Disk
  readonly path: (name: BlobName) => string
  readonly temporary: string
  readonly file: DiskFile
}

class FileWriter implements BlobWriter {
  readonly #of: Written
  readonly #hash: Hash = createHash('sha256')
  #held: Uint8Array[] = []
  #writing: Promise<void> = Promise.resolve()
  /** Goes on while more is taken and written; `null` while nothing is synced. */
  #syncing: Promise<void> | null = null
  #heldBytes = 0
  #bytes = 0
  #syncedBytes = 0
  #state: 'open' | 'sealed' | 'named' | 'gone' = 'open'

  constructor(of: Written) {
    this.#of = of
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes < max('blobPieceBytes')) return
    // The next piece comes while this one is written.
    await this.#writing
    this.#writing = this.#write()
    this.#writing.catch(() => {}) // whoever waits for it next has its error
  }

  async seal(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    await this.#writing
    await this.#write()
    await this.#syncing
    await this.#of.file.sync()
    await this.#of.file.close()
    this.#state = 'sealed'
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  async keep(name: BlobName): Promise<void> {
    const { disk, path, temporary } = this.#of
    const target = path(name)
    await makeDurableDirectory(disk, dirname(target))
    await disk.rename(temporary, target)
    this.#state = 'named'
    await disk.syncDirectory(dirname(target))
  }

  async discard(): Promise<void> {
    const { disk, temporary, file } = this.#of
    this.#held = []
    if (this.#state === 'named' || this.#state === 'gone') return
    const wasOpen = this.#state === 'open'
    this.#state = 'gone'
    await this.#writing.catch(() => {})
    await this.#syncing?.catch(() => {})
    // What cannot be removed now is removed at the next start.
    if (wasOpen) await file.close().catch(() => {})
    await disk.unlink(temporary).catch(() => {})
  }

  async #write(): Promise<void> {
    const pieces = this.#held
    const bytes = this.#heldBytes
    this.#held = []
    this.#heldBytes = 0
    if (bytes === 0) return
    await this.#of.file.write(pieces, this.#bytes)
    this.#bytes += bytes
    // Bit by bit: one sync of everything would keep the journal's own waiting behind it.
    const waiting = this.#bytes - this.#syncedBytes
    if (waiting >= max('blobUnsyncedBytes')) await this.#syncing
    if (waiting >= max('blobSyncBytes') && this.#syncing === null) this.#sync()
  }

  /** Syncs beside what comes next, one at a time: the disk would else rest while the network works, and in turn. */
  #sync(): void {
    this.#syncedBytes = this.#bytes
    const syncing = this.#of.file.sync().then(() => {
      this.#syncing = null
    })
    // One that failed stays: whoever waits for it has its error, and `seal` does.
    syncing.catch(() => {})
    this.#syncing = syncing
  }
}

/** Rejects before the first byte where there is no such file. */
async function openStream(
  disk: Disk,
  path: string,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const file = await disk.open(path, 'read')
  const end = range?.end ?? (await file.size())
  let at = range?.start ?? 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = at < end ? await file.read(at, Math.min(max('blobPieceBytes'), end - at)) : null
        if (bytes !== null && bytes.length > 0) {
          at += bytes.length
          controller.enqueue(bytes)
          return
        }
        await file.close()
        if (at < end) throw new Error('a large blob ends early')
        controller.close()
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 1 },
  )
}

async function* listBelow(directory: string, area: string): AsyncGenerator<BlobEntry> {
  const found = await absentAsNull(opendir(directory))
  if (found === null) return
  for await (const entry of found) {
    const name = `${area}/${entry.name}`
    if (entry.isDirectory() && AREA.test(name)) yield* listBelow(join(directory, entry.name), name)
    if (!entry.isFile() || !NAME.test(name)) continue
    // Deleted while we looked: no longer there to be listed.
    const stats = await absentAsNull(stat(join(directory, entry.name)))
    if (stats !== null) yield { name, bytes: stats.size, writtenMs: stats.mtimeMs }
  }
}
