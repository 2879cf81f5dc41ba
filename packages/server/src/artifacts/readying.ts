/** Makes uploaded maps ready for frames, one after the other, away from whatever carries ingest. */
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactFiles } from '#ports/artifact-files.ts'
import type { ArtifactIndex, WaitingMap } from '#ports/artifacts.ts'
import { sourceName } from '#symbolicate/paths.ts'
import { BadUpload, type OpenBundle, openBundle } from './bundle.ts'
import { readManifest } from './manifest.ts'

export interface UploadedMap {
  readonly map: Uint8Array
  readonly minified: Uint8Array | null
  /** Texts of sources by their cleaned names. */
  readonly sources: ReadonlyMap<string, string>
}

export interface ReadyingParts {
  readonly files: ArtifactFiles
  readonly index: ArtifactIndex
  readonly log: Log
  /** Makes one map ready; takes memory by its size. */
  readonly compile: (map: {
    readonly map: Uint8Array
    readonly minified: Uint8Array | null
    readonly sources: ReadonlyMap<string, string>
  }) => Promise<Uint8Array>
  /** No map waits any more; the bundles whose maps were made ready. */
  readonly onReady: (bundles: readonly number[]) => void
}

const AT_ONCE = 50

export interface Readying {
  /** Goes on until no map waits. */
  wake(): void
  close(): Promise<void>
}

export function createReadying(parts: ReadyingParts): Readying {
  let running: Promise<void> | null = null
  let isWanted = false
  let isClosed = false
  const run = async () => {
    while (isWanted && !isClosed) {
      isWanted = false
      await readyAll(parts, () => isClosed)
    }
  }
  return {
    wake() {
      isWanted = true
      running ??= run().finally(() => {
        running = null
      })
    },
    async close() {
      isClosed = true
      await running
    },
  }
}

async function readyAll(parts: ReadyingParts, isClosed: () => boolean): Promise<void> {
  const bundles = new Set<number>()
  for (;;) {
    const waiting = parts.index.waitingMaps(AT_ONCE)
    if (waiting.length === 0 || isClosed()) break
    for (const map of waiting) {
      if (isClosed()) break
      await readyOne(parts, map)
      bundles.add(map.bundle)
    }
  }
  if (bundles.size > 0) parts.onReady([...bundles])
}

async function readyOne(parts: ReadyingParts, waiting: WaitingMap): Promise<void> {
  const { files, index, log } = parts
  const { orgId, mapKey } = waiting
  try {
    const compiled = await compiledOf(parts, waiting)
    await files.putMap(orgId, mapKey, compiled)
    index.mapDone(orgId, mapKey, { bytes: compiled.length, problem: null })
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    log.warn('a source map cannot be used', {
      reason: problem.slice(0, 200),
      file: waiting.path.slice(0, 200),
    })
    index.mapDone(orgId, mapKey, { bytes: 0, problem: problem.slice(0, 500) })
  }
}

async function compiledOf(parts: ReadyingParts, waiting: WaitingMap): Promise<Uint8Array> {
  const sha1 = parts.index.bundleSha1(waiting.bundle)
  if (sha1 === null) throw new BadUpload('its bundle is gone')
  const file = await parts.files.openBundle(waiting.orgId, sha1)
  try {
    const bundle = await openBundle(file)
    const map = await bundle.read(waiting.path, max('mapBytesMax'))
    if (map === null) throw new BadUpload(`larger than ${max('mapBytesMax')} bytes`)
    const minified =
      waiting.minifiedPath === null ? null : await bundle.read(waiting.minifiedPath, max('mapBytesMax'))
    return await parts.compile({ map, minified, sources: await sourcesOf(bundle) })
  } finally {
    await file.close()
  }
}

const SOURCES_BYTES_MAX = max('bundleSourcesBytesMax')
const WRITTEN = /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/

/** Texts of sources that the bundle holds beside its maps, by name. */
async function sourcesOf(bundle: OpenBundle): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>()
  let bytes = 0
  for (const { path, type, url, debugId, mapReference } of await readManifest(bundle)) {
    // Some tools upload sources as what they are compiled to, without id and map.
    const isSource =
      type === 'source' || (type === 'minified_source' && debugId === null && mapReference === null)
    bytes += bundle.bytesOf(path)
    if (!isSource || !WRITTEN.test(url) || bytes > SOURCES_BYTES_MAX) continue
    const text = await bundle.read(path, max('mapParsedSourceBytesMax'))
    if (text !== null) sources.set(sourceName(url.replace(/^~\//, '')), Buffer.from(text).toString('utf8'))
  }
  return sources
}
