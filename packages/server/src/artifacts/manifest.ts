/** What a bundle says of its files. docs/wire.md, section "Artifact bundles". */
import { createHash } from 'node:crypto'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactFile, ArtifactType } from '#ports/artifacts.ts'
import { FORMAT_VERSION } from '#symbolicate/compiled/format.ts'
import { plainDebugId } from '#symbolicate/debug-ids.ts'
import { BadUpload, type OpenBundle } from './bundle.ts'

const MANIFEST = 'manifest.json'
const URL_CHARS = 2_048
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
  const listed = await readManifest(bundle)
  const maps = new Map<string, string>()
  const minifiedOf = new Map<string, string>()
  for (const file of listed) {
    const map = file.type === 'minified_source' ? mapOf(file, listed) : null
    if (map !== null) minifiedOf.set(map.path, file.path)
  }
  for (const { type, path } of listed) {
    if (type === 'source_map') maps.set(path, await keyOf(bundle, path, minifiedOf.get(path) ?? null))
  }
  return listed.map((file) => {
    const own =
      file.type === 'source_map' ? file : file.type === 'minified_source' ? mapOf(file, listed) : null
    return {
      ...file,
      bytes: bundle.bytesOf(file.path),
      mapKey: own === null ? null : (maps.get(own.path) ?? null),
    }
  })
}

/** @throws BadUpload */
export async function readManifest(bundle: OpenBundle): Promise<readonly ListedFile[]> {
  const bytes = await bundle.read(MANIFEST, max('bundleManifestBytesMax'))
  if (bytes === null) throw new BadUpload('it has no manifest.json, or too large a one')
  let manifest: unknown
  try {
    manifest = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    throw new BadUpload('its manifest is no JSON')
  }
  if (!isObject(manifest) || !isObject(manifest.files)) throw new BadUpload('its manifest lists no files')
  const files = Object.entries(manifest.files)
  if (files.length > max('bundleFilesMax')) throw new BadUpload(`its manifest lists ${files.length} files`)
  return files.map(([path, file]) => {
    if (!bundle.names.has(path)) throw new BadUpload('its manifest lists a file that is not in it')
    return readFile(path, isObject(file) ? file : {})
  })
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
    mapReference: reference === undefined ? null : reference.slice(0, URL_CHARS),
  }
}

function lowerCased(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') found[name.toLowerCase()] = value
  }
  return found
}

/** The map of a minified file in the same bundle: by debug id, else by where the file says it is. */
function mapOf(file: ListedFile, all: readonly ListedFile[]): ListedFile | null {
  const maps = all.filter(({ type }) => type === 'source_map')
  const byId = file.debugId === null ? undefined : maps.find(({ debugId }) => debugId === file.debugId)
  if (byId !== undefined) return byId
  const name = (file.mapReference ?? `${file.url}.map`).replace(/[?#].*$/, '')
  const leaf = name.slice(name.lastIndexOf('/') + 1)
  const folder = file.url.slice(0, file.url.lastIndexOf('/') + 1)
  return maps.find(({ url }) => url === name || url === folder + leaf) ?? null
}

async function keyOf(bundle: OpenBundle, map: string, minified: string | null): Promise<string> {
  const hash = createHash('sha1').update(`${FORMAT_VERSION}\n`)
  hash.update((await bundle.read(map, max('mapBytesMax'))) ?? `too large ${bundle.bytesOf(map)}`)
  hash.update('\n')
  if (minified !== null) hash.update((await bundle.read(minified, max('mapBytesMax'))) ?? '')
  return hash.digest('hex')
}
