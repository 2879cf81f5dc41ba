/** Applies the rules of a project before an event is grouped: the first that fits sets its fingerprint, and its title. */
import { max } from '#limits/limits.ts'
import type { ExceptionValue, Frame, Problem, ScrubbedEvent } from '#model/event.ts'
import type { GroupingRule, RuleField, RuleMatcher } from '#model/grouping-rules.ts'
import { StepBudget } from '#model/step-budget.ts'
import { matchesParts, stepsOfParts } from '#model/text-pattern.ts'

/** The event as the rules have it; the very one that was given where none fits. */
export function withProjectRules(event: ScrubbedEvent, rules: readonly GroupingRule[]): ScrubbedEvent {
  return askRules(event, rules).event
}

export interface AskedRules {
  readonly event: ScrubbedEvent
  /** Characters that were looked at. */
  readonly steps: number
  /** They were more than one event may take. */
  readonly isCut: boolean
}

/**
 * Applies the rules to an event. If they take more steps than one event may, the remaining rules do not
 * apply, and the event says so.
 */
export function askRules(event: ScrubbedEvent, rules: readonly GroupingRule[]): AskedRules {
  if (rules.length === 0) return { event, steps: 0, isCut: false }
  const looking = new Looking(event, max('groupingStepsMax'))
  const rule = rules.find((each) => fits(looking, compileRule(each)) || looking.isSpent)
  const { steps, isSpent: isCut } = looking
  if (rule === undefined) return { event, steps, isCut }
  if (isCut) return { event: { ...event, problems: [...event.problems, cutProblem(rule)] }, steps, isCut }
  const { fingerprint: sent } = event
  const title = rule.title === null ? {} : { title: resolveTitle(rule.title, event) }
  const groupingRule = { rule: rule.text, ...title, ...(sent === undefined ? {} : { sent }) }
  return { event: { ...event, fingerprint: rule.fingerprint, groupingRule }, steps, isCut }
}

function cutProblem({ line }: GroupingRule): Problem {
  return { path: 'fingerprint', rule: 'rules_budget', found: `line ${line}` }
}

/** Returns the event as it was before any rule. */
export function withoutProjectRules(event: ScrubbedEvent): ScrubbedEvent {
  const { groupingRule, fingerprint: _, ...rest } = event
  if (groupingRule === undefined) return event
  return groupingRule.sent === undefined ? rest : { ...rest, fingerprint: groupingRule.sent }
}

/** Matchers of a rule by what they are asked of. */
interface CompiledRule {
  readonly wanted: Asked
  readonly unwanted: readonly Asked[]
}

interface Asked {
  readonly ofEvent: readonly RuleMatcher[]
  readonly ofException: readonly RuleMatcher[]
  readonly ofFrame: readonly RuleMatcher[]
}

const COMPILED = new WeakMap<GroupingRule, CompiledRule>()

function compileRule(rule: GroupingRule): CompiledRule {
  const known = COMPILED.get(rule)
  if (known !== undefined) return known
  const made = {
    wanted: sortMatchers(rule.matchers.filter(({ isNegated }) => !isNegated)),
    unwanted: rule.matchers.filter(({ isNegated }) => isNegated).map((matcher) => sortMatchers([matcher])),
  }
  COMPILED.set(rule, made)
  return made
}

function sortMatchers(matchers: readonly RuleMatcher[]): Asked {
  return {
    ofException: matchers.filter(({ field }) => field in EXCEPTION),
    ofFrame: matchers.filter(({ field }) => field in FRAME),
    ofEvent: matchers.filter(({ field }) => !(field in EXCEPTION) && !(field in FRAME)),
  }
}

function fits(looking: Looking, { wanted, unwanted }: CompiledRule): boolean {
  return fitsAll(looking, wanted) && !unwanted.some((each) => fitsAll(looking, each)) && !looking.isSpent
}

/** True if one exception meets all conditions on exceptions, and one frame all conditions on frames. */
function fitsAll(looking: Looking, { ofEvent, ofException, ofFrame }: Asked): boolean {
  const { event } = looking
  return (
    ofEvent.every((matcher) => looking.isMet(matcher, eventTexts(event, matcher))) &&
    (ofException.length === 0 ||
      (event.exception?.values ?? []).some((value) =>
        ofException.every((matcher) => looking.isMet(matcher, EXCEPTION[matcher.field]?.(value) ?? [])),
      )) &&
    (ofFrame.length === 0 ||
      looking.frames.some((frame) =>
        ofFrame.every((matcher) => looking.isMet(matcher, FRAME[matcher.field]?.(frame, event) ?? [])),
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
  path: (frame) => [frame.abs_path, frame.filename].flatMap(rootedPaths),
  package: (frame) => [frame.package],
  app: (frame) => (frame.in_app === true ? ['yes', 'true', '1'] : ['no', 'false', '0']),
  family: (frame, event) => [platformFamily(frame.platform ?? event.platform)],
}

/** A pattern that begins with a folder finds it at the start of a relative path too. */
function rootedPaths(path: string | undefined): readonly string[] {
  if (path === undefined) return []
  return path.startsWith('/') ? [path] : [path, `/${path}`]
}

const NATIVE = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'rust'])

function platformFamily(platform: string): string {
  if (platform === 'javascript' || platform === 'node') return 'javascript'
  return NATIVE.has(platform) ? 'native' : 'other'
}

function eventTexts(event: ScrubbedEvent, { field, key }: RuleMatcher): Texts {
  switch (field) {
    case 'message':
      return ruleMessages(event)
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

function ruleMessages(event: ScrubbedEvent): Texts {
  const values = (event.exception?.values ?? []).map(({ value }) => value)
  return [event.logentry?.formatted, event.logentry?.message, event.message, ...values]
}

function eachRuleFrame(event: ScrubbedEvent): readonly Frame[] {
  const own = (event.exception?.values ?? []).flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
  const threads = event.threads?.values ?? []
  const thread = threads.find(({ crashed, current }) => crashed === true || current === true)
  return [...own, ...(thread?.stacktrace?.frames ?? []), ...(event.stacktrace?.frames ?? [])]
}

/** Beyond it no pattern looks. */
const TEXT_CHARS = 8_192

/** Matches one event against all rules: its texts are folded once, and steps are counted. */
class Looking {
  readonly event: ScrubbedEvent
  readonly #budget: StepBudget
  readonly #folded = new Map<string, string>()
  #frames: readonly Frame[] | null = null
  #steps = 0

  constructor(event: ScrubbedEvent, stepsMax: number) {
    this.event = event
    this.#budget = new StepBudget(stepsMax)
  }

  get frames(): readonly Frame[] {
    this.#frames ??= eachRuleFrame(this.event)
    return this.#frames
  }

  get steps(): number {
    return this.#steps
  }

  get isSpent(): boolean {
    return this.#budget.isSpent
  }

  isMet({ parts }: RuleMatcher, texts: Texts): boolean {
    return texts.some(
      (text) => text !== undefined && !this.isSpent && this.#meets(parts, this.#foldedOf(text)),
    )
  }

  #meets(parts: readonly string[], text: string): boolean {
    const steps = stepsOfParts(parts, text)
    this.#steps += steps
    return this.#budget.take(steps) && matchesParts(parts, text)
  }

  #foldedOf(text: string): string {
    const known = this.#folded.get(text)
    if (known !== undefined) return known
    const folded = text.slice(0, TEXT_CHARS).trim().toLowerCase()
    this.#folded.set(text, folded)
    return folded
  }
}

function resolveTitle(title: string, event: ScrubbedEvent): string {
  const text = title.replaceAll(/\{\{\s*([^\s{}]+)\s*\}\}/g, (_, name: string) => variable(name, event))
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, max('titleCharsMax'))
}

function variable(name: string, event: ScrubbedEvent): string {
  const exception = event.exception?.values.at(-1)
  const frames = eachRuleFrame(event)
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
    message: ruleMessages(event).find((text) => text !== undefined && text !== ''),
    level: event.level,
    logger: event.logger,
    release: event.release,
  }
  const plain = name.replace(/^(?:error|stack)\./, '')
  return (Object.hasOwn(known, plain) ? known[plain] : undefined) ?? `<no ${plain}>`
}
