/** The server actions of a Next build: what each id stands for. Its key, which stands beside them, is never sent. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { max } from '@errata/server/limits'
import * as v from 'valibot'

/** By id. */
export type ServerActions = Readonly<Record<string, { readonly file: string; readonly name: string }>>

/** Below the folder that is uploaded, which may be the app's, its build, or the server's half. */
const PLACES = ['.next/server', 'server', '.'].map((folder) => `${folder}/server-reference-manifest.json`)
const BYTES_MAX = 64 * 1024 * 1024

const PLACE = { filename: v.optional(v.string()), exportedName: v.optional(v.string()) }
const ACTION = v.object({ ...PLACE, workers: v.optional(v.record(v.string(), v.unknown()), {}) })
const ACTIONS = v.optional(v.record(v.string(), v.unknown()), {})
const MANIFEST = v.object({ node: ACTIONS, edge: ACTIONS })
const WORKER = v.object(PLACE)

/** Empty for what is no Next build, and for versions up to 15.3, whose manifests name no files. */
export async function findServerActions(root: string): Promise<ServerActions> {
  const found: Record<string, ServerActions[string]> = {}
  for (const place of PLACES) {
    const manifest = await readManifest(join(root, place))
    for (const [id, action] of Object.entries({ ...manifest?.edge, ...manifest?.node })) {
      const named = placeOf(action)
      if (named !== null) found[id] = named
    }
  }
  const sorted = Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.slice(0, max('bundleActionsMax')))
}

async function readManifest(path: string): Promise<v.InferOutput<typeof MANIFEST> | null> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  if (size === null || size > BYTES_MAX) return null
  try {
    return v.parse(MANIFEST, JSON.parse(await readFile(path, 'utf8')))
  } catch {
    // Names are worth having, and no reason to stop an upload of source maps.
    return null
  }
}

/** webpack writes it beside the workers, Turbopack also into each of them. */
function placeOf(action: unknown): ServerActions[string] | null {
  const read = v.safeParse(ACTION, action)
  if (!read.success) return null
  const { workers, ...own } = read.output
  const places = [own, ...Object.values(workers).flatMap(workerOf)]
  const file = places.find(({ filename }) => filename !== undefined)?.filename
  const name = places.find(({ exportedName }) => exportedName !== undefined)?.exportedName
  return file === undefined ? null : { file, name: name ?? '' }
}

function workerOf(worker: unknown): readonly v.InferOutput<typeof WORKER>[] {
  const read = v.safeParse(WORKER, worker)
  return read.success ? [read.output] : []
}
