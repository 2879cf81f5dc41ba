/** Part of grouping version 1. What of one exception decides, and why. */
import type { ExceptionValue, GroupingComponent, ScrubbedEvent, Stacktrace } from '#model/event.ts'
import { errorCode } from './codes.ts'
import { engineText, isEndlessRecursion } from './engine-text.ts'
import { exceptionsInOrder } from './exceptions.ts'
import { frameComponents, framesPart, hashedComponent, messageNote, uncountedPart } from './explain.ts'
import { type FrameKey, repeatedKeys, type StackKeys } from './frames.ts'
import { typeKey } from './functions.ts'
import type { Part } from './hash.ts'
import { httpStatusIn } from './kept-numbers.ts'
import { parameterise, withoutDartNames, withoutMinifiedNames } from './parameterise.ts'
import { emptyType } from './rules/empty-types.ts'
import { platformFamily } from './rules/families.ts'
import { sentenceIn } from './sentence.ts'

/** Parts that decide, and why. Empty if nothing decided. */
export interface Decision {
  readonly parts: readonly Part[]
  /** Asked for where somebody looks, not for each event that is stored. */
  readonly explain: () => readonly GroupingComponent[]
}

interface OwnStack {
  readonly stacktrace: Stacktrace | undefined
  readonly keys: StackKeys | null
  /** It is where the event was captured: the exception has none, and the thread that it is of did not crash. */
  readonly isReporters?: boolean
}

export function exceptionDecision(event: ScrubbedEvent, exception: ExceptionValue, own: OwnStack): Decision {
  const { keys: stack } = own
  const family = platformFamily(event.platform)
  const isSynthetic = exception.mechanism?.synthetic === true
  const told = exception.value ?? ''
  const system = systemCode(exception)
  const why = whyTold(event, exception, own)
  const engine =
    family === 'javascript' && isOfEngine(exception, why) ? engineText(exception.type ?? '', told) : null
  const type = isSynthetic ? '' : typeText(typeKey(engine?.type ?? exception.type ?? '', family))
  // Where the stack decides, the value is only shown; no replacement writes the name of React into a text.
  const isAsked = system === '' && (why !== null || told.includes('React'))
  const value = isAsked ? (engine?.text ?? valueKey(told, stack)) : ''
  const valueDecides = value !== '' && (why !== null || value.startsWith('Minified React error #'))
  const status = valueDecides ? '' : httpStatusIn(told)
  const code = system === '' && valueDecides ? errorCode(event, exception) : system
  const frames = framesThatCount(event, { exception, own, valueDecides })
  const parts: Part[] = []
  if (type !== '') parts.push(['type', type])
  if (code !== '') parts.push(['code', code])
  if (stack !== null && frames.length > 0) parts.push(['frames', framesPart(stack, frames)])
  if (valueDecides) parts.push(['value', value])
  if (status !== '') parts.push(['status', status])
  const explain = () => {
    const explanation: GroupingComponent[] = []
    if (exception.type !== undefined) explanation.push(typeComponent(exception.type, type, isSynthetic))
    if (code !== '')
      explanation.push(
        hashedComponent(
          'exception',
          code,
          system === '' ? 'code of the error' : 'code of the operating system',
        ),
      )
    if (status !== '')
      explanation.push(hashedComponent('message', status, 'HTTP status: another status is another failure'))
    if (stack !== null) explanation.push(...frameComponents(stack, frames))
    const shown = valueDecides ? value : (engine?.text ?? valueKey(told, stack))
    if (valueDecides)
      explanation.push(
        hashedComponent('message', shown, decidingNote(shown, told, { why, isEngine: engine !== null })),
      )
    else if (shown !== '') {
      const decider = system === '' ? 'stack trace' : 'code'
      explanation.push(uncountedPart('message', shown, `message ignored because the ${decider} decides`))
    }
    return explanation
  }
  return { parts: parts.length === 0 ? [] : ['exception', ...parts], explain }
}

type Why = 'no stack' | 'no app frame' | 'minified' | 'made up' | 'reporter' | 'numbered' | 'empty type'

/** Why the value decides, alone or with frames; `null`: the stack does. */
function whyTold(event: ScrubbedEvent, exception: ExceptionValue, own: OwnStack): Why | null {
  const { keys: stack } = own
  if (stack === null) return 'no stack'
  if (!stack.inAppOnly) return 'no app frame'
  if (stack.isVague) return 'minified'
  if (own.isReporters === true) return 'reporter'
  const family = platformFamily(event.platform)
  // What was thrown is no error: the stack is of whoever reported it. A native crash is called by its signal.
  if (family !== 'native' && exception.mechanism?.synthetic === true) return 'made up'
  if (family === 'javascript' && isNumbered(own.stacktrace)) return 'numbered'
  return saysNothing(event, exception, stack) ? 'empty type' : null
}

/** A name that a bundler numbered: without its number it is that of several functions of one file. */
const CLASH = /[\w$]\$\d{1,5}$/

/** True if the app's newest call is of such a function: every route of a bundled app has a `loader$4`. */
function isNumbered(stacktrace: Stacktrace | undefined): boolean {
  const newest = stacktrace?.frames.findLast((frame) => frame.in_app === true)
  return newest?.function !== undefined && CLASH.test(newest.function)
}

/** True for a type that says nothing of what failed, with a stack that is of whoever reports. */
function saysNothing(
  event: ScrubbedEvent,
  { type = '', mechanism }: ExceptionValue,
  stack: StackKeys,
): boolean {
  // Loggers send what failed alone.
  if (type === '') return true
  const rule = emptyType(type, platformFamily(event.platform))
  if (rule === null) return false
  if (rule.stack === 'init') return INIT.test(stack.keys.at(-1)?.code ?? '')
  // What was joined says it itself, in whatever order.
  const id = mechanism?.exception_id
  const isJoined = JOINED.test(type) && id !== undefined
  return !(isJoined && exceptionsInOrder(event).some((each) => each.mechanism?.parent_id === id))
}

/** Initialisers of a Go package's variables. */
const INIT = /^(?:init|glob\.\.func)/
const JOINED = /\.(?:joinErrors?|multiError)$|^\*?multierror\.Error$/

/** The type of endless recursion differs by engine, whoever decides. */
function isOfEngine({ type, value }: ExceptionValue, why: Why | null): boolean {
  return why !== null || type === 'InternalError' || isEndlessRecursion(type ?? '', value ?? '')
}

interface Counting {
  readonly exception: ExceptionValue
  readonly own: OwnStack
  readonly valueDecides: boolean
}

function framesThatCount(
  event: ScrubbedEvent,
  { exception, own, valueDecides }: Counting,
): readonly FrameKey[] {
  const { keys: stack, stacktrace } = own
  if (stack === null) return []
  if (stack.inAppOnly && isEndlessRecursion(exception.type ?? '', exception.value ?? '')) {
    const repeated = repeatedKeys(stacktrace, event)
    if (repeated.length > 0) return repeated
  }
  return stack.isVague && valueDecides ? stack.keys.slice(-1) : stack.keys
}

/** Some loggers send the message as type, cockroachdb's errors the place: `pay.go:12 (Pay)`. */
function typeText(type: string): string {
  return SENTENCE.test(type) ? parameterise(type.replace(GO_LINE, '$1')) : type
}

const SENTENCE = /^[^[<({`]{1,200}\s/
const GO_LINE = /(\.go):\d{1,7}(?= )/

function valueKey(value: string, stack: StackKeys | null): string {
  if (value.trim() === '') return ''
  const isMinified = stack?.keys.some((key) => key.isMinified) === true
  const text = withoutDartNames(sentenceIn(value) ?? value)
  return parameterise(isMinified ? withoutMinifiedNames(text) : text)
}

/** Returns domain and code of Apple's errors, which the value only repeats. */
function systemCode(exception: ExceptionValue): string {
  const error = exception.mechanism?.meta?.ns_error
  if (typeof error !== 'object' || error === null || !('domain' in error)) return ''
  const { domain, code } = error
  return typeof domain === 'string' ? `${domain} ${typeof code === 'number' ? code : ''}`.trim() : ''
}

function typeComponent(type: string, key: string, isSynthetic: boolean): GroupingComponent {
  if (isSynthetic) return uncountedPart('exception', type, 'type ignored because the SDK made it up')
  if (key === '') return uncountedPart('exception', type, 'type ignored because a minifier named it')
  return hashedComponent(
    'exception',
    key,
    key === type ? 'exception type' : 'exception type, without what was generated',
  )
}

const WHY: Readonly<Record<Why, string>> = {
  'no stack': '',
  'no app frame': ', which counts because no frame of the app does',
  minified: ', which counts because minified names say little',
  'made up': ', which counts because what was thrown is no error',
  reporter: ', which counts because the stack trace is of whoever reported it',
  numbered: ', which counts because others of its file have the name of the function but for the number',
  'empty type':
    ', which counts because the type says nothing and the stack trace may be of whoever reported it',
}

function decidingNote(
  shown: string,
  told: string,
  { why, isEngine }: { readonly why: Why | null; readonly isEngine: boolean },
): string {
  const note = isEngine ? 'message in one wording for all browsers' : messageNote(shown, told)
  return `${note}${why === null ? '' : WHY[why]}`
}
