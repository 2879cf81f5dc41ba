/** Words of an alert: the same facts in the same order everywhere. Pure. */
import type { AlertIssue, AlertMessage } from '#model/alert-message.ts'
import type { RequestKind } from '#model/event.ts'
import { oneLine } from './rules/one-line.ts'

const TITLE_CHARS_MAX = 180
const VALUE_CHARS_MAX = 200

const KIND_WORDS: Readonly<Record<RequestKind, string | null>> = {
  ...{ document: 'document', 'page-data': 'page data', prefetch: 'prefetch', action: 'server action' },
  ...{ 'route-handler': 'route handler', static: 'static file', browser: 'browser', other: null },
}

export interface AlertFact {
  readonly label: string
  readonly value: string
}

export interface AlertLink {
  readonly label: string
  readonly url: string
}

export interface AlertWords {
  /** Lead with the project: `Regressed issue in storefront, production`. */
  readonly lead: string
  /** Headline, one line, whatever it is about. */
  readonly headline: string
  /** The issue's title, or the headline. */
  readonly title: string
  /** `OrderTotals in app/orders/[id]/totals.tsx:41`; `null` where nothing tells. */
  readonly place: string | null
  /** Facts: what, where, how often, whom, since which release, the digest. */
  readonly facts: readonly AlertFact[]
  /** Lines of messages that are told as one. */
  readonly lines: readonly string[]
  /** The first is what a tap opens. */
  readonly links: readonly [AlertLink, ...AlertLink[]]
  /** Short text, one line that tells most, for a phone. */
  readonly short: string
}

/** Puts an alert into the words that every channel uses. `url`: the public address without trailing slash. */
export function alertWords(message: AlertMessage, url: string): AlertWords {
  const { issue, metric, headline, gathered } = message
  const facts = issue === null ? metricFacts(message) : issueFacts(issue)
  return {
    lead: leadOf(message),
    headline: oneLine(headline, TITLE_CHARS_MAX) || 'Alert',
    // A link needs words.
    title: oneLine(issue?.title ?? headline, TITLE_CHARS_MAX) || (issue?.shortId ?? 'Alert'),
    place: issue === null ? null : culpritOf(issue),
    facts,
    lines: gatheredLines(gathered),
    links: alertLinks(message, url),
    short:
      oneLine(
        [metric?.detail ?? message.because, ...facts.slice(0, 3).map(({ value }) => value)].join(', '),
        VALUE_CHARS_MAX,
      ) || 'Alert',
  }
}

function leadOf({ project, issue, rule, because, moment }: AlertMessage): string {
  const where = [project?.name ?? null, issue?.environment ?? null].flatMap((name) => name ?? [])
  const what = moment === 'test' ? 'Test alert' : because
  const said = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`
  const at = where.length === 0 ? '' : ` in ${where.join(', ')}`
  const by = rule === null ? '' : ` (${rule.name})`
  return oneLine(`${said}${at}${by}`, VALUE_CHARS_MAX) || 'Alert'
}

function culpritOf({ function: name, place, culprit }: AlertIssue): string | null {
  const known = name !== null && place !== null ? `${name} in ${place}` : (place ?? name ?? culprit)
  return oneLine(known, VALUE_CHARS_MAX) || null
}

function issueFacts(issue: AlertIssue): readonly AlertFact[] {
  const kinds = issue.kinds.flatMap((kind) => KIND_WORDS[kind] ?? []).slice(0, 3)
  const where = [issue.route, listInWords(kinds)].flatMap((part) =>
    part === null || part === '' ? [] : [part],
  )
  return facts([
    ['Where', where.length === 0 ? null : where.join(', ')],
    ['How often', countInWords(issue.eventCount, 'event')],
    ['Affected', issue.userCount === 0 ? null : countInWords(issue.userCount, 'user')],
    ['Since', issue.firstRelease],
    ['Release', issue.release === issue.firstRelease ? null : issue.release],
    ['Digest', issue.digest],
    ['Assignee', issue.assignee],
    ['Suspect commit', issue.suspect],
  ])
}

function metricFacts({ metric }: AlertMessage): readonly AlertFact[] {
  if (metric === null) return []
  const mostly = metric.mostly === null ? null : `${metric.mostly.shortId} ${metric.mostly.title}`
  return facts([
    [metric.name, metric.value],
    ['Condition', metric.condition],
    ['Measured', metric.detail],
    ['Action', metric.action ?? null],
    ['Mostly', mostly],
  ])
}

function facts(pairs: readonly (readonly [string, string | null])[]): readonly AlertFact[] {
  return pairs.flatMap(([label, value]) => {
    // Services refuse a field that is empty.
    const said = value === null ? '' : oneLine(value, VALUE_CHARS_MAX)
    return said === '' ? [] : [{ label: oneLine(label, VALUE_CHARS_MAX), value: said }]
  })
}

function gatheredLines(gathered: AlertMessage['gathered']): readonly string[] {
  if (gathered === null) return []
  const lines = gathered.headlines.map((headline) => oneLine(headline, TITLE_CHARS_MAX))
  const more = gathered.total - lines.length
  return more > 0 ? [...lines, `and ${more.toLocaleString('en-US')} more`] : lines
}

function alertLinks(message: AlertMessage, url: string): AlertWords['links'] {
  const { organisation, project, issue, metric, rule, gathered } = message
  const org = `${url}/${encodeURIComponent(organisation.slug)}`
  const issueUrl = (shortId: string) => `${org}/issues/${encodeURIComponent(shortId)}`
  const list = `?${new URLSearchParams({ ...(project === null ? {} : { project: project.slug }), sort: 'new' })}`
  const links: AlertLink[] = []
  if (issue !== null) links.push({ label: 'Open issue', url: issueUrl(issue.shortId) })
  if (issue?.traceId)
    links.push({ label: 'Open trace', url: `${org}/traces/${encodeURIComponent(issue.traceId)}` })
  if (metric?.mostly) links.push({ label: 'Open issue', url: issueUrl(metric.mostly.shortId) })
  if (gathered !== null) links.push({ label: 'Open issues', url: `${org}/issues${list}` })
  if (rule !== null) links.push({ label: 'Open rule', url: `${org}/alerts/rules/${rule.id}` })
  const [first, ...others] = links
  return first === undefined ? [{ label: 'Open issues', url: `${org}/issues${list}` }] : [first, ...others]
}

export function settingsUrl({ organisation }: AlertMessage, url: string): string {
  return `${url}/${encodeURIComponent(organisation.slug)}/alerts`
}

function listInWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function countInWords(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
}
