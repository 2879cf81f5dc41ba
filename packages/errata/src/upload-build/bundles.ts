/** Artifact bundles of a build, as build tools send them. docs/wire.md, section "Artifact bundles". */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { max } from '@errata/server/limits'
import { type Zippable, zipSync } from 'fflate'
import type { CoveredFile } from './built-file.ts'
import { inlineMap, mapReferenceIn } from './map-reference.ts'
import type { ServerActions } from './server-actions.ts'
import { debugIdOf, parseMap, type SourceMapJson, withDebugId } from './source-map.ts'
import { withSources } from './sources.ts'
import type { BuildName, Target } from './target.ts'

export interface BundleOptions {
  readonly root: string
  readonly target: Pick<Target, 'org' | 'project'>
  readonly name: BuildName
  readonly addressOf: (file: string) => string
  /** They go with the first bundle. */
  readonly actions?: ServerActions
}

export interface MadeBundle {
  readonly files: readonly CoveredFile[]
  readonly bytes: Buffer
  readonly sha1: string
}

/** Bytes of a bundle; one is in memory at a time, and servers take far larger ones. */
const BUNDLE_BYTES = 48 * 1024 * 1024
const BUNDLE_SCRIPTS = 1_000
const HEADER = Buffer.from('SYSB\x02\0\0\0')
/** Which server action an id stands for: docs/wire.md, section "Artifact bundles". */
const ACTIONS = 'files/_/_/server-actions.json'
/** The same bytes for the same build, whenever and wherever it is made: a server knows it again. */
const MTIME = new Date(1980, 0, 1)

/** By size, in the order of the files. */
export async function bundlesOf(
  files: readonly CoveredFile[],
  root: string,
): Promise<readonly (readonly CoveredFile[])[]> {
  const groups: CoveredFile[][] = []
  let [group, bytes]: [CoveredFile[], number] = [[], 0]
  for (const file of files) {
    const size = await bytesOf(file, root)
    if (group.length === BUNDLE_SCRIPTS || (group.length > 0 && bytes + size > BUNDLE_BYTES)) {
      groups.push(group)
      ;[group, bytes] = [[], 0]
    }
    group.push(file)
    bytes += size
  }
  if (group.length > 0) groups.push(group)
  return groups
}

async function bytesOf({ file, mapFile }: CoveredFile, root: string): Promise<number> {
  const script = await stat(join(root, file))
  return script.size + (mapFile === null ? 0 : (await stat(join(root, mapFile))).size)
}

export async function makeBundle(files: readonly CoveredFile[], options: BundleOptions): Promise<MadeBundle> {
  const zipped: Zippable = {}
  const listed: Record<string, unknown> = {}
  for (const file of files) {
    for (const { name, bytes, ...says } of await entriesOf(file, options)) {
      listed[name] = says
      zipped[name] = packFile(bytes)
    }
  }
  const { target, name, actions = {} } = options
  if (Object.keys(actions).length > 0) zipped[ACTIONS] = packFile(Buffer.from(JSON.stringify(actions)))
  const manifest = {
    ...{ org: target.org, project: target.project },
    ...(name.release === null ? {} : { release: name.release }),
    ...(name.dist === null ? {} : { dist: name.dist }),
    files: listed,
  }
  zipped['manifest.json'] = packFile(Buffer.from(JSON.stringify(manifest)))
  const bytes = Buffer.concat([HEADER, zipSync(zipped, { mtime: MTIME })])
  return { files, bytes, sha1: createHash('sha1').update(bytes).digest('hex') }
}

/** Beyond it a file that unpacks to far more than it was is refused, as it well should be. */
const RATIO_BYTES = 1024 * 1024
const LEVEL = 6

function packFile(bytes: Buffer): Zippable[string] {
  const isBomb =
    bytes.length > RATIO_BYTES && bytes.length > deflateRawSync(bytes).length * (max('bundleRatioMax') / 2)
  return [bytes, { level: isBomb ? 0 : LEVEL }]
}

interface Entry {
  readonly name: string
  readonly bytes: Buffer
  readonly type: 'minified_source' | 'source_map'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

async function entriesOf(covered: CoveredFile, options: BundleOptions): Promise<readonly Entry[]> {
  const { root, addressOf } = options
  const { file, mapFile, debugId } = covered
  const script = await readFile(join(root, file))
  const mapName = mapFile ?? `${file}.inline.map`
  const isBeside = posix.dirname(mapName) === posix.dirname(file)
  const ids = debugId === null ? {} : { 'debug-id': debugId }
  return [
    {
      ...{ name: `files/_/_/${file}`, bytes: script, type: 'minified_source', url: addressOf(file) },
      headers: { ...ids, sourcemap: isBeside ? posix.basename(mapName) : addressOf(mapName) },
    },
    {
      ...{ name: `files/_/_/${mapName}`, bytes: await mapBytes(covered, script, root) },
      ...{ type: 'source_map', url: addressOf(mapName), headers: ids },
    },
  ]
}

/** Returns the map as it is on disk, unless sources are missing in it. */
async function mapBytes(
  { file, mapFile, debugId }: CoveredFile,
  script: Buffer,
  root: string,
): Promise<Buffer> {
  const path = join(root, mapFile ?? file)
  const bytes = mapFile === null ? Buffer.from(inlineIn(script.toString('utf8'))) : await readFile(path)
  const map = parseMap(bytes.toString('utf8'))
  const whole = withOwnId(await withSources(map, path), debugId)
  return whole === map ? bytes : Buffer.from(JSON.stringify(whole))
}

function withOwnId(map: SourceMapJson, debugId: string | null): SourceMapJson {
  return debugId === null || debugIdOf(map) === debugId ? map : withDebugId(map, debugId)
}

function inlineIn(script: string): string {
  const reference = mapReferenceIn(script)
  return (reference === null ? null : inlineMap(reference)) ?? ''
}
