/** Frame around every tab of an issue: head, trend, tabs, right column. */

import type { ReactNode } from 'react'
import { paths, withQuery } from '#parts/paths.ts'
import { Button } from '#ui/button.tsx'
import { cutText } from '#ui/cut-text.ts'
import { TabLabel, Tabs, tab } from '#ui/tabs.tsx'
import { useNow } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { EventIcon } from './event-icon.tsx'
import type { IssueShared } from './issue.server.ts'
import { IssueHead } from './issue-head.tsx'
import { IssueTrend } from './issue-trend.tsx'
import { MirrorStrip } from './mirror-strip.tsx'
import { eventsText, samplingText } from './payload-text.ts'
import { type ShownTrace, SideFacts, SideMore } from './side-column.tsx'
import { summaryParts } from './summary.ts'

export type IssueTabKey = 'event' | 'events' | 'activity' | 'merged' | 'similar'

export function IssueShell(props: {
  readonly data: IssueShared
  readonly current: IssueTabKey
  /** The event that is shown: its digest for the head, its trace for the right column. */
  readonly event?: { readonly digest: string | null; readonly trace: ShownTrace } | null
  /** Above the rest of the right column. */
  readonly side?: ReactNode
  readonly children: ReactNode
}) {
  const { data, current, event = null } = props
  const { issue } = data.view
  return (
    <>
      <title>{`${tabTitle(current)}${issue.shortId} ${cutText(issue.title, 120)} · Errata`}</title>
      <IssueHead data={data} digest={event === null ? (data.view.digests[0]?.digest ?? null) : event.digest}>
        <Summary data={data} />
      </IssueHead>
      <div className="wide:grid wide:grid-cols-[minmax(0,1fr)_320px] wide:grid-rows-[auto_1fr]">
        <div className="min-w-0 px-6 pb-10 max-phone:px-4 wide:col-start-1 wide:row-span-2 wide:row-start-1 wide:border-e">
          {/* In one column the rows of another tab would begin far below it. */}
          <div className={current === 'event' ? '' : 'max-wide:hidden'}>
            <IssueTrend data={data} />
            <MirrorStrip data={data} />
          </div>
          {data.view.mark?.isMuted === true ? <MutedStrip data={data} /> : null}
          {issue.payloadCount >= issue.eventCount ? null : <PayloadStrip data={data} />}
          <IssueTabs data={data} current={current} />
          {props.children}
        </div>
        <SideFacts data={data} />
        <SideMore data={data} trace={event?.trace ?? null} withActivity={current !== 'activity'}>
          {props.side}
        </SideMore>
      </div>
    </>
  )
}

function tabTitle(tab: IssueTabKey): string {
  return tab === 'event' ? '' : `${tab.charAt(0).toUpperCase()}${tab.slice(1)} · `
}

function Summary({ data }: { readonly data: IssueShared }) {
  const parts = summaryParts(data.view, useNow())
  return (
    <p className="mt-3 max-w-[130ch] text-15 text-ink-2">
      {parts.map(({ text, weight, tone }, index) => {
        const colour = tone === 'bad' ? 'text-bad' : tone === 'good' ? 'text-good' : 'text-ink'
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the sentence
        if (weight === undefined) return <span key={index}>{text}</span>
        return (
          <b
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the sentence
            key={index}
            className={`foreign font-strong ${colour} ${weight === 'code' ? 'font-mono text-13' : 'num'}`}
          >
            {tone === 'bad' ? (
              <span
                aria-hidden="true"
                className="me-1.5 inline-block size-2 rounded-full bg-bad-fill align-middle"
              />
            ) : null}
            {text}
          </b>
        )
      })}
    </p>
  )
}

/** Nobody else sees it: whoever muted the issue may wonder why they hear nothing. */
function MutedStrip({ data }: { readonly data: IssueShared }) {
  const toast = useToast()
  return (
    <ActionForm
      action="issue.mark"
      hidden={{ ref: data.view.issue.shortId, mark: 'unmute' }}
      onResult={() => toast({ text: 'Unmuted' })}
      className="mb-4 flex flex-wrap items-center gap-3 rounded-field border bg-sunken px-4 py-2 text-13"
    >
      <EventIcon name="bell" size={14} className="shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1">
        <b className="font-strong">You muted this issue. </b>You get no alerts, mentions or emails about it.
        Others still do.
      </p>
      <Button type="submit" size="small" className="touch">
        Unmute
      </Button>
    </ActionForm>
  )
}

/** The issue was past its project's cap in some hour. */
function PayloadStrip({ data }: { readonly data: IssueShared }) {
  const { issue, project } = data.view
  return (
    <div className="mb-4 flex items-start gap-3 rounded-field border bg-sunken px-4 py-2.5 text-13">
      <EventIcon name="info" size={14} className="mt-0.5 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1">
        <b className="num font-strong">{eventsText(issue)}. </b>
        {samplingText(project.options.payloadsPerIssueHour)}
      </p>
    </div>
  )
}

function IssueTabs({ data, current }: { readonly data: IssueShared; readonly current: IssueTabKey }) {
  const { issue, activity, groups } = data.view
  const trend = data.trendKey === '14d' ? null : data.trendKey
  const link = (key: IssueTabKey, to: string, label: string, count?: number) => (
    <PageLink
      to={withQuery(to, { trend, list: data.list.text })}
      prefetch
      preventScrollReset
      className={tab}
      aria-current={key === current ? 'page' : undefined}
    >
      <TabLabel label={label} {...(count === undefined ? {} : { count })} />
    </PageLink>
  )
  return (
    <Tabs label="Parts of the issue" className="border-b">
      {link('event', paths.issue(data.org, issue.shortId), 'Event')}
      {link('events', paths.issueEvents(data.org, issue.shortId), 'Events', issue.eventCount)}
      {link('activity', paths.issueActivity(data.org, issue.shortId), 'Activity', activity.length)}
      {link(
        'merged',
        paths.issueMerged(data.org, issue.shortId),
        'Merged',
        groups.length > 1 ? groups.length : undefined,
      )}
      {link('similar', paths.issueSimilar(data.org, issue.shortId), 'Similar')}
    </Tabs>
  )
}
