/** Part of grouping version 1. What of one exception decides, and why. */
import type { ExceptionValue, GroupingComponent, ScrubbedEvent, Stacktrace } from '#model/event.ts'
import { errorCode } from './codes.ts'
import { engineText, isEndlessRecursion } from './engine-text.ts'
import { counted, frameComponents, framesPart, messageNote, uncounted } from './explain.ts'
import { type FrameKey, repeatedKeys, type StackKeys } from './frames.ts'
import { typeKey } from './functions.ts'
import type { Part } from './hash.ts'
import { httpStatusIn } from './kept-numbers.ts'
import { parameterise, withoutDartNames, withoutMinifiedNames } from './parameterise.ts'
import { type Family, familyOf } from './rules/families.ts'
import { sentenceIn } from './sentence.ts'

/** What decides, and why. Empty parts: nothing did. */
export interface Decision {
  readonly parts: readonly Part[]
  /** Asked for where somebody looks, not for each event that is stored. */
  readonly explain: () => readonly GroupingComponent[]
}

interface OwnStack {
  readonly stacktrace: Stacktrace | undefined
  readonly keys: StackKeys | null
}

export function exceptionDecision(event: ScrubbedEvent, exception: ExceptionValue, own: OwnStack): Decision {
  const { keys: stack } = own
  const family = familyOf(event.platform)
  const isSynthetic = exception.mechanism?.synthetic === true
  const told = exception.value ?? ''
  const system = systemCode(exception)
  const why = whyTold(exception, stack, family)
  const engine =
    family === 'javascript' && isOfEngine(exception, why) ? engineText(exception.type ?? '', told) : null
  const type = isSynthetic ? '' : typeKey(engine?.type ?? exception.type ?? '', family)
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
        counted('exception', code, system === '' ? 'code of the error' : 'code of the operating system'),
      )
    if (status !== '')
      explanation.push(counted('message', status, 'HTTP status: another status is another failure'))
    if (stack !== null) explanation.push(...frameComponents(stack, frames))
    const shown = valueDecides ? value : (engine?.text ?? valueKey(told, stack))
    if (valueDecides)
      explanation.push(
        counted('message', shown, decidingNote(shown, told, { why, isEngine: engine !== null })),
      )
    else if (shown !== '') {
      const decider = system === '' ? 'stack trace' : 'code'
      explanation.push(uncounted('message', shown, `message ignored because the ${decider} decides`))
    }
    return explanation
  }
  return { parts: parts.length === 0 ? [] : ['exception', ...parts], explain }
}

type Why = 'no stack' | 'no app frame' | 'minified' | 'made up'

/** Why the value decides, alone or with frames; `null`: the stack does. */
function whyTold(exception: ExceptionValue, stack: StackKeys | null, family: Family): Why | null {
  if (stack === null) return 'no stack'
  if (!stack.inAppOnly) return 'no app frame'
  if (stack.isVague) return 'minified'
  // What was thrown is no error: the stack is of whoever reported it.
  return family === 'javascript' && exception.mechanism?.synthetic === true ? 'made up' : null
}

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

function valueKey(value: string, stack: StackKeys | null): string {
  if (value.trim() === '') return ''
  const isMinified = stack?.keys.some((key) => key.isMinified) === true
  const text = withoutDartNames(sentenceIn(value) ?? value)
  return parameterise(isMinified ? withoutMinifiedNames(text) : text)
}

/** Of Apple's errors, domain and code say what the value only repeats. */
function systemCode(exception: ExceptionValue): string {
  const error = exception.mechanism?.meta?.ns_error
  if (typeof error !== 'object' || error === null || !('domain' in error)) return ''
  const { domain, code } = error
  return typeof domain === 'string' ? `${domain} ${typeof code === 'number' ? code : ''}`.trim() : ''
}

function typeComponent(type: string, key: string, isSynthetic: boolean): GroupingComponent {
  if (isSynthetic) return uncounted('exception', type, 'type ignored because the SDK made it up')
  if (key === '') return uncounted('exception', type, 'type ignored because a minifier named it')
  return counted(
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
}

function decidingNote(
  shown: string,
  told: string,
  { why, isEngine }: { readonly why: Why | null; readonly isEngine: boolean },
): string {
  const note = isEngine ? 'message in one wording for all browsers' : messageNote(shown, told)
  return `${note}${why === null ? '' : WHY[why]}`
}
