/**
 * Takes secrets out of a normalised event before anything of it is stored: by key, by form, in every text, in JSON
 * and queries inside texts, in source lines; client addresses as the project wants. What was taken out is listed in
 * `scrubbedPaths`. Scrubbing a scrubbed event changes nothing.
 */

import type { JsonObject } from '#base/json.ts'
import { setOwn } from '#base/json.ts'
import { mapChanged } from '#base/mapped.ts'
import { max } from '#limits/limits.ts'
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
} from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import type { Attributes, SpanLink } from '#model/span.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { addressReplacements } from './addresses.ts'
import type { Clean } from './clean.ts'
import { FILTERED } from './filtered.ts'
import { isPlainUnder } from './harmless.ts'
import { SecretKeys } from './keys.ts'
import { replaceLearned } from './learned.ts'
import { scrubLines } from './lines.ts'
import { type Pair, scrubPairs, scrubRequest, scrubUser } from './request.ts'
import type { CleanParts } from './scan/clean-parts.ts'
import { boundColumns, isBinding } from './statements.ts'
import { ScrubWalk } from './walk.ts'
import { isSecret } from './worth.ts'

const PATHS_MAX = max('scrubbedPathsMax')

export interface ScrubContext {
  /** Address of the request; replaced wherever the event repeats it. `null` if unknown. */
  readonly clientAddress: string | null
  /** Parts that several events share: those that held no secret are not looked at again. */
  readonly shared?: SharedParts
  /** Parts and texts that are known to hold no secret, and the JSON that tells it. */
  readonly clean?: (Clean & { readonly json: Buffer }) | undefined
}

/** A project's scrubber: its key lists are compiled once. */
export interface Scrubber {
  readonly options: ScrubOptions
  readonly keys: SecretKeys
  /** Tells of an event's bytes which parts need no look; all are looked at where it is left out. */
  readonly scan?: CleanParts | undefined
}

export function createScrubber(options: ScrubOptions, scan?: CleanParts): Scrubber {
  return { options, keys: new SecretKeys(options), scan }
}

/** Texts of a span that may hold a secret. */
export interface SpanTexts {
  readonly name: string
  readonly attributes?: Attributes | undefined
  readonly links?: readonly SpanLink[] | undefined
}

/** A fragment is scrubbed as an event is, with its spans beside the fields of one. */
export interface WithSpans {
  readonly spans?: readonly SpanTexts[]
}

type FieldName = keyof NormalizedEvent | 'spans'

const ROUNDS_MAX = 4

/** Scrubs an event. Never throws on a normalised event. */
export function scrubEvent(
  event: NormalizedEvent & WithSpans,
  scrubber: Scrubber,
  context: ScrubContext,
): ScrubbedEvent & WithSpans {
  const paths: ScrubbedPath[] = [...((event as Partial<ScrubbedEvent>).scrubbedPaths ?? [])] // set when scrubbed before
  let current: Fields = event as unknown as Fields // a round reads it field by field and makes a new one
  // A learned secret taken out of a text may leave another one behind it in plain sight: then once more.
  let isSpent = false
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { fields, isSettled, isSpent: isSpentNow } = scrubRound(current, paths, { scrubber, context })
    current = fields
    isSpent ||= isSpentNow
    if (isSettled) break
  }
  // Every field was copied under its own name and type; the brand says that this function did it.
  current.scrubbedPaths = paths.slice(0, PATHS_MAX)
  const scrubbed = current as unknown as ScrubbedEvent & WithSpans
  return isSpent ? { ...scrubbed, problems: withUnread(scrubbed) } : scrubbed
}

type Fields = Record<string, unknown>

/** The event's problems, and that not all of it was read; once, however often the event is scrubbed. */
function withUnread({ problems }: ScrubbedEvent): readonly Problem[] {
  if (problems.some(({ rule }) => rule === 'scrub_budget')) return problems
  // Where the list is full: what nobody looked at matters more than the last of many.
  return [...problems.slice(0, max('problemsMax') - 1), { path: '', rule: 'scrub_budget' }]
}

function scrubRound(
  event: Fields,
  paths: ScrubbedPath[],
  { scrubber, context }: { readonly scrubber: Scrubber; readonly context: ScrubContext },
): { readonly fields: Fields; readonly isSettled: boolean; readonly isSpent: boolean } {
  const policy = scrubber.options.clientAddress
  // A normalised event, whole or already scrubbed: the same fields.
  const addresses = addressReplacements(event as unknown as NormalizedEvent, context.clientAddress, policy)
  const holdsAddress = addresses.some(([address]) => context.clean?.json.includes(address) === true)
  const walk = new ScrubWalk({
    keys: scrubber.keys,
    addresses,
    addressPolicy: policy,
    known: () => knownNames(event as unknown as NormalizedEvent), // as above; asked for when a secret was found
    shared: context.shared,
    clean: holdsAddress ? undefined : context.clean,
  })
  const fields: Fields = {}
  for (const key in event) {
    if (key === 'scrubbedPaths') continue
    walk.enter(key)
    // The loop's own key: `field` knows each field of the type by its name.
    const value =
      key === 'extra'
        ? walk.below(toldBy(event), () => field(walk, scrubber, key, event[key]))
        : field(walk, scrubber, key as FieldName, event[key])
    walk.leave()
    if (value !== undefined) fields[key] = value
  }
  const isSettled = walk.learned.size === 0 || !replaceLearned(fields, walk)
  paths.push(...walk.places())
  return { fields, isSettled, isSpent: walk.isSpent }
}

/** Returns the statement that the parameters beside it may belong to. */
function toldBy({ message, logentry: entry }: Fields): string | undefined {
  if (typeof message === 'string') return message
  if (typeof entry !== 'object' || entry === null) return undefined
  const told = 'message' in entry ? entry.message : 'formatted' in entry ? entry.formatted : undefined
  return typeof told === 'string' ? told : undefined
}

/** Returns names that identify the event and its user: lists, traces and people are found by them. */
function knownNames(event: NormalizedEvent): ReadonlySet<string> {
  const { trace_id: trace, span_id: span, parent_span_id: parent } = event.contexts?.trace ?? {}
  const { id, username, email } = event.user ?? {}
  const names = [
    event.event_id,
    event.release,
    event.environment,
    event.server_name,
    event.transaction,
    trace,
    span,
    parent,
    id,
    username,
    email,
  ]
  return new Set(names.filter((name) => typeof name === 'string'))
}

function field(walk: ScrubWalk, scrubber: Scrubber, key: FieldName, value: unknown): unknown {
  switch (key) {
    case 'spans':
      return scrubSpans(walk, value as readonly SpanTexts[]) // typed by WithSpans
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
    case 'raw_stacktrace':
      return scrubStacktrace(walk, value as Stacktrace) // typed by NormalizedEvent
    case 'request':
      return scrubRequest(walk, scrubber, value as EventRequest) // typed by NormalizedEvent
    case 'user':
      return scrubUser(walk, scrubber, value as EventUser) // typed by NormalizedEvent
    case 'tags':
      return scrubPairs(walk, value as readonly Pair[]) // typed by NormalizedEvent
    case 'contexts':
      return scrubContexts(walk, value as Readonly<Record<string, JsonObject>>) // typed by NormalizedEvent
    case 'extra':
      return walk.isClean(value) ? value : walk.value(value)
    case 'modules':
      return scrubSharedModules(walk, value as Modules) // typed by NormalizedEvent
    case 'sdk':
    case 'debug_meta':
      return scrubSharedBag(walk, value as JsonObject) // typed by NormalizedEvent
    case 'problems':
      return scrubProblems(walk, scrubber, value as readonly Problem[]) // typed by NormalizedEvent
    default:
      // Texts and bags: platform, logger, transaction, server_name, release, dist, environment, message, logentry,
      // fingerprint, other.
      return walk.value(value)
  }
}

function valuesOf(
  walk: ScrubWalk,
  key: 'exception' | 'threads' | 'breadcrumbs',
  list: { readonly values: readonly unknown[] },
): unknown {
  let statement = ''
  const scrub = (value: unknown, at: number): unknown => {
    walk.enter(at)
    const crumb = value as Breadcrumb // typed by NormalizedEvent, where it is one
    if (key === 'breadcrumbs' && !isBinding(crumb.message ?? '')) statement = crumb.message ?? ''
    if (key === 'breadcrumbs' && isClean(walk, crumb)) {
      walk.leave()
      return crumb
    }
    const scrubbed =
      key === 'breadcrumbs'
        ? scrubCrumb(walk, withBinding(walk, crumb, statement))
        : scrubTrace(walk, value as ExceptionValue | ThreadValue) // typed by NormalizedEvent
    walk.leave()
    return scrubbed
  }
  walk.enter('values')
  const values = mapChanged(list.values, scrub)
  walk.leave()
  return values === list.values ? list : { values }
}

/** Told from its bytes; what a console was given may be the parameters of a statement all the same. */
function isClean(walk: ScrubWalk, crumb: Breadcrumb): boolean {
  if (!walk.isClean(crumb)) return false
  return crumb.data?.arguments === undefined || boundColumns(crumb.message ?? '') === null
}

function scrubSpans(walk: ScrubWalk, spans: readonly SpanTexts[]): readonly SpanTexts[] {
  const clean = new Set<Attributes>()
  return mapChanged(spans, (span, at) => {
    walk.enter(at)
    const scrubbed = scrubSpan(walk, span, clean)
    walk.leave()
    return scrubbed
  })
}

/**
 * Looked at without functions made for it: spans are sixty in a container. Attributes that spans share are looked at
 * once; `clean` holds those in which nothing was found.
 */
function scrubSpan(walk: ScrubWalk, span: SpanTexts, clean: Set<Attributes>): SpanTexts {
  const { attributes: sent, links: linked } = span
  walk.enter('name')
  const name = walk.text(span.name)
  walk.leave()
  let attributes = sent
  if (sent !== undefined && !clean.has(sent)) {
    const before = walk.noteCount
    walk.enter('attributes')
    attributes = walk.below(span.name, () => walk.bag(sent))
    walk.leave()
    if (attributes === sent && walk.noteCount === before) clean.add(sent)
  }
  const links = linked === undefined ? linked : walk.under('links', () => scrubLinks(walk, linked))
  return name === span.name && attributes === sent && links === linked ? span : { name, attributes, links }
}

function scrubLinks(walk: ScrubWalk, links: readonly SpanLink[]): readonly SpanLink[] {
  return mapChanged(links, (link, at) => walk.under(at, () => walk.fields(link)))
}

const STACKTRACES = ['stacktrace', 'raw_stacktrace'] as const
const STACKTRACE_FIELDS: ReadonlySet<string> = new Set(STACKTRACES)

/** An exception or thread: texts and bags, and its stack traces. */
function scrubTrace(walk: ScrubWalk, value: ExceptionValue | ThreadValue): unknown {
  let scrubbed = walk.fields(value, STACKTRACE_FIELDS)
  for (const key of STACKTRACES) {
    const stacktrace = value[key]
    if (stacktrace === undefined) continue
    walk.enter(key)
    const trace = scrubStacktrace(walk, stacktrace)
    walk.leave()
    if (trace !== stacktrace) scrubbed = { ...scrubbed, [key]: trace }
  }
  return scrubbed
}

function scrubStacktrace(walk: ScrubWalk, stacktrace: Stacktrace): Stacktrace {
  const scrub = (frame: Frame, at: number): Frame => {
    walk.enter(at)
    const scrubbed = scrubFrame(walk, frame)
    walk.leave()
    return scrubbed
  }
  walk.enter('frames')
  const frames = walk.shared(stacktrace.frames, () => mapChanged(stacktrace.frames, scrub))
  walk.leave()
  return frames === stacktrace.frames ? stacktrace : { ...stacktrace, frames }
}

const LINE_FIELDS: ReadonlySet<string> = new Set(['pre_context', 'context_line', 'post_context'])

function scrubFrame(walk: ScrubWalk, frame: Frame): Frame {
  const lines = scrubLines(walk, frame)
  const rest = walk.fields(frame, LINE_FIELDS)
  return lines === null ? rest : { ...rest, ...lines }
}

/** Hibernate tells a statement and each of its parameters in records of their own. */
function withBinding(walk: ScrubWalk, crumb: Breadcrumb, statement: string): Breadcrumb {
  const { message } = crumb
  if (message === undefined || statement === '' || !isBinding(message)) return crumb
  const scrubbed = walk.binding(statement, message)
  return scrubbed === message ? crumb : { ...crumb, message: scrubbed }
}

/** A console breadcrumb repeats its arguments in its message: what was taken out of one goes from the other. */
function scrubCrumb(walk: ScrubWalk, crumb: Breadcrumb): unknown {
  const { message: told, category = '' } = crumb
  const isSelector = told?.includes('[value=') === true
  const scrubbedFields = walk.below(told, () => walk.fields(crumb))
  const read = isSelector ? withSelectors(walk, scrubbedFields, category === 'ui.input') : scrubbedFields
  const scrubbed = category.startsWith('ui.') ? withoutTyped(walk, read, category) : read
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

/** Keys of typed text in what libraries note about an input. */
const TYPED = ['value', 'text', 'input', 'content']
const OF_VIEW = ['view.id', 'view.tag', 'target', 'name', 'id', 'label', 'accessibilityLabel', 'placeholder']

/** Removes typed text of a field; in other events of a field, everything if a secret is asked for. */
function withoutTyped(walk: ScrubWalk, crumb: Breadcrumb, category: string): Breadcrumb {
  const { data, message } = crumb
  if (data === undefined || !TYPED.some((key) => Object.hasOwn(data, key))) return crumb
  const shown = [message, ...OF_VIEW.map((key) => (Object.hasOwn(data, key) ? data[key] : undefined))]
  const asks = shown.some((one) => typeof one === 'string' && walk.asksForSecret(one))
  if (category !== 'ui.input' && !asks) return crumb
  let copy = data
  for (const key of TYPED) {
    const value = Object.hasOwn(data, key) ? data[key] : undefined
    if (typeof value !== 'string' || value === '' || value === FILTERED) continue
    const taken = walk.under('data', () =>
      walk.under(key, () => walk.take(asks ? 'password' : 'typed', value)),
    )
    copy = { ...copy, [key]: taken }
  }
  return copy === data ? crumb : { ...crumb, data: copy }
}

function withSelectors(walk: ScrubWalk, crumb: Breadcrumb, isTyped: boolean): Breadcrumb {
  const { message = '' } = crumb
  const scrubbed = walk.under('message', () => walk.selectors(message, isTyped))
  return scrubbed === message ? crumb : { ...crumb, message: scrubbed }
}

type Contexts = Readonly<Record<string, JsonObject>>

function scrubContexts(walk: ScrubWalk, contexts: Contexts): Contexts {
  let copy: Record<string, JsonObject> | null = null
  for (const name of Object.keys(contexts)) {
    const context = contexts[name] ?? {}
    walk.enter(name)
    const shown = walk.name(name)
    const scrubbed = scrubContext(walk, [name, shown], context)
    walk.leave()
    if (copy === null && (shown !== name || scrubbed !== context)) copy = contextsUntil(contexts, name)
    if (copy !== null) setOwn(copy, shown, scrubbed)
  }
  return copy ?? contexts
}

/** Returns the contexts before `stop`. */
function contextsUntil(contexts: Contexts, stop: string): Record<string, JsonObject> {
  const copy: Record<string, JsonObject> = {}
  for (const name of Object.keys(contexts)) {
    if (name === stop) break
    setOwn(copy, name, contexts[name] ?? {})
  }
  return copy
}

function scrubContext(
  walk: ScrubWalk,
  [name, shown]: readonly [name: string, shown: string],
  context: JsonObject,
): JsonObject {
  if (walk.isClean(context)) return context
  const isNamed = walk.isSecretName(name) || (shown !== name && walk.isSecretName(shown))
  if (!isNamed || isFilteredContext(context)) return walk.bag(context)
  // `{method: "sso", mfa: "enabled"}`: how somebody signs in, and nothing to sign in with.
  const rule = walk.textOptions.keys.ruleOf(shown) ?? ''
  if (isPlainUnder(rule, context) || !isSecret(shown, context)) return walk.bag(context)
  walk.note('context')
  // A context stays an object: one with a secret's name holds the replacement as its value.
  return { type: 'filtered', value: FILTERED }
}

function isFilteredContext(context: JsonObject): boolean {
  return context.type === 'filtered' && context.value === FILTERED && Object.keys(context).length === 2
}

/** Scrubs what an SDK says of itself, and the files of a build: the same in event after event. */
function scrubSharedBag(walk: ScrubWalk, bag: JsonObject): JsonObject {
  return walk.shared(bag, () => walk.bag(bag))
}

type Modules = Readonly<Record<string, string>>

function scrubSharedModules(walk: ScrubWalk, modules: Modules): Modules {
  return walk.shared(modules, () => scrubModules(walk, modules))
}

/** Package names such as `jsonwebtoken` are no secrets' names. */
function scrubModules(walk: ScrubWalk, modules: Modules): Modules {
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
