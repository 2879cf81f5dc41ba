/** Blobs as files of a directory: the name is the path below it. */
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { type Disk, makeDurableDirectory, nodeDisk } from '#base/disk.ts'
import { ErrataError } from '#base/errors.ts'
import type { BlobName, BlobStore } from '#ports/blobs.ts'

const NAME = /^(?:[a-z0-9_-][a-z0-9._-]*\/)+[a-z0-9_-][a-z0-9._-]*$/
const NAME_CHARS_MAX = 200
/** Begins with a dot, which no blob's name may: a file that a crash left half-written is never listed. */
const TEMPORARY = '.writing-'

/** Opens the directory, made where absent and readable by its owner alone; removes half-written files. */
export async function openBlobDirectory({
  directory,
  disk = nodeDisk,
}: {
  readonly directory: string
  readonly disk?: Disk
}): Promise<BlobStore> {
  await makeDurableDirectory(disk, directory)
  await removeTemporary(disk, directory)
  const path = (name: BlobName): string => join(directory, ...checkBlobName(name).split('/'))
  return {
    put: (name, bytes) => replaceFile(disk, path(name), bytes),
    get: (name) => absentAsNull(readWhole(disk, path(name))),
    async delete(name) {
      await disk.unlink(path(name))
    },
    async list(prefix) {
      const found = []
      for (const name of await namesBelow(directory, prefix)) {
        const stats = await absentAsNull(stat(join(directory, name)))
        // Deleted while we looked: no longer there to be listed.
        if (stats !== null) found.push({ name, bytes: stats.size, writtenMs: stats.mtimeMs })
      }
      return found
    },
  }
}

function checkBlobName(name: BlobName): BlobName {
  if (name.length > NAME_CHARS_MAX || !NAME.test(name)) {
    throw new ErrataError('invalid_input', 'a blob name is `area/…/leaf` of [a-z0-9._-] without leading dots')
  }
  return name
}

/** Whole or not at all: written beside, synced, renamed, and the directory synced so that the rename stays. */
async function replaceFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path)
  await makeDurableDirectory(disk, folder)
  const temporary = join(folder, `${TEMPORARY}${randomBytes(8).toString('hex')}`)
  try {
    const file = await disk.create(temporary)
    try {
      await file.write([bytes], 0)
      await file.sync()
    } finally {
      await file.close()
    }
    await disk.rename(temporary, path)
  } catch (error) {
    await disk.unlink(temporary)
    throw error
  }
  await disk.syncDirectory(folder)
}

async function readWhole(disk: Disk, path: string): Promise<Uint8Array> {
  const file = await disk.open(path, 'read')
  try {
    // A copy: a view of a pooled buffer would take all of it across threads.
    return new Uint8Array(await file.read(0, await file.size()))
  } finally {
    await file.close()
  }
}

/** Looks only into the folder that the prefix names. */
async function namesBelow(directory: string, prefix: string): Promise<string[]> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  if (folder !== '' && !NAME.test(`${folder}x`)) return []
  const start = join(directory, folder)
  const entries = await absentAsNull(readdir(start, { recursive: true, withFileTypes: true }))
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => name.startsWith(prefix) && NAME.test(name))
    .sort()
}

async function removeTemporary(disk: Disk, directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const left = entries.filter((entry) => entry.isFile() && entry.name.startsWith(TEMPORARY))
  for (const entry of left) await disk.unlink(join(entry.parentPath, entry.name))
}

/** Returns what a file operation answers; `null` if the file is not there. */
export async function absentAsNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
