import { paths } from '#parts/paths.ts'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueShared } from './issue.server.ts'

/** A failure on the server and its mirrors in browsers, which share its digest: each leads to the other. */
export function MirrorStrip({ data }: { readonly data: IssueShared }) {
  const { issue } = data.view
  if (issue.mirrorCount === 0 && data.linked.shown.length === 0) return null
  const isAll = issue.mirrorCount >= issue.eventCount
  return (
    <div className="mb-4 flex items-start gap-3 rounded-field border bg-sunken px-4 py-2.5 text-13">
      <Icon name="merge" size={14} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        {issue.mirrorCount === 0 ? null : <Folded data={data} isAll={isAll} />}
        <LinkedIssues data={data} isMirror={isAll} />
      </div>
      {issue.mirrorCount === 0 || isAll ? null : (
        <PageLink
          className="link link-text shrink-0"
          to={paths.issueEvents(data.org, issue.shortId, { query: 'request_kind:browser' })}
        >
          Show events
        </PageLink>
      )}
    </div>
  )
}

/** What of the issue itself is a mirror. */
function Folded({ data, isAll }: { readonly data: IssueShared; readonly isAll: boolean }) {
  const { mirrorCount, eventCount } = data.view.issue
  const isFound = data.linked.shown.length > 0
  return (
    <p>
      <b className="font-strong">{isAll ? 'Browser mirror: ' : 'Browser mirrors folded in: '}</b>
      <span className="num">
        {isAll
          ? `${eventCount === 1 ? 'this event repeats' : `all ${numberText(eventCount)} events repeat`} a server error${isFound ? '' : ' that has not arrived'}.`
          : `${numberText(mirrorCount)} of ${numberText(eventCount)} events repeat the server’s error in the browser.`}
      </span>
    </p>
  )
}

/** The issues on the other side of the digest, each at its event with the number. */
function LinkedIssues({ data, isMirror }: { readonly data: IssueShared; readonly isMirror: boolean }) {
  const { shown, more } = data.linked
  if (shown.length === 0) return null
  return (
    <ul aria-label={isMirror ? 'On the server' : 'In the browser'}>
      {shown.map(({ shortId, title, eventId, isMirror: isOther }) => (
        <li key={shortId} className="flex min-w-0 gap-2">
          <span className="shrink-0 text-ink-3">{isOther ? 'Mirrored in the browser' : 'On the server'}</span>
          <PageLink className="link shrink-0" to={paths.issueEvent(data.org, shortId, eventId)}>
            {shortId}
          </PageLink>
          <span className="foreign min-w-0 truncate text-ink-2">{title}</span>
        </li>
      ))}
      {more === 0 ? null : <li className="num text-ink-3">and {numberText(more)} more issues</li>}
    </ul>
  )
}
