/**
 * Makes an event of whatever JSON an SDK sent: every field gets its type and bounds, aliases their one name; what
 * was wrong is among the event's problems. Only what is no JSON object (or nested absurdly) is no event.
 */
import { randomBytes } from 'node:crypto'
import { type EventId, readEventId } from '#base/ids.ts'
import { isObject, type Json, type JsonObject, setOwn } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { EventRequest, NormalizedEvent } from '#model/event.ts'
import { EXTRA_LIMITS, readAny, readBag } from './bag.ts'
import { readBreadcrumbs } from './breadcrumbs.ts'
import type { CleanMarks } from './clean-parts.ts'
import { readContexts, readDebugMeta, readFingerprint, readModules, readSdk } from './contexts.ts'
import { readExceptions, readThreads } from './exception.ts'
import { readLevel } from './level.ts'
import { readMessages } from './message.ts'
import {
  type Building,
  cleanText,
  cutText,
  EventReader,
  type KnownParts,
  type RawObject,
  scalarText,
} from './reader.ts'
import { readDist, readEnvironment, readReleaseName } from './release.ts'
import { headerOf, readRequest } from './request.ts'
import { readStacktrace } from './stacktrace.ts'
import { readTags } from './tags.ts'
import { readTimes } from './time.ts'
import { readUser } from './user.ts'

export interface NormalizeContext {
  /** Id of the envelope, which wins over the event's own; `null` when the envelope has none. */
  readonly eventId: string | null
  /** Milliseconds since 1970 UTC. */
  readonly receivedMs: number
  /** `sent_at` of the envelope as sent, or `null`. */
  readonly sentAt: unknown
  /** Behind trusted proxies; `null` when unknown. */
  readonly clientAddress: string | null
  /** User-Agent of the request that brought the event, or `null`. */
  readonly userAgent: string | null
  /** `sdk` of the envelope's header as sent. */
  readonly sdk: unknown
  /** `name/version` of the client as authenticated, or `null`. */
  readonly client: string | null
  /** True when the event's JSON has no `\\u` escape: its texts are clean as they are. Saves a tenth of the work. */
  readonly isPlain?: boolean
  /** Parts of the event that stand as tokens in it. */
  readonly parts?: KnownParts
  /** Verdicts on parts of the event's JSON. */
  readonly clean?: CleanMarks | undefined
}

export type NormalizeAnswer =
  | { readonly ok: true; readonly event: NormalizedEvent }
  | { readonly ok: false; readonly reason: 'not_an_object' | 'too_deep' }

/** Reads an event. Total: no JSON value makes it throw. */
export function normalizeEvent(raw: unknown, context: NormalizeContext): NormalizeAnswer {
  if (!isObject(raw)) return { ok: false, reason: 'not_an_object' }
  const reader = new EventReader(context)
  const event = readEvent(reader, raw, context)
  return reader.tooDeep ? { ok: false, reason: 'too_deep' } : { ok: true, event }
}

const OLD = 'sentry.interfaces.'
// `_meta` repeats the paths of the whole event, which go deeper than any bag.
const OTHER_LIMITS = { depth: 20, bytes: 65_536 }
const OTHER_KEYS_MAX = 50

function readEvent(reader: EventReader, raw: RawObject, context: NormalizeContext): NormalizedEvent {
  const times = readTimes(reader, raw.timestamp, context)
  const platform = reader.trimmed(raw.platform, 'platform', 64)?.toLowerCase() ?? 'other'
  const event: Building<NormalizedEvent> = {
    event_id: chooseEventId(raw.event_id, context.eventId),
    timestamp: times.timestamp,
    received: times.received,
    level: readLevel(reader, raw.level, 'error'),
    platform,
    tags: readTags(reader, raw.tags),
    problems: reader.problems,
  }
  readEventNames(reader, raw, event)
  Object.assign(event, readMessages(reader, raw))
  const exception = readExceptions(reader, raw.exception ?? raw[`${OLD}Exception`], platform)
  if (exception !== undefined) event.exception = exception
  const threads = readThreads(reader, raw.threads ?? raw[`${OLD}Threads`], platform)
  if (threads !== undefined) event.threads = threads
  const stacktrace = readStacktrace(reader, raw.stacktrace ?? raw[`${OLD}Stacktrace`], 'stacktrace', platform)
  if (stacktrace !== undefined) event.stacktrace = stacktrace
  const breadcrumbs = readBreadcrumbs(
    reader,
    raw.breadcrumbs ?? raw[`${OLD}Breadcrumbs`],
    times,
    context.clean,
  )
  if (breadcrumbs !== undefined) event.breadcrumbs = breadcrumbs
  const { request, rest } = readRequest(reader, raw.request ?? raw[`${OLD}Http`])
  if (request !== undefined) event.request = request
  readPeople(reader, raw, { event, request, context })
  readBags(reader, raw, { event, clean: context.clean })
  const fingerprint = readFingerprint(reader, raw.fingerprint)
  if (fingerprint !== undefined) event.fingerprint = fingerprint
  const other = readOther(reader, raw, rest)
  if (other !== undefined) event.other = other
  noteSdkErrors(reader, raw.errors)
  return event
}

/** The envelope's id wins; an event without any gets one. */
function chooseEventId(own: unknown, ofEnvelope: string | null): EventId {
  for (
    let id = readEventId(ofEnvelope) ?? readEventId(own);
    ;
    id = readEventId(randomBytes(16).toString('hex'))
  ) {
    if (id !== null) return id
  }
}

function readEventNames(reader: EventReader, raw: RawObject, event: Building<NormalizedEvent>): void {
  const logger = reader.trimmed(raw.logger, 'logger', 64)
  if (logger !== undefined) event.logger = logger.replace(/[\r\n]+/g, ' ')
  const transaction = reader.trimmed(raw.transaction ?? raw.culprit, 'transaction', 200)
  if (transaction !== undefined) event.transaction = transaction
  const server = reader.trimmed(raw.server_name, 'server_name', 256)
  if (server !== undefined) event.server_name = server
  const release = readReleaseName(reader, raw.release)
  if (release !== undefined) event.release = release
  const dist = readDist(reader, raw.dist)
  if (dist !== undefined) event.dist = dist
  const environment = readEnvironment(reader, raw.environment)
  if (environment !== undefined) event.environment = environment
}

/** User, SDK and contexts: each looks at what was read before. */
function readPeople(
  reader: EventReader,
  raw: RawObject,
  {
    event,
    request,
    context,
  }: { event: Building<NormalizedEvent>; request: EventRequest | undefined; context: NormalizeContext },
): void {
  const sdk = readSdk(reader, raw.sdk, { envelope: context.sdk, client: context.client })
  if (sdk !== undefined) event.sdk = sdk
  const settings = sdk?.settings
  const user = readUser(reader, raw.user ?? raw[`${OLD}User`], {
    platform: event.platform,
    request,
    clientAddress: context.clientAddress,
    inferIp: isObject(settings) ? settings.infer_ip : undefined,
  })
  if (user !== undefined) event.user = user
  const isBrowser = event.platform === 'javascript'
  const userAgent = headerOf(request, 'User-Agent') ?? (isBrowser ? context.userAgent : null) ?? undefined
  const sent = raw.contexts ?? raw[`${OLD}Contexts`]
  const clean = raw.contexts === sent ? context.clean : undefined
  const contexts = readContexts(reader, sent, { userAgent, clean })
  if (contexts !== undefined) event.contexts = contexts
}

function readBags(
  reader: EventReader,
  raw: RawObject,
  { event, clean }: { event: Building<NormalizedEvent>; clean: CleanMarks | undefined },
): void {
  const extra = readBag(reader, withThrown(raw), 'extra', EXTRA_LIMITS)
  if (extra !== undefined && Object.keys(extra).length > 0) event.extra = extra
  if (extra !== undefined && extra === raw.extra && clean?.isExtraClean === true) clean.objects.add(extra)
  const modules = readModules(reader, raw.modules)
  if (modules !== undefined) event.modules = modules
  const debug = readDebugMeta(reader, raw.debug_meta ?? raw[`${OLD}DebugMeta`])
  if (debug !== undefined) event.debug_meta = debug
}

const READ: ReadonlySet<string> = new Set([
  ...[
    'event_id',
    'timestamp',
    'received',
    'level',
    'platform',
    'logger',
    'transaction',
    'culprit',
    'server_name',
  ],
  ...[
    'release',
    'dist',
    'environment',
    'message',
    'logentry',
    'exception',
    'threads',
    'stacktrace',
    'breadcrumbs',
  ],
  ...[
    'request',
    'user',
    'tags',
    'extra',
    'contexts',
    'modules',
    'sdk',
    'fingerprint',
    'debug_meta',
    'errors',
  ],
  ...[
    'Message',
    'Exception',
    'Threads',
    'Stacktrace',
    'Breadcrumbs',
    'Http',
    'User',
    'Contexts',
    'DebugMeta',
  ].map((name) => OLD + name),
])

/** Every other top-level key, `_meta` included, as it came but bounded. */
function readOther(
  reader: EventReader,
  raw: RawObject,
  request: JsonObject | undefined,
): JsonObject | undefined {
  const other: Record<string, Json> = {}
  let count = 0
  reader.enter('other')
  for (const key in raw) {
    if (READ.has(key) || raw[key] === null || raw[key] === undefined) continue
    if (++count > OTHER_KEYS_MAX || reader.visitsLeft <= 0) {
      reader.problem(null, 'too_many', `${Object.keys(raw).length} keys`)
      break
    }
    const name = cleanText(cutText(key, 200))
    setOwn(other, name, readAny(reader, raw[key], name, OTHER_LIMITS))
  }
  reader.leave()
  if (request !== undefined) setOwn(other, 'request', request)
  return Object.keys(other).length === 0 ? undefined : other
}

/** Notes problems that the SDK itself reported. */
function noteSdkErrors(reader: EventReader, errors: unknown): void {
  if (!Array.isArray(errors)) return
  for (const error of errors.slice(0, max('problemsMax'))) {
    if (!isObject(error)) continue
    const name = scalarText(error.name) ?? ''
    const type = scalarText(error.type) ?? 'error'
    reader.problem(name === '' ? 'errors' : name, 'sdk_reported', type)
  }
}

/** `extra` with an object that was thrown: of one that is not plain, such as a `Response`, SDKs make the message. */
function withThrown({ extra, message }: RawObject): unknown {
  if (!isObject(message) || 'message' in message || 'formatted' in message) return extra
  if (extra === undefined) return { __serialized__: message }
  return isObject(extra) && !('__serialized__' in extra) ? { ...extra, __serialized__: message } : extra
}
