/** Grouping version 1: see README.md of this folder. */
import type { ExceptionValue, Grouping, ScrubbedEvent, Stacktrace, ThreadValue } from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { type Decision, exceptionDecision } from './exception-decision.ts'
import { chainOf, exceptionsInOrder } from './exceptions.ts'
import {
  frameComponents,
  framesPart,
  hashedComponent,
  ignorePart,
  messageNote,
  shortComponent,
  uncountedPart,
} from './explain.ts'
import { resolveFingerprint } from './fingerprint.ts'
import { type StackKeys, stackKeys } from './frames.ts'
import { hashParts, type Part } from './hash.ts'
import { type Mirror, recogniseMirror } from './mirror.ts'
import { parameterise } from './parameterise.ts'
import { sentenceIn } from './sentence.ts'

const VERSION = 1
const COMPONENTS_MAX = 60
/** Parts of the hash when an event tells nothing at all. */
const NOTHING: readonly Part[] = ['fallback']

/** The group of a normalised event. Pure; the same event gives the same hash in every process and for ever. */
export function groupV1(event: ScrubbedEvent, shared?: SharedParts): Grouping {
  const mirror = recogniseMirror(event)
  const keysOf: KeysOf = (stacktrace, ran) => stackKeys(stacktrace, { event, ran, shared })
  const decision = decideGroup(event, mirror, keysOf)
  return {
    version: VERSION,
    hash: hashParts(decision.parts),
    get explanation() {
      return decision.explain().slice(0, COMPONENTS_MAX).map(shortComponent)
    },
    ...(mirror === null ? {} : { mirror }),
  }
}

type KeysOf = (stacktrace: Stacktrace | undefined, ran: Stacktrace | undefined) => StackKeys | null

function decideGroup(event: ScrubbedEvent, mirror: Mirror | null, keysOf: KeysOf): Decision {
  const ordinary = () => (mirror === null ? null : mirrorDecision(mirror)) ?? ordinaryDecision(event, keysOf)
  const fingerprint = resolveFingerprint(event, () => ordinary().parts)
  if (fingerprint === null) return ordinary()
  const explain = () => {
    const rest = ordinary().explain()
    return [
      hashedComponent('fingerprint', fingerprint.shown.join(', '), 'set by the SDK'),
      ...(fingerprint.holdsDefault
        ? rest
        : rest.map((part) => ignorePart(part, 'ignored because the SDK set a fingerprint'))),
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
  return { parts: [`mirror:${id}`], explain: () => [hashedComponent('mirror', id, note)] }
}

function ordinaryDecision(event: ScrubbedEvent, keysOf: KeysOf): Decision {
  const message = messageDecision(event)
  const values = exceptionsInOrder(event)
  // `captureMessage` with a stack attached: an exception without a type that only carries the stack.
  const isMessage = values.every((value) => isStackAlone(event, value))
  if (isMessage && message !== null) return withStackIgnored(message, values)
  const chain = exceptionsDecision(event, values, keysOf)
  if (chain.parts.length > 0) return chain
  if (message !== null) return message
  const stack = stackDecision(event, keysOf)
  if (stack !== null) return stack
  return (
    processDecision(event) ?? {
      parts: NOTHING,
      explain: () => [
        hashedComponent(
          'fallback',
          'nothing',
          'no message, exception or stack trace: every such event is one group',
        ),
      ],
    }
  )
}

/** A crash of which Electron tells which process ended and why; the rest is in its minidump. */
function processDecision({ tags }: ScrubbedEvent): Decision | null {
  const told = tags
    .flatMap(([key, value]) => (PROCESS_TAGS.has(key) && value ? [`${key} ${value}`] : []))
    .sort()
  if (told.length === 0) return null
  return {
    parts: [...NOTHING, ...told],
    explain: () => told.map((text) => hashedComponent('fallback', text, 'the event tells nothing else')),
  }
}

const PROCESS_TAGS = new Set(['event.process', 'exit.reason'])

/** Older SDKs do not mark it, and repeat the message. */
function isStackAlone(
  { message, logentry }: ScrubbedEvent,
  { type, value, mechanism }: ExceptionValue,
): boolean {
  if (type !== undefined) return false
  if (mechanism?.synthetic === true) return true
  return value !== undefined && (value === message || value === logentry?.formatted)
}

function withStackIgnored(message: Decision, values: readonly ExceptionValue[]): Decision {
  const hasStack = values.some((value) => (value.stacktrace?.frames.length ?? 0) > 0)
  if (!hasStack) return message
  const note = uncountedPart('frame', 'stack trace of the message', 'ignored because the message decides')
  return { ...message, explain: () => [...message.explain(), note] }
}

function messageDecision(event: ScrubbedEvent): Decision | null {
  const template = event.logentry?.message
  const text = template ?? event.logentry?.formatted ?? event.message
  if (text === undefined || text.trim() === '') return null
  const plain = parameterise(sentenceIn(text) ?? text)
  const note = template === undefined ? messageNote(plain, text) : 'message template'
  return { parts: ['message', plain], explain: () => [hashedComponent('message', plain, note)] }
}

function exceptionsDecision(
  event: ScrubbedEvent,
  values: readonly ExceptionValue[],
  keysOf: KeysOf,
): Decision {
  const borrowed = borrowedStack(event, values)
  const known = new Map<ExceptionValue, Decision>()
  const decisionOf = (value: ExceptionValue) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const own = value === borrowed?.of ? borrowed : value
    const decision = exceptionDecision(event, value, {
      stacktrace: own.stacktrace,
      keys: keysOf(own.stacktrace, own.raw_stacktrace),
      isReporters: value === borrowed?.of && borrowed.isReporters,
    })
    known.set(value, decision)
    return decision
  }
  const chain = chainOf(values, (value) => JSON.stringify(decisionOf(value).parts)).map(decisionOf)
  return {
    parts: chain.filter((decision) => decision.parts.length > 0).map((decision) => decision.parts),
    // The thrown exception first: it is what people look at.
    explain: () => [...chain].reverse().flatMap((decision) => decision.explain()),
  }
}

type Borrowed = Pick<ThreadValue, 'stacktrace' | 'raw_stacktrace'> & {
  readonly of: ExceptionValue
  readonly isReporters: boolean
}

/** Without a stack of its own, an exception has that of the thread it was thrown on. */
function borrowedStack(event: ScrubbedEvent, values: readonly ExceptionValue[]): Borrowed | null {
  const last = values.at(-1)
  if (last === undefined || values.some((value) => (value.stacktrace?.frames.length ?? 0) > 0)) return null
  const thread = relevantThread(event, last.thread_id)
  const from = thread?.stacktrace === undefined ? event : thread
  if (from.stacktrace === undefined) return null
  const { stacktrace, raw_stacktrace: ran } = from
  // SDKs attach the stack of the thread that captures an error which never was thrown.
  const isReporters = from === thread && thread?.crashed !== true && thread?.current === true
  return { of: last, isReporters, stacktrace, ...(ran === undefined ? {} : { raw_stacktrace: ran }) }
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
  const stack =
    keysOf(thread?.stacktrace, thread?.raw_stacktrace) ?? keysOf(event.stacktrace, event.raw_stacktrace)
  if (stack === null) return null
  const explain = () => {
    const frames = frameComponents(stack, stack.keys)
    const name = thread?.name
    return name === undefined ? frames : [uncountedPart('thread', name, 'its stack trace decides'), ...frames]
  }
  return { parts: ['stack', framesPart(stack, stack.keys)], explain }
}
