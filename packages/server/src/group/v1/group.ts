/** Grouping version 1. Frozen: see README.md of this folder. */
import type {
  ExceptionValue,
  Grouping,
  GroupingComponent,
  ScrubbedEvent,
  Stacktrace,
  ThreadValue,
} from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { chainOf } from './exceptions.ts'
import { resolveFingerprint } from './fingerprint.ts'
import { type FrameKey, type StackKeys, stackKeys } from './frames.ts'
import { hashParts, type Part } from './hash.ts'
import { type Mirror, recogniseMirror } from './mirror.ts'
import { parameterise, withoutMinifiedNames } from './parameterise.ts'

const VERSION = 1
const COMPONENTS_MAX = 60
const VALUE_CHARS_MAX = 200
/** Parts of the hash when an event tells nothing at all. */
const NOTHING: readonly Part[] = ['fallback']

/** What decides, and why. Empty parts: nothing did. */
interface Decision {
  readonly parts: readonly Part[]
  /** Asked for where somebody looks, not for each event that is stored. */
  readonly explain: () => readonly GroupingComponent[]
}

/** The group of a normalised event. Pure; the same event gives the same hash in every process and for ever. */
export function groupV1(event: ScrubbedEvent, shared?: SharedParts): Grouping {
  const mirror = recogniseMirror(event)
  const keysOf = (stacktrace: Stacktrace | undefined) => stackKeys(stacktrace, event.platform, shared)
  const decision = decide(event, mirror, keysOf)
  return {
    version: VERSION,
    hash: hashParts(decision.parts),
    get explanation() {
      return decision.explain().slice(0, COMPONENTS_MAX).map(bounded)
    },
    ...(mirror === null ? {} : { mirror }),
  }
}

type KeysOf = (stacktrace: Stacktrace | undefined) => StackKeys | null

function decide(event: ScrubbedEvent, mirror: Mirror | null, keysOf: KeysOf): Decision {
  const ordinary = () => (mirror === null ? null : mirrorDecision(mirror)) ?? ordinaryDecision(event, keysOf)
  const fingerprint = resolveFingerprint(event, () => ordinary().parts)
  if (fingerprint === null) return ordinary()
  const explain = () => {
    const rest = ordinary().explain()
    return [
      counted('fingerprint', fingerprint.shown.join(', '), 'set by the SDK'),
      ...(fingerprint.holdsDefault
        ? rest
        : rest.map((part) => ignored(part, 'ignored because the SDK set a fingerprint'))),
    ]
  }
  return { parts: ['fingerprint', ...fingerprint.parts], explain }
}

/** `null` where neither digest nor trace says which failure it echoes. */
function mirrorDecision(mirror: Mirror): Decision | null {
  const id = mirror.digest ?? mirror.traceId
  if (id === undefined) return null
  const note =
    mirror.digest === undefined
      ? 'echo of a server failure, by its trace: it carries no digest'
      : 'echo of a server failure, by its digest'
  return { parts: [`mirror:${id}`], explain: () => [counted('mirror', id, note)] }
}

function ordinaryDecision(event: ScrubbedEvent, keysOf: KeysOf): Decision {
  const message = messageDecision(event)
  const values = event.exception?.values ?? []
  // `captureMessage` with a stack attached: an exception without a type that only carries the stack.
  const isMessage = values.every((value) => value.type === undefined && value.mechanism?.synthetic === true)
  if (isMessage && message !== null) return withStackIgnored(message, values)
  const chain = exceptionsDecision(event, values, keysOf)
  if (chain.parts.length > 0) return chain
  if (message !== null) return message
  const stack = stackDecision(event, keysOf)
  if (stack !== null) return stack
  return {
    parts: NOTHING,
    explain: () => [
      counted('fallback', 'nothing', 'no message, exception or stack trace: every such event is one group'),
    ],
  }
}

function withStackIgnored(message: Decision, values: readonly ExceptionValue[]): Decision {
  const hasStack = values.some((value) => (value.stacktrace?.frames.length ?? 0) > 0)
  if (!hasStack) return message
  const note = uncounted('frame', 'stack trace of the message', 'ignored because the message decides')
  return { ...message, explain: () => [...message.explain(), note] }
}

function messageDecision(event: ScrubbedEvent): Decision | null {
  const template = event.logentry?.message
  const text = template ?? event.logentry?.formatted ?? event.message
  if (text === undefined || text.trim() === '') return null
  const plain = parameterise(text)
  const note = template === undefined ? messageNote(plain, text) : 'message template'
  return { parts: ['message', plain], explain: () => [counted('message', plain, note)] }
}

function exceptionsDecision(
  event: ScrubbedEvent,
  values: readonly ExceptionValue[],
  keysOf: KeysOf,
): Decision {
  const borrowed = borrowedStack(event, values)
  const stackOf = (value: ExceptionValue) =>
    keysOf(value === borrowed?.of ? borrowed.stacktrace : value.stacktrace)
  const decisionOf = (value: ExceptionValue) => exceptionDecision(value, stackOf(value))
  const chain = chainOf(values, (value) => JSON.stringify(decisionOf(value).parts)).map(decisionOf)
  return {
    parts: chain.filter((decision) => decision.parts.length > 0).map((decision) => decision.parts),
    // The thrown exception first: it is what people look at.
    explain: () => [...chain].reverse().flatMap((decision) => decision.explain()),
  }
}

function exceptionDecision(exception: ExceptionValue, stack: StackKeys | null): Decision {
  const isSynthetic = exception.mechanism?.synthetic === true
  const type = isSynthetic ? '' : (exception.type ?? '')
  const code = systemCode(exception)
  const told = exception.value ?? ''
  const isTold = stack === null || stack.isVague
  // Where the stack decides, the value is only shown; no replacement writes the name of React into a text.
  const value = code === '' && (isTold || told.includes('React')) ? valueKey(told, stack) : ''
  const isReactCode = value.startsWith('Minified React error #')
  const valueDecides = value !== '' && (isTold || isReactCode)
  const frames = stack === null ? [] : stack.isVague && valueDecides ? stack.keys.slice(-1) : stack.keys
  const parts: Part[] = []
  if (type !== '') parts.push(['type', type])
  if (code !== '') parts.push(['code', code])
  if (stack !== null && frames.length > 0) parts.push(['frames', framesPart(stack, frames)])
  if (valueDecides) parts.push(['value', value])
  const explain = () => {
    const explanation: GroupingComponent[] = []
    if (exception.type !== undefined) explanation.push(typeComponent(exception.type, isSynthetic))
    if (code !== '') explanation.push(counted('exception', code, 'code of the operating system'))
    if (stack !== null) explanation.push(...frameComponents(stack, frames))
    const shown = valueKey(told, stack)
    if (valueDecides) explanation.push(counted('message', shown, messageNote(shown, told)))
    else if (shown !== '') {
      const decider = code === '' ? 'stack trace' : 'code'
      explanation.push(uncounted('message', shown, `message ignored because the ${decider} decides`))
    }
    return explanation
  }
  return { parts: parts.length === 0 ? [] : ['exception', ...parts], explain }
}

function valueKey(value: string, stack: StackKeys | null): string {
  if (value.trim() === '') return ''
  const isMinified = stack?.keys.some((key) => key.isMinified) === true
  return parameterise(isMinified ? withoutMinifiedNames(value) : value)
}

/** Of Apple's errors, domain and code say what the value only repeats. */
function systemCode(exception: ExceptionValue): string {
  const error = exception.mechanism?.meta?.ns_error
  if (typeof error !== 'object' || error === null || !('domain' in error)) return ''
  const { domain, code } = error
  return typeof domain === 'string' ? `${domain} ${typeof code === 'number' ? code : ''}`.trim() : ''
}

/** Without a stack of its own, an exception has that of the thread it was thrown on. */
function borrowedStack(
  event: ScrubbedEvent,
  values: readonly ExceptionValue[],
): { readonly of: ExceptionValue; readonly stacktrace: Stacktrace } | null {
  const last = values.at(-1)
  if (last === undefined || values.some((value) => (value.stacktrace?.frames.length ?? 0) > 0)) return null
  const stacktrace = relevantThread(event, last.thread_id)?.stacktrace ?? event.stacktrace
  return stacktrace === undefined ? null : { of: last, stacktrace }
}

function relevantThread(event: ScrubbedEvent, id?: string | number): ThreadValue | undefined {
  const threads = event.threads?.values ?? []
  return (
    (id === undefined ? undefined : threads.find((thread) => String(thread.id) === String(id))) ??
    threads.find((thread) => thread.crashed === true) ??
    threads.find((thread) => thread.current === true) ??
    (threads.length === 1 ? threads[0] : undefined)
  )
}

function stackDecision(event: ScrubbedEvent, keysOf: KeysOf): Decision | null {
  const thread = relevantThread(event)
  const stack = keysOf(thread?.stacktrace) ?? keysOf(event.stacktrace)
  if (stack === null) return null
  const explain = () => {
    const frames = frameComponents(stack, stack.keys)
    const name = thread?.name
    return name === undefined ? frames : [uncounted('thread', name, 'its stack trace decides'), ...frames]
  }
  return { parts: ['stack', framesPart(stack, stack.keys)], explain }
}

function typeComponent(type: string, isSynthetic: boolean): GroupingComponent {
  const note = isSynthetic ? 'type ignored because the SDK made it up' : 'exception type'
  return isSynthetic ? uncounted('exception', type, note) : counted('exception', type, note)
}

function messageNote(plain: string, raw: string): string {
  return plain === raw.trim() ? 'message' : 'message without what varies'
}

/** Of traces that are shared between events, what all of their frames come to. */
const PARTS = new WeakMap<StackKeys, Part>()
const COMPONENTS = new WeakMap<StackKeys, readonly GroupingComponent[]>()

function framesPart(stack: StackKeys, used: readonly FrameKey[]): Part {
  const known = used === stack.keys ? PARTS.get(stack) : undefined
  const part = known ?? used.map((key): Part => [key.place, key.code])
  if (known === undefined && used === stack.keys) PARTS.set(stack, part)
  return part
}

function frameComponents(stack: StackKeys, used: readonly FrameKey[]): readonly GroupingComponent[] {
  const known = used === stack.keys ? COMPONENTS.get(stack) : undefined
  const components = known ?? componentsOf(stack, used)
  if (known === undefined && used === stack.keys) COMPONENTS.set(stack, components)
  return components
}

/** Newest frame first, as people read a stack trace. */
function componentsOf(stack: StackKeys, used: readonly FrameKey[]): readonly GroupingComponent[] {
  const kind = stack.inAppOnly ? 'in-app frame' : 'frame (none is in-app)'
  const components = [...stack.keys].reverse().map((key) => {
    const contributes = used.includes(key)
    const note = contributes
      ? frameNote(key, kind)
      : `${kind}, ignored because no frame has a name that lasts from build to build`
    return contributes ? counted('frame', frameText(key), note) : uncounted('frame', frameText(key), note)
  })
  if (stack.ignoredCount > 0) {
    const frames = stack.ignoredCount === 1 ? '1 library frame' : `${stack.ignoredCount} library frames`
    components.push(uncounted('frame', frames, 'ignored because in-app frames exist'))
  }
  return components
}

function frameNote(key: FrameKey, kind: string): string {
  if (key.by === 'source line') return `${kind}, by its source line`
  return key.by === 'nothing' ? `${kind}, by its module or file alone` : kind
}

function frameText(key: FrameKey): string {
  if (key.code === '') return key.place
  return key.place === '' ? key.code : `${key.code} in ${key.place}`
}

type Name = GroupingComponent['name']

/** A component that is part of the hash. */
function counted(name: Name, value: string, note: string): GroupingComponent {
  return { name, value, note, contributes: true }
}

/** A component that is shown with the reason why it does not count. */
function uncounted(name: Name, value: string, note: string): GroupingComponent {
  return { name, value, note, contributes: false }
}

function ignored(part: GroupingComponent, note: string): GroupingComponent {
  return part.contributes ? { ...part, note, contributes: false } : part
}

function bounded(part: GroupingComponent): GroupingComponent {
  return part.value.length <= VALUE_CHARS_MAX
    ? part
    : { ...part, value: `${part.value.slice(0, VALUE_CHARS_MAX - 1)}…` }
}
