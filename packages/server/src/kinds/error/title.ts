/** Titles of events in lists: title, culprit, and where it failed. docs/wire.md, section "Titles". */

import { frameKind, isOwnCall } from '#group/v1/frame-kinds.ts'
import { firstSentence, safeLine } from '#group/v1/sentence.ts'
import { max } from '#limits/limits.ts'
import type { ExceptionValue, Frame, ScrubbedEvent, Stacktrace, ThreadValue } from '#model/event.ts'
import { chainHandled, mainException } from '#model/main-exception.ts'
import type { Recognised } from '#model/recognised.ts'
import { decodeReactText } from '#recognise/react/decode.ts'
import { reactVersion } from '#recognise/react/version.ts'
import { isMount } from '#requests/request-paths.ts'
import { groupMembers } from './group-members.ts'
import { recognisedTitle } from './recognised-title.ts'
import { requestPlace } from './request-kind.ts'
import { stackTitle } from './stack-title.ts'
import { thrownValue } from './thrown-value.ts'
import { wrappedTitle } from './wrapped-title.ts'

export interface EventTitle {
  readonly title: string
  /** Exception type, or `Message`. */
  readonly type: string
  readonly value: string
  readonly culprit: string
  readonly filename: string | null
  readonly function: string | null
  /** False only where the SDK says that nobody caught it; `null` where it says nothing. */
  readonly handled: boolean | null
}

const TITLE_CHARS_MAX = max('titleCharsMax')
const CULPRIT_CHARS_MAX = max('culpritCharsMax')
const TYPE_CHARS_MAX = 128
const VALUE_CHARS_MAX = 1_024
const PLACE_CHARS_MAX = 512
const UNNAMED = /^(?:\?|<anonymous>|<unknown>|<redacted>)?$/
const NATIVE = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'rust'])
/** Its first sentence: what is in brackets ends none. */
const REACT_DECODED =
  /^(?:Uncaught )?(?:Error: )?(Minified React error #\d{1,5}: (?:[^()\n]|\([^()\n]{0,200}\)){1,220}?[.?!:])(?: |$)/
const REACT_MINIFIED = /^(?:Uncaught )?(?:Error: )?(Minified React error #\d{1,5}); visit /
const NO_TITLE = 'Unknown error'

/**
 * Returns the title: a recognised event is named by its cause, with a mismatch's component; else by what the
 * event says. A project’s rule goes before.
 */
export function eventTitle(event: ScrubbedEvent, recognised: Recognised | null = null): EventTitle {
  const told = toldTitle(event, recognised)
  const named = event.groupingRule?.title
  return named === undefined ? told : { ...told, title: cutTitleText(named, TITLE_CHARS_MAX) }
}

function toldTitle(event: ScrubbedEvent, recognised: Recognised | null): EventTitle {
  const plain = plainTitle(event)
  if (recognised === null) return plain
  const component = recognised.category === 'hydration' ? recognised.component : null
  const culprit = component === null ? plain.culprit : cutTitleText(component, CULPRIT_CHARS_MAX)
  return { ...plain, culprit, title: recognisedTitle(recognised, plain.value) }
}

function plainTitle(event: ScrubbedEvent): EventTitle {
  const exception = mainException(event)
  const frame = titleFrame(
    event,
    exception?.stacktrace ??
      threadOf(event, exception)?.stacktrace ??
      event.stacktrace ??
      stacktraceOfCause(event, exception),
  )
  const place = {
    culprit: cutTitleText(culpritOf(event, exception, frame), CULPRIT_CHARS_MAX),
    filename:
      frame === null
        ? null
        : cutTitleText(frame.filename ?? frame.abs_path ?? frame.module ?? '', PLACE_CHARS_MAX) || null,
    function: frame === null ? null : cutTitleText(titleFunction(frame), PLACE_CHARS_MAX) || null,
    handled: handledOf(event),
  }
  const decoded = (text: string) => decodeReactText(text, reactVersion(event))
  const message = decoded(event.logentry?.formatted ?? event.message ?? '')
  if (exception === null || isStackOfMessage(exception, message)) {
    const line =
      firstSentence(message) ||
      firstSentence(exception?.value ?? '') ||
      stackTitle(event, { frame, thread: threadOf(event, null) }) ||
      NO_TITLE
    return {
      title: cutTitleText(line, TITLE_CHARS_MAX),
      type: 'Message',
      value: cutTitleText(message || line, VALUE_CHARS_MAX),
      ...place,
    }
  }
  const thrown = asThrown(event)
  const type = cutTitleText(safeLine(thrown?.type ?? exception.type ?? ''), TYPE_CHARS_MAX)
  const told = thrown?.value ?? decoded((exception.value ?? '').trim())
  const shown = { ...(thrown ?? exception), type, value: told }
  const title = cutTitleText(sentenceOf(event, exception) ?? titleOf(shown, frame), TITLE_CHARS_MAX)
  return { title, type: type || 'Error', value: cutTitleText(told, VALUE_CHARS_MAX), ...place }
}

/** Returns the sentence of an exception that says nothing itself: its members' or its cause's. */
function sentenceOf(event: ScrubbedEvent, exception: ExceptionValue): string | null {
  return groupMembers(event, exception) ?? wrappedTitle(event, exception)
}

/** Returns the title of a thrown value: an answer by its status and body, an object as JSON. */
function asThrown(event: ScrubbedEvent): Pick<EventTitle, 'type' | 'value'> | null {
  const thrown = thrownValue(event)
  if (thrown === null) return null
  if (thrown.kind === 'value') return { type: thrown.type, value: thrown.text }
  const { status, statusText, text } = thrown.response
  return { type: `${status} ${statusText}`.trim(), value: text.trim() }
}

/** `captureMessage` with a stack attached: the exception only carries the stack. */
function isStackOfMessage(exception: ExceptionValue, message: string): boolean {
  return exception.type === undefined && exception.mechanism?.synthetic === true && message.trim() !== ''
}

function titleOf(exception: ExceptionValue, frame: Frame | null): string {
  const type = exception.type ?? ''
  const line = plainTitleLine(exception.value ?? '')
  if (exception.mechanism?.synthetic === true && frame !== null) {
    const name = titleFunction(frame)
    // The value says more where the SDK made the exception up from something that was thrown.
    if (name !== '' && (line === '' || type === '')) return name
  }
  if (type === '') return line || NO_TITLE
  // Unity's SDK calls each line of the log so; the real type stands in the line.
  if (exception.mechanism?.type === 'unity.log' && line !== '') return line
  return line === '' ? type : `${type}: ${withoutType(line, type)}`
}

/** `java.lang.IllegalStateException: no stock`: some SDKs and loggers repeat the type in the value. */
function withoutType(line: string, type: string): string {
  const at = line.indexOf(`${type}: `)
  const isRepeated = at === 0 || (at > 0 && at <= TYPE_CHARS_MAX && /^[\w$.]+\.$/.test(line.slice(0, at)))
  return isRepeated ? line.slice(at + type.length + 2) : line
}

/**
 * Returns the value's line; of React's production errors the number and its first sentence, since advice
 * follows, or the address for a number that no table names.
 */
function plainTitleLine(value: string): string {
  if (!value.includes('Minified React error #')) return firstSentence(value)
  const line = firstTitleLine(value)
  return REACT_DECODED.exec(line)?.[1] ?? REACT_MINIFIED.exec(line)?.[1] ?? line
}

/**
 * Threads marked as crashed mean nothing here: some SDKs mark the thread of every message so. A native crash has no
 * one who could have caught it.
 */
function handledOf(event: ScrubbedEvent): boolean | null {
  if (event.exception === undefined) return null
  const handled = chainHandled(event)
  if (handled !== undefined) return handled
  return event.level === 'fatal' && NATIVE.has(event.platform) ? false : null
}

/** Ruby's SDK sends a stack once: that of an error which only wraps another stands with the other. */
function stacktraceOfCause(event: ScrubbedEvent, exception: ExceptionValue | null): Stacktrace | undefined {
  if (exception === null) return undefined
  const id = exception.mechanism?.exception_id
  const others = (event.exception?.values ?? []).filter(
    (value) => value !== exception && (id === undefined || value.mechanism?.parent_id === id),
  )
  return others.findLast(({ stacktrace }) =>
    stacktrace?.frames.some((frame) => isOwnCall(frame, event.platform)),
  )?.stacktrace
}

function threadOf(event: ScrubbedEvent, exception: ExceptionValue | null): ThreadValue | undefined {
  const threads = event.threads?.values ?? []
  const id = exception?.thread_id
  return (
    (id === undefined ? undefined : threads.find((thread) => String(thread.id) === String(id))) ??
    threads.find((thread) => thread.crashed === true) ??
    threads.find((thread) => thread.current === true) ??
    (threads.length === 1 ? threads[0] : undefined)
  )
}

/** The newest call of the app, else the newest that is no logger's, else the newest frame. */
function titleFrame({ platform }: ScrubbedEvent, stacktrace: Stacktrace | undefined): Frame | null {
  const frames = stacktrace?.frames ?? []
  return (
    frames.findLast((frame) => isOwnCall(frame, platform)) ??
    frames.findLast((frame) => frameKind(frame, platform) !== 'reporter') ??
    frames.at(-1) ??
    null
  )
}

function culpritOf(event: ScrubbedEvent, exception: ExceptionValue | null, frame: Frame | null): string {
  const { transaction } = event
  if (transaction !== undefined && transaction.trim() !== '')
    return transactionText(event, firstTitleLine(transaction))
  const isSynthetic = exception?.mechanism?.synthetic === true
  const place = frame === null || isSynthetic ? '' : frameTitle(frame, event.platform)
  return place === '' ? (event.request?.url ?? '').replace(/[?#].*$/s, '') : place
}

/**
 * Returns the transaction's text. Below a server of its own every transaction of an app has one name: the
 * route tells which one it was.
 */
function transactionText(event: ScrubbedEvent, name: string): string {
  const route = isMount(name, event.request?.url) ? requestPlace(event).route : null
  if (route === null) return name
  return `${/^[A-Z]{3,7} /.exec(name)?.[0] ?? ''}${route}`
}

function frameTitle(frame: Frame, eventPlatform: string): string {
  const name = titleFunction(frame)
  const platform = frame.platform ?? eventPlatform
  const module = frame.module ?? ''
  if (NATIVE.has(platform)) return name
  if (platform === 'javascript' || platform === 'node') {
    const file = module || (frame.filename ?? frame.abs_path ?? '').replace(/[?#].*$/s, '')
    return file === '' ? name : `${name || '?'}(${file})`
  }
  const where = module || (frame.filename ?? '')
  if (where === '') return name
  return name === '' ? where : `${where} in ${name}`
}

function titleFunction(frame: Frame): string {
  const name = (frame.function ?? '').trim()
  return UNNAMED.test(name) ? '' : name
}

function firstTitleLine(text: string): string {
  for (const line of text.slice(0, 8_192).split(/\r\n|\r|\n/)) {
    const plain = line.trim()
    if (plain !== '') return plain
  }
  return ''
}

function cutTitleText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  // Never half of a surrogate pair at the end.
  return `${text.slice(0, charsMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
