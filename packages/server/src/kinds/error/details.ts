/**
 * Details that a search asks of an event beside its tags: they are neither counted nor shown as tags, so that
 * a function's name costs no counter. Bounded; events stored before lack them.
 */
import { byWord } from '#base/by-word.ts'
import type { JsonObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { Frame, ScrubbedEvent } from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { withSharedTail } from '#model/shared-tails.ts'
import { shownIdsOf } from './shown-ids.ts'

/** Detail of ids that the page of an error may have shown: `shown-ids.ts`. */
export const SHOWN_ID = 'shown_id'

/** Keys that the contexts of an event answer. */
const CONTEXT_KEYS: Readonly<Record<string, readonly string[]>> = byWord({
  device: ['name', 'model', 'brand', 'arch'],
  os: ['version', 'build', 'kernel_version'],
  browser: ['version'],
  runtime: ['version'],
})

const CONTEXT_DETAILS = Object.entries(CONTEXT_KEYS).flatMap(([context, keys]) =>
  keys.map((key) => ({ context, key, name: `${context}.${key}` })),
)

/** Every key that `detailsOf` may write. */
export const DETAIL_KEYS: readonly string[] = [
  'platform',
  SHOWN_ID,
  'error.type',
  'error.value',
  'http.method',
  'http.status_code',
  'stack.filename',
  'stack.abs_path',
  'stack.function',
  'stack.module',
  ...CONTEXT_DETAILS.map(({ name }) => name),
  'sdk.name',
  'sdk.version',
]

const DETAILS_MAX = max('detailsMax')
const FRAMES_MAX = max('detailFramesMax')
const CHARS_MAX = max('detailCharsMax')

/**
 * `key=value`, each once; what names an event most closely first, for the rest may not have room. `shared`: frames that
 * several events share are read once.
 */
export function detailsOf(event: ScrubbedEvent, shared?: SharedParts): readonly string[] {
  const own = ownDetails(event)
  const exceptions = event.exception?.values ?? []
  const only = exceptions.length > 0 ? exceptions[0]?.stacktrace : event.stacktrace
  if (exceptions.length <= 1 && only !== undefined && shared?.has(only.frames) === true) {
    const tail = stackDetails(only.frames, shared)
    if (own.length + tail.length <= DETAILS_MAX) return withSharedTail(own, tail)
  }
  const found = new Set(own)
  const stacks = exceptions.length > 0 ? exceptions.map(({ stacktrace }) => stacktrace) : [event.stacktrace]
  for (const stack of stacks.reverse())
    for (const detail of stackDetails(stack?.frames ?? [], shared))
      if (found.size < DETAILS_MAX) found.add(detail)
  return [...found]
}

/** Returns details that no stack trace states. */
function ownDetails(event: ScrubbedEvent): readonly string[] {
  const found: string[] = []
  addDetail(found, 'platform', event.platform)
  for (const id of shownIdsOf(event)) addDetail(found, SHOWN_ID, id)
  // The newest first: what was thrown last is what the issue is called after.
  const exceptions = event.exception?.values ?? []
  for (let at = exceptions.length - 1; at >= 0; at--) {
    addDetail(found, 'error.type', exceptions[at]?.type)
    addDetail(found, 'error.value', exceptions[at]?.value)
  }
  addDetail(found, 'http.method', event.request?.method)
  addDetail(found, 'http.status_code', event.contexts?.response?.status_code)
  for (const { context, key, name } of CONTEXT_DETAILS)
    addDetail(found, name, eventContext(event, context)?.[key])
  addDetail(found, 'sdk.name', event.sdk?.name)
  addDetail(found, 'sdk.version', event.sdk?.version)
  return found
}

/** Each once, within the bound. */
function addDetail(found: string[], key: string, value: unknown): void {
  const detail = detailText(key, value)
  if (detail !== null && found.length < DETAILS_MAX && !found.includes(detail)) found.push(detail)
}

const KNOWN = new WeakMap<readonly Frame[], readonly string[]>()

/** Each once; none of them is one of those that an event has of its own. */
function stackDetails(frames: readonly Frame[], shared: SharedParts | undefined): readonly string[] {
  const known = KNOWN.get(frames)
  if (known !== undefined) return known
  const details = [...new Set(frames.slice(-FRAMES_MAX).toReversed().flatMap(frameDetails))]
  if (shared?.has(frames) === true) KNOWN.set(frames, details)
  return details
}

function frameDetails(frame: Frame): readonly string[] {
  const { filename, abs_path, function: name, module } = frame
  const details = [
    detailText('stack.filename', filename),
    detailText('stack.abs_path', abs_path),
    detailText('stack.function', name),
    detailText('stack.module', module),
  ]
  return details.filter((detail) => detail !== null)
}

/** `null` where there is nothing to search for. */
function detailText(key: string, value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return null
  const plain = cutDetail(text.trim())
  return plain === '' ? null : `${key}=${plain}`
}

/** On the server the browser's system is in a context of its own. */
function eventContext({ contexts }: ScrubbedEvent, name: string): JsonObject | undefined {
  return contexts?.[name] ?? (name === 'os' ? contexts?.client_os : undefined)
}

function cutDetail(text: string): string {
  return text.length <= CHARS_MAX ? text : text.slice(0, CHARS_MAX).replace(/[\uD800-\uDBFF]$/, '')
}
