/** Applies the rules of a project before an event is grouped: the first that fits sets its fingerprint, and its title. */
import { max } from '#limits/limits.ts'
import type { ExceptionValue, Frame, ScrubbedEvent } from '#model/event.ts'
import type { GroupingRule, RuleField, RuleMatcher } from '#model/grouping-rules.ts'
import { matchesPattern } from '#model/text-pattern.ts'

/** The event as the rules have it; the very one that was given where none fits. */
export function withProjectRules(event: ScrubbedEvent, rules: readonly GroupingRule[]): ScrubbedEvent {
  if (rules.length === 0) return event
  const rule = rules.find((each) => fits(event, each))
  if (rule === undefined) return event
  const { fingerprint: sent } = event
  const title = rule.title === null ? {} : { title: resolved(rule.title, event) }
  const groupingRule = { rule: rule.text, ...title, ...(sent === undefined ? {} : { sent }) }
  return { ...event, fingerprint: rule.fingerprint, groupingRule }
}

/** As it was before any rule. */
export function withoutProjectRules(event: ScrubbedEvent): ScrubbedEvent {
  const { groupingRule, fingerprint: _, ...rest } = event
  if (groupingRule === undefined) return event
  return groupingRule.sent === undefined ? rest : { ...rest, fingerprint: groupingRule.sent }
}

function fits(event: ScrubbedEvent, { matchers }: GroupingRule): boolean {
  const wanted = matchers.filter(({ isNegated }) => !isNegated)
  const unwanted = matchers.filter(({ isNegated }) => isNegated)
  return fitsAll(event, wanted) && !unwanted.some((matcher) => fitsAll(event, [matcher]))
}

/** What is asked of an exception holds for one of them, and what is asked of a frame for one frame. */
function fitsAll(event: ScrubbedEvent, matchers: readonly RuleMatcher[]): boolean {
  const ofException = matchers.filter(({ field }) => field in EXCEPTION)
  const ofFrame = matchers.filter(({ field }) => field in FRAME)
  const ofEvent = matchers.filter(({ field }) => !(field in EXCEPTION) && !(field in FRAME))
  return (
    ofEvent.every((matcher) => isMet(matcher, eventTexts(event, matcher))) &&
    (ofException.length === 0 ||
      (event.exception?.values ?? []).some((value) =>
        ofException.every((matcher) => isMet(matcher, EXCEPTION[matcher.field]?.(value) ?? [])),
      )) &&
    (ofFrame.length === 0 ||
      framesOf(event).some((frame) =>
        ofFrame.every((matcher) => isMet(matcher, FRAME[matcher.field]?.(frame, event) ?? [])),
      ))
  )
}

type Texts = readonly (string | undefined)[]

const EXCEPTION: Readonly<Partial<Record<RuleField, (value: ExceptionValue) => Texts>>> = {
  type: ({ type }) => [type],
  value: ({ value }) => [value],
}

const FRAME: Readonly<Partial<Record<RuleField, (frame: Frame, event: ScrubbedEvent) => Texts>>> = {
  function: (frame) => [frame.function],
  module: (frame) => [frame.module],
  path: (frame) => [frame.abs_path, frame.filename].flatMap(rooted),
  package: (frame) => [frame.package],
  app: (frame) => (frame.in_app === true ? ['yes', 'true', '1'] : ['no', 'false', '0']),
  family: (frame, event) => [familyOf(frame.platform ?? event.platform)],
}

/** A pattern that begins with a folder finds it at the start of a relative path too. */
function rooted(path: string | undefined): readonly string[] {
  if (path === undefined) return []
  return path.startsWith('/') ? [path] : [path, `/${path}`]
}

const NATIVE = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'rust'])

function familyOf(platform: string): string {
  if (platform === 'javascript' || platform === 'node') return 'javascript'
  return NATIVE.has(platform) ? 'native' : 'other'
}

function eventTexts(event: ScrubbedEvent, { field, key }: RuleMatcher): Texts {
  switch (field) {
    case 'message':
      return messagesOf(event)
    case 'logger':
      return [event.logger]
    case 'level':
      return [event.level]
    case 'release':
      return [event.release]
    case 'transaction':
      return [event.transaction]
    case 'sdk':
      return [event.sdk?.name]
    default:
      return event.tags.filter(([name]) => name === key).map(([, value]) => value)
  }
}

function messagesOf(event: ScrubbedEvent): Texts {
  const values = (event.exception?.values ?? []).map(({ value }) => value)
  return [event.logentry?.formatted, event.logentry?.message, event.message, ...values]
}

function framesOf(event: ScrubbedEvent): readonly Frame[] {
  const own = (event.exception?.values ?? []).flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
  const threads = event.threads?.values ?? []
  const thread = threads.find(({ crashed, current }) => crashed === true || current === true)
  return [...own, ...(thread?.stacktrace?.frames ?? []), ...(event.stacktrace?.frames ?? [])]
}

/** Beyond it no pattern looks. */
const TEXT_CHARS = 8_192

function isMet({ pattern }: RuleMatcher, texts: Texts): boolean {
  return texts.some(
    (text) => text !== undefined && matchesPattern(pattern, text.slice(0, TEXT_CHARS).trim().toLowerCase()),
  )
}

function resolved(title: string, event: ScrubbedEvent): string {
  const text = title.replaceAll(/\{\{\s*([^\s{}]+)\s*\}\}/g, (_, name: string) => variable(name, event))
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, max('titleCharsMax'))
}

function variable(name: string, event: ScrubbedEvent): string {
  const exception = event.exception?.values.at(-1)
  const frames = framesOf(event)
  const frame = frames.findLast(({ in_app }) => in_app === true) ?? frames.at(-1)
  if (name.startsWith('tags.'))
    return event.tags.find(([key]) => key === name.slice(5))?.[1] ?? `<no ${name}>`
  const known: Readonly<Record<string, string | undefined>> = {
    type: exception?.type,
    value: exception?.value,
    function: frame?.function,
    module: frame?.module,
    path: frame?.abs_path ?? frame?.filename,
    abs_path: frame?.abs_path ?? frame?.filename,
    package: frame?.package,
    transaction: event.transaction,
    message: messagesOf(event).find((text) => text !== undefined && text !== ''),
    level: event.level,
    logger: event.logger,
    release: event.release,
  }
  const plain = name.replace(/^(?:error|stack)\./, '')
  return (Object.hasOwn(known, plain) ? known[plain] : undefined) ?? `<no ${plain}>`
}
