/** Blobs as files of a directory: the name is the path below it. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { ErrataError } from '#base/errors.ts'
import type { BlobName, BlobStore } from '#ports/blobs.ts'

const NAME = /^(?:[a-z0-9_-][a-z0-9._-]*\/)+[a-z0-9_-][a-z0-9._-]*$/
const NAME_CHARS_MAX = 200
/** Begins with a dot, which no blob's name may: a file that a crash left half-written is never listed. */
const TEMPORARY = '.writing-'

/** Opens the directory, made where absent and readable by its owner alone; removes half-written files. */
export async function openBlobDirectory(options: { readonly directory: string }): Promise<BlobStore> {
  const { directory } = options
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  await removeTemporary(directory)
  const path = (name: BlobName): string => join(directory, ...checked(name).split('/'))
  return {
    put: (name, bytes) => replaceFile(path(name), bytes, directory),
    async get(name) {
      const bytes = await absentAsNull(readFile(path(name)))
      return bytes === null ? null : new Uint8Array(bytes)
    },
    async delete(name) {
      await rm(path(name), { force: true })
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

function checked(name: BlobName): BlobName {
  if (name.length > NAME_CHARS_MAX || !NAME.test(name)) {
    throw new ErrataError('invalid_input', 'a blob name is `area/…/leaf` of [a-z0-9._-] without leading dots')
  }
  return name
}

/** Whole or not at all: written beside, synced, renamed, and the directory synced so that the rename stays. */
async function replaceFile(path: string, bytes: Uint8Array, root: string): Promise<void> {
  const folder = dirname(path)
  await makeFolder(folder, root)
  const temporary = join(folder, `${TEMPORARY}${randomBytes(8).toString('hex')}`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}

async function makeFolder(folder: string, root: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  // A new folder is an entry of its parent, up to the root that was there before.
  for (let at = folder; at !== root; at = dirname(at)) await syncFolder(dirname(at))
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // a folder cannot be opened there; NTFS journals its names itself
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
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

async function removeTemporary(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const left = entries.filter((entry) => entry.isFile() && entry.name.startsWith(TEMPORARY))
  for (const entry of left) await rm(join(entry.parentPath, entry.name), { force: true })
}

async function absentAsNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
