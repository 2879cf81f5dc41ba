/** Reads a bundle's manifest. docs/wire.md, section "Artifact bundles". */
import { createHash, type Hash } from 'node:crypto'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactFile, ArtifactType } from '#ports/artifacts.ts'
import { InlineMapSearch } from '#symbolicate/compile/inline-map.ts'
import { FORMAT_VERSION } from '#symbolicate/compiled/format.ts'
import { plainDebugId } from '#symbolicate/debug-ids.ts'
import { BadUpload, type OpenBundle } from './bundle.ts'

const MANIFEST = 'manifest.json'
/** The file carries its map itself: what `mapReference` says then, without the map. */
const INLINE = 'data:'
const URL_CHARS = 2_048
const NAMED_CHARS = 200
const TYPES: readonly ArtifactType[] = ['minified_source', 'source_map', 'source']

export interface ListedFile {
  readonly path: string
  readonly type: ArtifactType
  readonly url: string
  readonly debugId: string | null
  readonly mapReference: string | null
}

/**
 * The files of a bundle. Maps get the key of what is made of them: by the hash of the map and of the file it describes,
 * so that the same pair is made ready once.
 * @throws BadUpload
 */
export async function filesOfBundle(bundle: OpenBundle): Promise<readonly ArtifactFile[]> {
  const listed = await withReferences(bundle, await readManifest(bundle))
  const mapOf = mapFinder(listed)
  const keys = new Map<string, string>()
  const minifiedOf = new Map<string, string>()
  const mapPathOf = new Map<string, string>()
  for (const file of listed) {
    const map = file.type === 'minified_source' ? mapOf(file) : null
    if (map === null) continue
    mapPathOf.set(file.path, map.path)
    if (!minifiedOf.has(map.path)) minifiedOf.set(map.path, file.path)
  }
  for (const { type, path, mapReference } of listed) {
    const isMap = type === 'source_map' || (mapReference === INLINE && !mapPathOf.has(path))
    if (isMap) keys.set(path, await mapKey(bundle, path, minifiedOf.get(path) ?? null))
  }
  return listed.map((file) => ({
    ...file,
    bytes: bundle.bytesOf(file.path),
    mapKey: keys.get(mapPathOf.get(file.path) ?? file.path) ?? null,
  }))
}

/**
 * Lists the files that a bundle's manifest names.
 * @throws BadUpload
 */
export async function readManifest(bundle: OpenBundle): Promise<readonly ListedFile[]> {
  const bytes = await bundle.read(MANIFEST, max('bundleManifestBytesMax'))
  if (bytes === null) throw new BadUpload('it has no manifest.json, or too large a one')
  const manifest = parseManifest(bytes)
  if (!isObject(manifest) || !isObject(manifest.files)) throw new BadUpload('its manifest lists no files')
  const files = Object.entries(manifest.files)
  if (files.length > max('bundleFilesMax')) throw new BadUpload(`its manifest lists ${files.length} files`)
  return files.map(([path, file]) => {
    if (!bundle.names.has(path))
      throw new BadUpload(`its manifest lists a file that is not in it: ${path.slice(0, NAMED_CHARS)}`)
    return readFile(path, isObject(file) ? file : {})
  })
}

const LISTS_MAX = max('bundleManifestListsMax')
const [BRACE, BRACKET] = [0x7b, 0x5b]

/** Parses JSON; endless nesting takes far more memory than bytes, and is refused before parsing. */
function parseManifest(bytes: Uint8Array): unknown {
  let lists = 0
  for (const byte of bytes) if (byte === BRACE || byte === BRACKET) lists++
  if (lists > LISTS_MAX) throw new BadUpload('its manifest is nested too deeply')
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    throw new BadUpload('its manifest is no JSON')
  }
}

function readFile(path: string, file: Readonly<Record<string, unknown>>): ListedFile {
  const headers = lowerCased(isObject(file.headers) ? file.headers : {})
  const debugId = headers['debug-id']
  const reference = headers.sourcemap ?? headers['x-sourcemap']
  const type = TYPES.find((each) => each === file.type) ?? 'other'
  return {
    ...{ path, type },
    url: typeof file.url === 'string' ? file.url.slice(0, URL_CHARS) : '',
    debugId: debugId === undefined ? null : plainDebugId(debugId),
    mapReference: referenceOf(reference ?? null),
  }
}

/** Some tools send all of the map in the header; it is read from the file. */
function referenceOf(reference: string | null): string | null {
  return reference === null || reference.startsWith(INLINE) ? null : reference.slice(0, URL_CHARS)
}

function lowerCased(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') found[name.toLowerCase()] = value
  }
  return found
}

/**
 * Minified files that neither an id nor a header leads from to their map may say where it is in their last line, or
 * carry it there. One with an id may still carry it, where no other file of the bundle has that id.
 */
async function withReferences(
  bundle: OpenBundle,
  listed: readonly ListedFile[],
): Promise<readonly ListedFile[]> {
  const all: ListedFile[] = []
  const ids = new Set(listed.filter(({ type }) => type === 'source_map').map(({ debugId }) => debugId))
  for (const file of listed) {
    const isAlone = file.debugId === null || !ids.has(file.debugId)
    const isSilent = file.type === 'minified_source' && isAlone && file.mapReference === null
    all.push(isSilent ? { ...file, mapReference: await referenceIn(bundle, file.path) } : file)
  }
  return all
}

const COMMENT_BYTES = 4_096
const COMMENT = /\/[/*][#@]\s*sourceMappingURL=([^\s'"*]+)/g

async function referenceIn(bundle: OpenBundle, path: string): Promise<string | null> {
  let end = Buffer.alloc(0)
  const search = new InlineMapSearch()
  for await (const piece of bundle.pieces(path)) {
    end = Buffer.concat([end, piece]).subarray(-COMMENT_BYTES)
    search.add(piece)
  }
  if (search.isInline) return INLINE
  const reference = [...end.toString('utf8').matchAll(COMMENT)].at(-1)?.[1] ?? null
  return reference === null ? null : reference.slice(0, URL_CHARS)
}

/** The map of a minified file in the same bundle: by debug id, else by where the file says it is. */
function mapFinder(all: readonly ListedFile[]): (file: ListedFile) => ListedFile | null {
  const byId = new Map<string, ListedFile>()
  const byUrl = new Map<string, ListedFile>()
  for (const file of all) {
    if (file.type !== 'source_map') continue
    if (file.debugId !== null && !byId.has(file.debugId)) byId.set(file.debugId, file)
    if (!byUrl.has(file.url)) byUrl.set(file.url, file)
  }
  return (file) => {
    const own = file.debugId === null ? undefined : byId.get(file.debugId)
    if (own !== undefined) return own
    const name = (file.mapReference ?? `${file.url}.map`).replace(/[?#].*$/, '')
    const leaf = name.slice(name.lastIndexOf('/') + 1)
    const folder = file.url.slice(0, file.url.lastIndexOf('/') + 1)
    return byUrl.get(name) ?? byUrl.get(folder + leaf) ?? null
  }
}

async function mapKey(bundle: OpenBundle, map: string, minified: string | null): Promise<string> {
  const hash = createHash('sha1').update(`${FORMAT_VERSION}\n`)
  await addFileToHash(hash, bundle, map)
  hash.update('\n')
  if (minified !== null) await addFileToHash(hash, bundle, minified)
  return hash.digest('hex')
}

/** Piece by piece: of a map no more is held than that. */
async function addFileToHash(hash: Hash, bundle: OpenBundle, path: string): Promise<void> {
  const bytes = bundle.bytesOf(path)
  if (bytes > max('mapBytesMax')) hash.update(`too large ${bytes}`)
  else for await (const piece of bundle.pieces(path)) hash.update(piece)
}
