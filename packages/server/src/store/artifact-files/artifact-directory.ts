/**
 * Artifacts as files: `chunks/ORG/SHA1`, `bundles/ORG/SHA1`, `maps/ORG/KEY`. Names come from hashes alone, never from
 * what a bundle calls its files.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ErrataError } from '#base/errors.ts'
import { type OrgId, orgId } from '#base/ids.ts'
import type { ArtifactArea, ArtifactFiles, ArtifactName, BundleBytes } from '#ports/artifact-files.ts'

const HASH = /^[0-9a-f]{40}$/
const TEMPORARY = '.writing-'

const AREAS: readonly ArtifactArea[] = ['chunks', 'bundles', 'maps']

function artifactPath(directory: string, { area, org, name }: ArtifactName): string {
  if (!HASH.test(name)) throw new ErrataError('invalid_input', 'an artifact is named by its hash')
  return join(directory, area, String(org), name)
}

/** Made where absent, for its owner alone; what a crash left half-written goes. */
export async function openArtifactFiles(directory: string): Promise<ArtifactFiles> {
  for (const area of AREAS) await mkdir(join(directory, area), { recursive: true, mode: 0o700 })
  for (const path of await filesBelow(directory))
    if (path.includes(TEMPORARY)) await rm(path, { force: true })
  const pathOf = (file: ArtifactName) => artifactPath(directory, file)
  const namesIn = async (area: ArtifactArea, org: OrgId) =>
    (await readdir(join(directory, area, String(org))).catch(noNamesIfAbsent)).filter((name) =>
      HASH.test(name),
    )
  return {
    has: (file) => (file.area === 'chunks' ? renew(pathOf(file)) : exists(pathOf(file))),
    put: (file, bytes) => writeWhole(pathOf(file), [bytes]),
    async drop(area, org, names) {
      for (const name of names) await rm(pathOf({ area, org, name }), { force: true })
    },
    dropChunksBefore: (timeMs) => dropBefore(join(directory, 'chunks'), timeMs),
    chunkUsage: (org) => usageBelow(join(directory, 'chunks', String(org))),
    join: (org, sha1, chunks) =>
      joinFiles(pathOf({ area: 'bundles', org, name: sha1 }), {
        sha1,
        parts: chunks.map((name) => pathOf({ area: 'chunks', org, name })),
      }),
    openBundle: (org, sha1) => openBytes(pathOf({ area: 'bundles', org, name: sha1 })),
    organisations: () => organisationsIn(directory),
    names: async (org) => ({ bundles: await namesIn('bundles', org), maps: await namesIn('maps', org) }),
  }
}

async function organisationsIn(directory: string): Promise<readonly OrgId[]> {
  const found = new Set<number>()
  for (const area of AREAS) {
    for (const name of await readdir(join(directory, area)).catch(noNamesIfAbsent))
      if (/^\d{1,15}$/.test(name)) found.add(Number(name))
  }
  return [...found].map(orgId)
}

/** Returns no names for a directory that does not exist. */
function noNamesIfAbsent(cause: unknown): string[] {
  if (codeOf(cause) === 'ENOENT') return []
  throw cause
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : null
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}

/** Whether it is there; its age begins anew. */
async function renew(path: string): Promise<boolean> {
  const now = new Date()
  try {
    await utimes(path, now, now)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return false
    throw cause
  }
}

/** Written beside, synced, renamed: whole or not at all. */
async function writeWhole(
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = join(dirname(path), `${TEMPORARY}${randomBytes(8).toString('hex')}`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      for await (const piece of pieces) await file.appendFile(piece)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw FULL.has(codeOf(cause))
      ? new ErrataError('store_full', 'The disk of the server takes no more.', { cause })
      : cause
  }
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

class WrongHash extends Error {}

async function joinFiles(
  path: string,
  { sha1, parts }: { readonly sha1: string; readonly parts: readonly string[] },
): Promise<'joined' | 'gone' | 'other_bytes'> {
  const hash = createHash('sha1')
  async function* pieces() {
    for (const part of parts) {
      const piece = await readFile(part)
      hash.update(piece)
      yield piece
    }
    if (hash.digest('hex') !== sha1) throw new WrongHash()
  }
  try {
    await writeWhole(path, pieces())
    return 'joined'
  } catch (cause) {
    if (cause instanceof WrongHash) return 'other_bytes'
    if (codeOf(cause) === 'ENOENT') return 'gone'
    throw cause
  }
}

async function openBytes(path: string): Promise<BundleBytes> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  return {
    bytes: size,
    async read(at, length) {
      const wanted = Math.max(0, Math.min(length, size - at))
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
      return buffer.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function usageBelow(directory: string): Promise<{ count: number; bytes: number }> {
  const paths = await filesBelow(directory)
  let bytes = 0
  for (const path of paths) bytes += (await stat(path).catch(() => null))?.size ?? 0
  return { count: paths.length, bytes }
}

async function dropBefore(directory: string, timeMs: number): Promise<number> {
  let dropped = 0
  for (const path of await filesBelow(directory)) {
    const stats = await stat(path).catch(() => null)
    if (stats === null || stats.mtimeMs >= timeMs) continue
    await rm(path, { force: true })
    dropped++
  }
  return dropped
}
