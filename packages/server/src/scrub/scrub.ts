/**
 * Takes secrets out of a normalised event before anything of it is stored: by key, by form, in every text, in JSON
 * and queries inside texts, in source lines; client addresses as the project wants. What was taken out is listed in
 * `scrubbedPaths`. Scrubbing a scrubbed event changes nothing.
 */
import type {
  Breadcrumb,
  EventRequest,
  EventUser,
  ExceptionValue,
  Frame,
  NormalizedEvent,
  Problem,
  ScrubbedEvent,
  ScrubbedPath,
  Stacktrace,
  ThreadValue,
} from '#base/event.ts'
import type { JsonObject } from '#base/json.ts'
import { max } from '#base/limits.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { addressReplacements, reduceAddress } from './addresses.ts'
import { isEnvelopeText } from './envelope-text.ts'
import { FILTERED } from './filtered.ts'
import { SecretKeys } from './keys.ts'
import { replaceLearned } from './learned.ts'
import { scrubLines } from './lines.ts'
import { isSecret, ScrubWalk, setOwn } from './walk.ts'

const PATHS_MAX = max('scrubbedPathsMax')

export interface ScrubContext {
  /** As the request brought it; replaced wherever the event repeats it. `null` when unknown. */
  readonly clientAddress: string | null
}

/** A project's scrubber: its key lists are compiled once. */
export interface Scrubber {
  readonly options: ScrubOptions
  readonly keys: SecretKeys
}

export function createScrubber(options: ScrubOptions): Scrubber {
  return { options, keys: new SecretKeys(options) }
}

const ROUNDS_MAX = 4

/** Scrubs an event. Never throws on a normalised event. */
export function scrubEvent(event: NormalizedEvent, scrubber: Scrubber, context: ScrubContext): ScrubbedEvent {
  const paths: ScrubbedPath[] = [...((event as Partial<ScrubbedEvent>).scrubbedPaths ?? [])] // set when scrubbed before
  let current: Fields = { ...event }
  // A learned secret taken out of a text may leave another one behind it in plain sight: then once more.
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { fields, isSettled } = scrubRound(current, paths, { scrubber, context })
    current = fields
    if (isSettled) break
  }
  // Every field was copied under its own name and type; the brand says that this function did it.
  return { ...current, scrubbedPaths: paths.slice(0, PATHS_MAX) } as unknown as ScrubbedEvent
}

type Fields = Record<string, unknown>

function scrubRound(
  event: Fields,
  paths: ScrubbedPath[],
  { scrubber, context }: { readonly scrubber: Scrubber; readonly context: ScrubContext },
): { readonly fields: Fields; readonly isSettled: boolean } {
  const policy = scrubber.options.clientAddress
  const walk = new ScrubWalk({
    keys: scrubber.keys,
    // A normalised event, whole or already scrubbed: the same fields.
    addresses: addressReplacements(event as unknown as NormalizedEvent, context.clientAddress, policy),
    addressPolicy: policy,
  })
  const fields: Fields = {}
  for (const key in event) {
    if (key === 'scrubbedPaths') continue
    walk.enter(key)
    // The loop's own key: `field` knows each field of the type by its name.
    const value = field(walk, scrubber, key as keyof NormalizedEvent, event[key])
    walk.leave()
    if (value !== undefined) fields[key] = value
  }
  const isSettled = walk.learned.size === 0 || !replaceLearned(fields, walk)
  paths.push(...walk.places())
  return { fields, isSettled }
}

function field(walk: ScrubWalk, scrubber: Scrubber, key: keyof NormalizedEvent, value: unknown): unknown {
  switch (key) {
    case 'event_id':
    case 'timestamp':
    case 'received':
    case 'level':
      return value
    case 'exception':
    case 'threads':
    case 'breadcrumbs':
      return valuesOf(walk, key, value as { readonly values: readonly unknown[] }) // typed by NormalizedEvent
    case 'stacktrace':
      return scrubStacktrace(walk, value as Stacktrace) // typed by NormalizedEvent
    case 'request':
      return scrubRequest(walk, scrubber, value as EventRequest) // typed by NormalizedEvent
    case 'user':
      return scrubUser(walk, scrubber, value as EventUser) // typed by NormalizedEvent
    case 'tags':
      return pairs(walk, value as readonly Pair[]) // typed by NormalizedEvent
    case 'contexts':
      return scrubContexts(walk, value as Readonly<Record<string, JsonObject>>) // typed by NormalizedEvent
    case 'modules':
      return scrubModules(walk, value as Readonly<Record<string, string>>) // typed by NormalizedEvent
    case 'problems':
      return scrubProblems(walk, scrubber, value as readonly Problem[]) // typed by NormalizedEvent
    default:
      // Texts and bags: platform, logger, transaction, server_name, release, dist, environment, message, logentry,
      // extra, sdk, fingerprint, debug_meta, other.
      return walk.value(value)
  }
}

function valuesOf(
  walk: ScrubWalk,
  key: 'exception' | 'threads' | 'breadcrumbs',
  list: { readonly values: readonly unknown[] },
): unknown {
  walk.enter('values')
  const values = list.values.map((value, at) => {
    walk.enter(at)
    const scrubbed =
      key === 'breadcrumbs'
        ? scrubCrumb(walk, value as Breadcrumb) // typed by NormalizedEvent
        : scrubTrace(walk, value as ExceptionValue | ThreadValue) // typed by NormalizedEvent
    walk.leave()
    return scrubbed
  })
  walk.leave()
  return { values }
}

const STACKTRACE: ReadonlySet<string> = new Set(['stacktrace'])

/** An exception or thread: texts and bags, and its stack trace. */
function scrubTrace(walk: ScrubWalk, value: ExceptionValue | ThreadValue): unknown {
  const { stacktrace } = value
  // An interface has no index signature.
  const scrubbed = walk.bag(value as typeof value & Readonly<Record<string, unknown>>, STACKTRACE)
  if (stacktrace === undefined) return scrubbed
  walk.enter('stacktrace')
  const trace = scrubStacktrace(walk, stacktrace)
  walk.leave()
  return { ...scrubbed, stacktrace: trace }
}

function scrubStacktrace(walk: ScrubWalk, stacktrace: Stacktrace): Stacktrace {
  walk.enter('frames')
  const frames = stacktrace.frames.map((frame, at) => {
    walk.enter(at)
    const scrubbed = scrubFrame(walk, frame)
    walk.leave()
    return scrubbed
  })
  walk.leave()
  return { ...stacktrace, frames }
}

const LINE_FIELDS: ReadonlySet<string> = new Set(['pre_context', 'context_line', 'post_context'])

function scrubFrame(walk: ScrubWalk, frame: Frame): Frame {
  const lines = scrubLines(walk, frame)
  // An interface has no index signature; the frame's own field names are no secrets' names.
  const rest = walk.bag(frame as Frame & Readonly<Record<string, unknown>>, LINE_FIELDS)
  return lines === null ? rest : { ...rest, ...lines }
}

/** A console breadcrumb repeats its arguments in its message: what was taken out of one goes from the other. */
function scrubCrumb(walk: ScrubWalk, crumb: Breadcrumb): unknown {
  const scrubbed = walk.bag(crumb as Breadcrumb & Readonly<Record<string, unknown>>) // an interface has no index signature
  const before = crumb.data?.arguments
  const after = scrubbed.data?.arguments
  if (!Array.isArray(before) || !Array.isArray(after) || before === after || scrubbed.message === undefined)
    return scrubbed
  let message: string = scrubbed.message
  for (const [at, argument] of before.entries()) {
    if (typeof argument === 'string' && after[at] === FILTERED && argument.length >= 4) {
      message = message.replaceAll(argument, FILTERED)
    }
  }
  return message === scrubbed.message ? scrubbed : { ...scrubbed, message }
}

type Pair = readonly [string, string]

function pairs(walk: ScrubWalk, list: readonly Pair[]): readonly Pair[] {
  return list.map(([name, value]): Pair => walk.pair(name, value))
}

function scrubRequest(walk: ScrubWalk, scrubber: Scrubber, request: EventRequest): EventRequest {
  const { query_string: query, headers, cookies, data, ...rest } = request
  const scrubbed: { -readonly [Key in keyof EventRequest]: EventRequest[Key] } = {
    ...walk.bag(rest as EventRequest & Readonly<Record<string, unknown>>), // an interface has no index signature
  }
  if (query !== undefined)
    scrubbed.query_string = inside(walk, 'query_string', () =>
      typeof query === 'string' ? walk.text(`?${query}`).slice(1) : pairs(walk, query),
    )
  if (headers !== undefined) scrubbed.headers = inside(walk, 'headers', () => pairs(walk, headers))
  if (cookies !== undefined)
    scrubbed.cookies = inside(walk, 'cookies', () => cookiePairs(walk, scrubber, cookies))
  if (data !== undefined) scrubbed.data = inside(walk, 'data', () => requestData(walk, data))
  return scrubbed
}

function inside<T>(walk: ScrubWalk, key: string, read: () => T): T {
  walk.enter(key)
  const value = read()
  walk.leave()
  return value
}

/** Names stay, values go: what a cookie means only its application knows. */
function cookiePairs(walk: ScrubWalk, { keys }: Scrubber, cookies: readonly Pair[]): readonly Pair[] {
  return cookies.map(([name, value]): Pair => {
    if (keys.isAllowed(name)) return [walk.text(name), walk.text(value)]
    return [
      walk.text(name),
      isSecret(name, value) ? inside(walk, name, () => walk.take('cookie', value)) : value,
    ]
  })
}

/** A body: any JSON, or text. An envelope that an app's own relay carried is telemetry, with the key in it. */
function requestData(walk: ScrubWalk, data: unknown): unknown {
  if (typeof data !== 'string') return walk.value(data)
  if (isEnvelopeText(data)) return walk.take('relayed_envelope', null)
  // A form begins without `?` or `&`; with one, its first name is a query's like the others.
  const isForm = /^[\w%.[\]+-]{1,128}=/.test(data) && !/[\s{]/.test(data)
  return isForm ? walk.text(`&${data}`).replace(/^&/, '') : walk.text(data)
}

function scrubUser(walk: ScrubWalk, { options }: Scrubber, user: EventUser): EventUser {
  const { ip_address: address, ...rest } = user
  const scrubbed: EventUser = walk.bag(rest as EventUser & Readonly<Record<string, unknown>>) // no index signature
  if (address === undefined) return scrubbed
  const kept = reduceAddress(address, options.clientAddress)
  if (kept === address) return { ...scrubbed, ip_address: address }
  inside(walk, 'ip_address', () => walk.note('client_address'))
  return kept === FILTERED ? scrubbed : { ...scrubbed, ip_address: kept }
}

function scrubContexts(
  walk: ScrubWalk,
  contexts: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const scrubbed: Record<string, JsonObject> = {}
  for (const [name, context] of Object.entries(contexts)) {
    walk.enter(name)
    const shown = walk.text(name)
    const isTaken = (walk.isSecretName(name) || walk.isSecretName(shown)) && !isFilteredContext(context)
    if (isTaken) walk.note('context')
    // A context stays an object: one with a secret's name holds the replacement as its value.
    setOwn(scrubbed, shown, isTaken ? { type: 'filtered', value: FILTERED } : walk.bag(context))
    walk.leave()
  }
  return scrubbed
}

function isFilteredContext(context: JsonObject): boolean {
  return context.type === 'filtered' && context.value === FILTERED && Object.keys(context).length === 2
}

/** Package names such as `jsonwebtoken` are no secrets' names. */
function scrubModules(
  walk: ScrubWalk,
  modules: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const name in modules) {
    const version = modules[name] ?? ''
    if (version.length > 32 || name.length > 64 || walk.text(version) !== version) {
      return Object.fromEntries(
        Object.entries(modules).map(([key, value]) => [walk.text(key), walk.text(value)]),
      )
    }
  }
  return modules
}

function scrubProblems(
  walk: ScrubWalk,
  { keys }: Scrubber,
  problems: readonly Problem[],
): readonly Problem[] {
  return problems.map((problem) => {
    const path = walk.text(problem.path)
    if (problem.found === undefined) return path === problem.path ? problem : { ...problem, path }
    const isNamed = problem.path.split('.').some((part) => keys.ruleOf(part) !== null)
    const found =
      isNamed && /[^\d\s]/.test(problem.found) && !/^\d+ \w+$/.test(problem.found)
        ? FILTERED
        : walk.text(problem.found)
    return { ...problem, path, found }
  })
}
