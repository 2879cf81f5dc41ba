/**
 * Filters of a project, decided on the normalised event before anything else. Pure. Rules have Sentry's
 * names, so that tools that read outcomes there read them here; `control_flow` and `aborted` are Errata's
 * own.
 */
import { max } from '#limits/limits.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'
import { StepBudget } from '#model/step-budget.ts'
import type { FilterOptions } from '#ports/projects.ts'
import { abortIn } from './aborts.ts'
import { addressMatcher } from './address-ranges.ts'
import { controlFlowIn } from './control-flow.ts'
import { crawlerIn } from './crawlers.ts'
import { extensionIn } from './extensions.ts'
import { globMatcher } from './glob.ts'
import { localHostOf } from './localhost.ts'

export type FilterRule =
  | 'ip-address'
  | 'release-version'
  | 'error-message'
  | 'localhost'
  | 'browser-extensions'
  | 'web-crawlers'
  | 'control_flow'
  | 'aborted'

export interface Filtered {
  readonly rule: FilterRule
  /** Example in our words or the project's own: nothing comes from the event. */
  readonly example: string
}

/** Request that brought the event. */
export interface InboundFilterContext {
  /** Behind trusted proxies; `null` when unknown. */
  readonly clientAddress: string | null
  readonly userAgent: string | null
}

/**
 * The first rule that an event meets; `null`: it stays; `unfinished`: it stays because the patterns look at more
 * characters than one event may cost.
 */
export type InboundFilter = (
  event: NormalizedEvent,
  context: InboundFilterContext,
) => Filtered | 'unfinished' | null
type Rule = (event: NormalizedEvent, context: InboundFilterContext, budget: StepBudget) => Filtered | null

/** A project's filter, its lists compiled once; `null` for a project without any, which then pays nothing. */
export function createFilter(options: FilterOptions): InboundFilter | null {
  const rules = rulesOf(options)
  if (rules.length === 0) return null
  return (event, context) => {
    const budget = new StepBudget(max('filterStepsMax'))
    for (const rule of rules) {
      const filtered = rule(event, context, budget)
      if (filtered !== null) return filtered
    }
    return budget.isSpent ? 'unfinished' : null
  }
}

/** Cheap ones first. */
function rulesOf(options: FilterOptions): readonly Rule[] {
  const rules: Rule[] = []
  if (options.addresses.length > 0) rules.push(addressRule(options.addresses))
  if (options.releases.length > 0) rules.push(releaseRule(options.releases))
  if (options.messages.length > 0) rules.push(messageRule(options.messages))
  if (options.controlFlow) rules.push(controlFlowRule)
  if (options.aborted) rules.push(abortRule)
  if (options.localhost) rules.push(localhostRule)
  if (options.browserExtensions) rules.push(extensionRule)
  if (options.crawlers) rules.push(crawlerRule)
  return rules
}

/** The address that sent the event, or that the event names as its user's. */
function addressRule(ranges: readonly string[]): Rule {
  const isListed = addressMatcher(ranges)
  return (event, { clientAddress }) => {
    const ofUser = event.user?.ip_address
    const isMet =
      (clientAddress !== null && isListed(clientAddress)) || (ofUser !== undefined && isListed(ofUser))
    return isMet ? { rule: 'ip-address', example: 'a client address of the list' } : null
  }
}

function releaseRule(patterns: readonly string[]): Rule {
  const match = globMatcher(patterns)
  return ({ release }, _, budget) => {
    const pattern = release === undefined ? null : match([release], budget)
    return pattern === null ? null : { rule: 'release-version', example: `a release like ${pattern}` }
  }
}

/** Over what the event is called by (`Type: value`), the value alone, the type alone, and the message. */
function messageRule(patterns: readonly string[]): Rule {
  const match = globMatcher(patterns)
  return (event, _, budget) => {
    const pattern = match(filteredMessages(event), budget)
    return pattern === null ? null : { rule: 'error-message', example: `a message like ${pattern}` }
  }
}

function filteredMessages(event: NormalizedEvent): readonly string[] {
  const { type = '', value = '' } = mainException(event) ?? {}
  const both = type !== '' && value !== '' ? `${type}: ${value}` : ''
  const { logentry, message = '' } = event
  return [both, value, type, message, logentry?.formatted ?? '', logentry?.message ?? ''].filter(
    (text) => text !== '',
  )
}

const localhostRule: Rule = (event) => {
  const host = localHostOf(event)
  return host === null ? null : { rule: 'localhost', example: `a page of ${host}` }
}

const extensionRule: Rule = (event) => {
  const found = extensionIn(event)
  return found === null ? null : { rule: 'browser-extensions', example: found }
}

const controlFlowRule: Rule = (event) => {
  const found = controlFlowIn(event)
  return found === null ? null : { rule: 'control_flow', example: found }
}

const abortRule: Rule = (event) => {
  const found = abortIn(event)
  return found === null ? null : { rule: 'aborted', example: found }
}

const crawlerRule: Rule = (event, { userAgent }) => {
  const crawler = crawlerIn(event, userAgent)
  return crawler === null ? null : { rule: 'web-crawlers', example: `the user agent of ${crawler}` }
}
