/** Folded facts of an event, each in one line: what it is, and how many. Pure. */

import type { EventView } from '@errata/server/queries'
import type { StoredEvent } from '#parts/issue-types.ts'
import { cutText } from '#ui/cut-text.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { rulesCounted } from './rules.ts'
import { scalarText } from './value-text.ts'

export interface FactLine {
  readonly text: string
  /** At the end of the line; empty where counting tells nothing. */
  readonly count: string
}

const NAMED_MAX = 3
const TEXT_CHARS_MAX = 240

/** `action`: the name of the server action that was asked for. */
export function requestLine({ request }: StoredEvent, action: string | null): FactLine {
  const headers = request?.headers?.length ?? 0
  const address = [request?.method, request?.url].filter((one) => one !== undefined).join(' ')
  const text = cutFact(address) + (action === null ? '' : `, ${cutFact(action)}`)
  return { text, count: headers === 0 ? '' : quantityText(headers, 'header') }
}

export function userLine({ user }: StoredEvent): FactLine {
  const { id, username, email, ip_address: address, geo } = user ?? {}
  const named = [id, username, email, address, geo?.country_code]
  return { text: cutFact(named.filter((one) => one !== undefined && one !== null).join(', ')), count: '' }
}

/** The contexts that say with what it ran come first. */
const FIRST_CONTEXTS: readonly string[] = ['browser', 'runtime', 'os', 'device', 'app']

export function contextsLine({ contexts = {} }: StoredEvent): FactLine {
  const rank = ([name]: readonly [string, unknown]) =>
    (FIRST_CONTEXTS.indexOf(name) + FIRST_CONTEXTS.length + 1) % (FIRST_CONTEXTS.length + 1)
  const names = Object.entries(contexts)
    .sort((a, b) => rank(a) - rank(b))
    .map(([name, context]) => contextName(context) ?? name)
  return { text: listNames(names), count: numberText(names.length) }
}

/** `Chrome 141`; `null` where a context names nothing. */
function contextName(context: object): string | null {
  const name = scalarText('name' in context ? context.name : undefined)
  const version = scalarText('version' in context ? context.version : undefined)
  return name === '' ? null : `${name} ${version}`.trim()
}

/** Values that tell events apart come before those that the page shows elsewhere. */
const LAST_TAGS: readonly string[] = ['level', 'trace', 'digest', 'release', 'environment', 'handled']

export function tagsLine(tags: readonly (readonly [string, string])[]): FactLine {
  const isLast = ([key]: readonly [string, string]) => (LAST_TAGS.includes(key) ? 1 : 0)
  const sorted = [...tags].sort((a, b) => isLast(a) - isLast(b))
  return { text: listNames(sorted.map(([key, value]) => `${key} ${value}`)), count: numberText(tags.length) }
}

export function extraLine({ extra = {} }: StoredEvent): FactLine {
  const keys = Object.keys(extra)
  return { text: listNames(keys), count: numberText(keys.length) }
}

export function modulesLine({ modules = {} }: StoredEvent): FactLine {
  const all = Object.entries(modules).map(([name, version]) => `${name} ${version ?? ''}`.trim())
  return { text: listNames(all), count: numberText(all.length) }
}

export function sdkLine({ sdk, platform, server_name: server }: StoredEvent): FactLine {
  const name = sdk === undefined ? 'unknown' : `${sdk.name} ${sdk.version}`
  const integrations = Array.isArray(sdk?.integrations) ? sdk.integrations.length : 0
  return {
    text: cutFact([name, platform, ...(server === undefined ? [] : [`on ${server}`])].join(', ')),
    count: integrations === 0 ? '' : quantityText(integrations, 'integration'),
  }
}

export function groupingLine(grouping: EventView['grouping']): FactLine {
  const used = grouping.filter(({ contributes }) => contributes)
  const names = [...new Set(used.map(({ name }) => name))]
  return {
    text: names.length === 0 ? 'No distinguishing parts' : `By ${joinNames(names)}`,
    count: quantityText(used.length, 'part'),
  }
}

export function problemsLine(problems: EventView['problems']): FactLine {
  return { text: 'Repaired or dropped; the event was kept', count: numberText(problems.length) }
}

export function scrubbedLine({ scrubbedPaths }: StoredEvent): FactLine {
  const rules = rulesCounted(scrubbedPaths)
  const values = rules.reduce((sum, { paths }) => sum + paths.length, 0)
  return { text: listNames(rules.map(({ rule }) => rule)), count: quantityText(values, 'value') }
}

/** `a, b, c and 11 more`. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).join(', ')
  const more = names.length - NAMED_MAX
  return more <= 0 ? cutFact(shown) : `${cutFact(shown)} and ${numberText(more)} more`
}

function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

function cutFact(text: string): string {
  return text.length <= TEXT_CHARS_MAX ? text : `${cutText(text, TEXT_CHARS_MAX)}…`
}
