/** The exception an event is called by, and filtered by. docs/wire.md, section "Titles". */
import type { ExceptionValue, Frame, Mechanism, NormalizedEvent } from './event.ts'

/**
 * Returns the exception that was thrown: the outermost, or the one that a framework wrapped into an error of
 * the same message. h3 makes an `Error` of whatever a handler of Nuxt throws. `null` for messages.
 */
export function mainException(event: NormalizedEvent): ExceptionValue | null {
  return wrappedChain(event).at(-1) ?? null
}

/**
 * Returns whether the chain was handled, by the mechanism that brought it. Around a framework's wrapper, false if any of
 * them says so.
 */
export function chainHandled(event: NormalizedEvent): boolean | undefined {
  const values = event.exception?.values ?? []
  if (wrappedChain(event).length > 1 && values.some(isUnhandled)) return false
  return eventMechanism(event)?.handled
}

/**
 * Returns the mechanism that brought the event to its SDK: the last exception's, but for a chain of an older JavaScript
 * SDK, which states it on the innermost cause and calls whatever has that cause handled.
 */
export function eventMechanism({ exception, platform }: NormalizedEvent): Mechanism | undefined {
  const values = exception?.values ?? []
  const last = values.at(-1)?.mechanism
  if (last?.handled !== true || !LINKED.has(last.type) || !JAVASCRIPT.has(platform)) return last
  return values.find(isUnhandled)?.mechanism ?? last
}

function isUnhandled({ mechanism }: ExceptionValue): boolean {
  return mechanism?.handled === false
}

/** Mechanisms of an error that only has a cause: `applyExceptionGroupFieldsForParentException` of the SDK's core. */
const LINKED = new Set(['generic', 'auto.core.linked_errors'])
const JAVASCRIPT = new Set(['node', 'javascript', 'bun', 'deno'])
/**
 * Error types of frameworks' wrappers; an app that wraps an error into a class of its own keeps that name.
 */
const WRAPPERS = new Set(['Error', 'H3Error', 'HTTPError', 'NuxtError'])

/** From what wraps to what was thrown; one for nearly every event. */
function wrappedChain(event: NormalizedEvent): readonly ExceptionValue[] {
  const outer = outermost(event)
  if (outer === null) return []
  const values = event.exception?.values ?? []
  const chain = [outer]
  if (values.length < 2 || !JAVASCRIPT.has(event.platform)) return chain
  for (let current = outer; chain.length < values.length; ) {
    const cause = innerCause(current, values)
    if (cause === undefined || chain.includes(cause) || !wrapsCause(current, cause)) break
    chain.push(cause)
    current = cause
  }
  return chain
}

function innerCause(outer: ExceptionValue, values: readonly ExceptionValue[]): ExceptionValue | undefined {
  const id = outer.mechanism?.exception_id
  if (id === undefined) {
    const isNumbered = values.some(({ mechanism }) => mechanism?.exception_id !== undefined)
    return isNumbered ? undefined : values[values.indexOf(outer) - 1]
  }
  return values.find(({ mechanism }) => mechanism?.parent_id === id && mechanism.source === 'cause')
}

function wrapsCause(outer: ExceptionValue, cause: ExceptionValue): boolean {
  const value = outer.value?.trim() ?? ''
  const { type = 'Error' } = outer
  // `createError({ statusCode: 503, cause })` says nothing itself.
  if (value === '') return cause.value !== undefined && cause.value.trim() !== '' && WRAPPERS.has(type)
  if (value !== cause.value?.trim()) return false
  if (WRAPPERS.has(type) || type === cause.type) return true
  const [one, other] = [newestFrame(outer), newestFrame(cause)]
  return one?.lineno !== undefined && one.filename === other?.filename && one.lineno === other?.lineno
}

function newestFrame({ stacktrace }: ExceptionValue): Frame | undefined {
  return stacktrace?.frames.at(-1)
}

/**
 * The last exception; of a group (`AggregateError` and kin) whose ids are a tree and that holds a single exception,
 * that one: the group itself only says that there was one.
 */
function outermost(event: NormalizedEvent): ExceptionValue | null {
  const values = event.exception?.values ?? []
  const last = values.at(-1)
  if (last === undefined) return null
  let current = values.find((value) => value.mechanism?.is_exception_group === true && isRoot(value)) ?? last
  for (let step = 0; step < values.length && current.mechanism?.is_exception_group === true; step += 1) {
    const id = current.mechanism.exception_id
    const children = values.filter((value) => id !== undefined && value.mechanism?.parent_id === id)
    const [child] = children
    if (child === undefined || !isOne(children)) break
    current = child
  }
  return current.mechanism?.is_exception_group === true ? last : current
}

function isRoot(value: ExceptionValue): boolean {
  return value.mechanism?.exception_id === 0 && value.mechanism.parent_id === undefined
}

function isOne(values: readonly ExceptionValue[]): boolean {
  return new Set(values.map((value) => `${value.type}\n${value.value}`)).size === 1
}
