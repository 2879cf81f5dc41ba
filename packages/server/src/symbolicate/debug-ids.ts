/** Debug ids of an event: which build each of its files came from. */
import { isObject, type JsonObject } from '#base/json.ts'
import { framePath } from './paths.ts'

/** By the path that a frame names. */
export type DebugIds = ReadonlyMap<string, string>

const NONE: DebugIds = new Map()
const KNOWN = new WeakMap<JsonObject, DebugIds>()

/** Returns the ids in `debug_meta` as 32 lower-case hex characters. */
export function debugIdsOf(debugMeta: JsonObject | undefined): DebugIds {
  if (debugMeta === undefined) return NONE
  const known = KNOWN.get(debugMeta) // one and the same object where several events share it
  if (known !== undefined) return known
  const ids = new Map<string, string>()
  for (const image of Array.isArray(debugMeta.images) ? debugMeta.images : []) {
    if (!isObject(image) || image.type !== 'sourcemap') continue
    const { code_file: file, debug_id: sent } = image
    const id = typeof sent === 'string' ? plainDebugId(sent) : null
    if (typeof file === 'string' && id !== null) ids.set(file, id)
  }
  KNOWN.set(debugMeta, ids)
  return ids
}

const ALIKE = new WeakMap<DebugIds, ReadonlyMap<string, string | null>>()

/**
 * Returns the id of the file that a frame names, letter by letter; else of the one file that is spelled
 * alike.
 */
export function debugIdOf(ids: DebugIds, path: string): string | null {
  if (ids.size === 0) return null
  const exact = ids.get(path)
  if (exact !== undefined) return exact
  let alike = ALIKE.get(ids)
  if (alike === undefined) {
    alike = byAlike(ids)
    ALIKE.set(ids, alike)
  }
  return alike.get(spelledAlike(path)) ?? null
}

function byAlike(ids: DebugIds): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>()
  for (const [file, id] of ids) {
    const alike = spelledAlike(file)
    found.set(alike, (found.get(alike) ?? id) === id ? id : null)
  }
  return found
}

/** `file:///srv/main.js` and `/srv/main.js?v=2` are `/srv/main.js`. */
function spelledAlike(path: string): string {
  const plain = framePath(path)
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/')
  return plain.replace(/^file:\/\/(?:\/(?=[A-Za-z]:\/))?/, '')
}

/** Without dashes and in lower case; `null` for what is no UUID. */
export function plainDebugId(text: string): string | null {
  const id = text.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(id) ? id : null
}
