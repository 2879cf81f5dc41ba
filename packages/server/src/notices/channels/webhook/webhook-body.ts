/** Body of a webhook, as docs/webhook.md describes it, and the signature over it. Pure. */
import { createHmac } from 'node:crypto'
import type { Notice } from '#ports/notices.ts'
import { linksOf } from '../../notice-links.ts'
import { kindLine, sideOf, subjectOf } from '../../rules/notice-words.ts'

/** Raised when a field changes its meaning; fields may be added without. */
const BODY_VERSION = 1

/**
 * Makes the body of a webhook as JSON. `url`: the public address without trailing slash. `key`: the same for every
 * try.
 */
export function webhookBody(
  notice: Notice,
  { key, url }: { readonly key: string; readonly url: string },
): string {
  const { kind, atMs, organisation, project, issue, rest } = notice
  const links = linksOf(url, notice)
  return JSON.stringify({
    version: BODY_VERSION,
    id: key,
    kind,
    at: new Date(atMs).toISOString(),
    text: subjectOf(notice),
    url: links.open,
    installation: url,
    organisation,
    project,
    issue: issue === null ? null : issueBody(issue, links.trace),
    more: rest === null ? null : restBody(rest),
  })
}

function restBody({ newIssues, returnedIssues, echoIssues }: NonNullable<Notice['rest']>) {
  return { new: newIssues, returned: returnedIssues, echoes: echoIssues }
}

function issueBody(issue: NonNullable<Notice['issue']>, traceUrl: string | null) {
  return {
    shortId: issue.shortId,
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    summary: kindLine(issue),
    side: sideOf(issue),
    digest: issue.digest,
    isMirror: issue.isMirror,
    requestKind: issue.requestKind,
    route: issue.route,
    environment: issue.environment,
    release: issue.release,
    eventId: issue.eventId,
    traceId: issue.traceId,
    traceUrl,
    events: issue.eventCount,
    users: issue.userCount,
    firstSeen: new Date(issue.firstSeenMs).toISOString(),
    lastSeen: new Date(issue.lastSeenMs).toISOString(),
  }
}

/** `t=SECONDS,v1=HEX`: HMAC-SHA256 of `SECONDS.BODY` with the webhook's secret, so that a repeat years later shows. */
export function signatureOf(body: string, sign: { readonly secret: string; readonly nowMs: number }): string {
  const seconds = Math.floor(sign.nowMs / 1_000)
  const hex = createHmac('sha256', sign.secret).update(`${seconds}.${body}`, 'utf8').digest('hex')
  return `t=${seconds},v1=${hex}`
}
