/** Words of a notice: the same in mail, HTML and the webhook's `text`. Pure. */
import type { RequestKind } from '#model/event.ts'
import type { Notice, NoticeIssue, NoticeRest } from '#ports/notices.ts'
import { oneLine } from './one-line.ts'

const TITLE_CHARS_MAX = 150
const VALUE_CHARS_MAX = 200

const KIND_WORDS: Readonly<Record<RequestKind, string | null>> = {
  document: 'a document',
  'page-data': 'page data',
  prefetch: 'a prefetch',
  action: 'a server action',
  'route-handler': 'a route handler',
  static: 'a static file',
  browser: null,
  other: null,
}

/** Returns where it failed, as the error page says it; `null` if the request kind does not tell. */
export function sideOf({ requestKind }: Pick<NoticeIssue, 'requestKind'>): 'server' | 'client' | null {
  if (requestKind === null || requestKind === 'other') return null
  return requestKind === 'browser' ? 'client' : 'server'
}

export function noticeTitle(issue: Pick<NoticeIssue, 'title'>): string {
  return oneLine(issue.title, TITLE_CHARS_MAX)
}

/** A notice as a line names it. */
interface Named extends Pick<Notice, 'kind' | 'rest'> {
  readonly issue: Pick<NoticeIssue, 'shortId' | 'title'> | null
  readonly project: Pick<Notice['project'], 'name'>
}

/** Names a notice in a log, where its issue may be gone. */
export function entryTitle(notice: Named): string {
  const { kind, issue, rest } = notice
  const isGone = issue === null && rest === null && kind !== 'test'
  return isGone ? 'A deleted issue' : subjectOf(notice)
}

/** Subject of a mail and heading of its body. */
export function subjectOf({ kind, issue, rest, project }: Named): string {
  if (issue !== null) {
    const what = kind === 'new' ? 'is new' : kind === 'regressed' ? 'regressed' : 'is unarchived'
    return `${issue.shortId} ${what}: ${noticeTitle(issue)}`
  }
  const name = oneLine(project.name, TITLE_CHARS_MAX)
  return rest === null ? `Test alert for ${name}` : `${name}: ${restText(rest)}`
}

/** "412 more issues: 400 new, 12 regressed"; one kind alone needs no list. */
export function restText({ newIssues, returnedIssues, echoIssues }: NoticeRest): string {
  const kinds = [
    { count: newIssues, alone: countedWords(newIssues, 'more new issue'), listed: 'new' },
    {
      count: returnedIssues,
      alone: countedWords(returnedIssues, 'more regression'),
      listed: 'regressed',
    },
    {
      count: echoIssues,
      alone: `${numberInWords(echoIssues)} more ${echoIssues === 1 ? 'browser copy' : 'browser copies'} of server failures`,
      listed: 'browser copies of server failures',
    },
  ].filter(({ count }) => count > 0)
  const [only] = kinds
  if (only !== undefined && kinds.length === 1) return only.alone
  const total = newIssues + returnedIssues + echoIssues
  const list = kinds.map(({ count, listed }) => `${numberInWords(count)} ${listed}`).join(', ')
  return `${countedWords(total, 'more issue')}: ${list}`
}

/** An error is an exception, anything below it an event. */
function nounOf({ level }: NoticeIssue): string {
  return level === 'error' || level === 'fatal' ? 'exception' : 'event'
}

/** "Server-side exception, digest 2674428404, in a server action on /orders/[id]". */
export function kindLine(issue: NoticeIssue): string {
  const digest = issue.digest === null ? '' : `, digest ${issue.digest}`
  if (issue.isMirror) {
    return `Browser copy of a server failure${digest}; the server’s event did not arrive`
  }
  const side = sideOf(issue)
  const noun = nounOf(issue)
  const first =
    side === null ? noun.replace(/^e/, 'E') : `${side === 'server' ? 'Server' : 'Client'}-side ${noun}`
  const kind = issue.requestKind === null ? null : KIND_WORDS[issue.requestKind]
  const where = kind === null ? '' : `, in ${kind}`
  const route = issue.route === null ? '' : ` on ${oneLine(issue.route, VALUE_CHARS_MAX)}`
  return `${first}${digest}${where}${route}`
}

/** Label and value, in the order they are read; absent ones are left out. */
export function factsOfNotice({ issue, project }: Notice): readonly (readonly [string, string])[] {
  if (issue === null) return [['Project', oneLine(project.name, VALUE_CHARS_MAX)]]
  const users = issue.userCount === 0 ? '' : `, ${countedWords(issue.userCount, 'user')} affected`
  const facts: readonly (readonly [string, string | null])[] = [
    ['Project', project.name],
    ['Where', issue.culprit === '' ? null : issue.culprit],
    ['Environment', issue.environment],
    ['Release', issue.release],
    ['Events', `${numberInWords(issue.eventCount)}${users}`],
  ]
  return facts.flatMap(([label, value]) =>
    value === null ? [] : [[label, oneLine(value, VALUE_CHARS_MAX)] as const],
  )
}

function countedWords(count: number, what: string): string {
  return `${numberInWords(count)} ${what}${count === 1 ? '' : 's'}`
}

function numberInWords(value: number): string {
  return value.toLocaleString('en-US')
}
