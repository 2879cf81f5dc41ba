/** Issues as text for an agent: a list, one with what is known of it, and how alike two are. Pure. */
import { countText } from '#base/byte-size.ts'
import type { Issue, MatchingEvents } from '#ports/issues.ts'
import type { IssueView } from '#queries/types.ts'
import { cutUntrusted, minuteText, quotedLine } from './untrusted.ts'

const TAGS_SHOWN = 15
const ACTIVITIES_SHOWN = 10
const COMMENT_CHARS = 1_000

/** Issue of a search, with its matching events. */
type Listed = Issue & { readonly matching?: MatchingEvents | null }

export function issueLines(issues: readonly Listed[], address: (issue: Issue) => string): string {
  return issues.map((issue) => `${summaryText(issue)}\n  ${address(issue)}`).join('\n')
}

function summaryText(issue: Listed): string {
  const { matching = null } = issue
  const place = issue.culprit === '' ? '' : ` — ${quotedLine(issue.culprit)}`
  const facts = [
    stateText(issue),
    issue.level,
    issue.category,
    ...(matching === null
      ? []
      : [`${countText(matching.events, 'matching event')} of ${countText(matching.users.count, 'user')}`]),
    matching === null ? countsText(issue) : `in all ${countsText(issue)}`,
    `last seen ${minuteText(issue.lastSeenMs)}`,
    ...(issue.lastRelease === null ? [] : [`in ${quotedLine(issue.lastRelease)}`]),
  ]
  return `${issue.shortId}: ${quotedLine(issue.title)}${place}\n  ${facts.join(', ')}`
}

function stateText({ status, substatus }: Issue): string {
  return substatus === null ? status : `${status} (${substatus.replaceAll('_', ' ')})`
}

function countsText({ eventCount, users }: Issue): string {
  return `${countText(eventCount, 'event')}, ${users.isExact ? '' : 'about '}${countText(users.count, 'affected user')}`
}

export function issueSummary({ issue, digests, tags, activity, eventsLastDay }: IssueView): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Project', issue.projectSlug],
    ['Status', stateText(issue)],
    ['Level', issue.level],
    ['Category', issue.category],
    ['Culprit', issue.culprit],
    ['Route', issue.route],
    ['Requests', issue.kinds.map(({ kind, count }) => `${kind} ${count}`).join(', ')],
    ['Counts', `${countsText(issue)}; ${countText(eventsLastDay, 'event')} in the last 24 hours`],
    ['First seen', seenText(issue.firstSeenMs, issue.firstRelease)],
    ['Last seen', seenText(issue.lastSeenMs, issue.lastRelease)],
    ['Assignee', issue.assignee?.email ?? 'nobody'],
    ['Digests', digests.map(({ digest }) => digest).join(', ')],
  ]
  const told = facts.filter(([, value]) => value !== null && value !== '')
  return [
    `${issue.shortId}: ${quotedLine(issue.title, COMMENT_CHARS)}`,
    told.map(([name, value]) => `${name}: ${quotedLine(value ?? '')}`).join('\n'),
    issueTagsText(tags),
    activityText(activity),
  ]
    .filter((section) => section !== '')
    .join('\n\n')
}

function seenText(ms: number, release: string | null): string {
  return release === null ? minuteText(ms) : `${minuteText(ms)} in ${release}`
}

function issueTagsText(tags: IssueView['tags']): string {
  const lines = tags
    .filter(({ key }) => key !== 'user')
    .slice(0, TAGS_SHOWN)
    .map(({ key, total, values }) => {
      const shares = values
        .slice(0, 3)
        .map(({ value, count }) => `${quotedLine(value, 80)} (${count} of ${total})`)
      return `  ${quotedLine(key)}: ${shares.join(', ')}`
    })
  return lines.length === 0 ? '' : `Tags:\n${lines.join('\n')}`
}

function activityText(activity: IssueView['activity']): string {
  const lines = activity.slice(0, ACTIVITIES_SHOWN).map(({ kind, atMs, actor, detail }) => {
    const comment = typeof detail.text === 'string' ? `: ${cutUntrusted(detail.text, COMMENT_CHARS)}` : ''
    return `  ${minuteText(atMs)} ${kind.replaceAll('_', ' ')} by ${quotedLine(actor)}${comment}`
  })
  return lines.length === 0 ? '' : `Activity, the newest first:\n${lines.join('\n')}`
}

/** Returns what two issues share, most telling first; empty if nothing points at one cause. */
export function sharedBy(one: Issue, other: Issue): readonly string[] {
  const same = (name: string, a: string | null, b: string | null) =>
    a !== null && a !== '' && a === b ? [name] : []
  return [
    ...same('function', culpritPlace(one), culpritPlace(other)),
    ...same('culprit', one.culprit, other.culprit),
    ...same('message', one.value, other.value),
    ...same('type', one.type, other.type),
    ...same('file', one.filename, other.filename),
    ...same('route', one.route, other.route),
  ]
}

function culpritPlace({ filename, function: name }: Issue): string | null {
  return filename === null || name === null ? null : `${name} in ${filename}`
}
