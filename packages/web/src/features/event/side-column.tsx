/** The right column. */
import type { ReactNode } from 'react'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { Avatar } from '#ui/avatar.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { Count } from '#ui/number.tsx'
import { numberText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { ActivityLine } from './activity-line.tsx'
import type { IssueData, IssueShared } from './issue.server.ts'
import { TrackerLinks } from './tracker-links.tsx'

const RELEASES_SHOWN = 5
const DIGESTS_SHOWN = 5
const ACTIVITIES_SHOWN = 4
const FOLLOWERS_SHOWN = 12

/** When it happens, to whom and since which release: below what failed where there is no right column. */
export function SideFacts({ data }: { readonly data: IssueShared }) {
  return (
    <aside
      aria-label="When, affected, releases"
      className="px-5 max-wide:grid max-wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,5fr)] max-wide:gap-x-8 max-wide:border-t max-wide:px-6 max-wide:[&_section]:border-b-0 max-phone:block max-phone:px-4 max-phone:py-2 max-phone:[&_dl]:items-center max-phone:[&_dl]:gap-y-0.5 max-phone:[&>:not(:last-child)_h2]:sr-only max-phone:[&_section]:py-1 wide:col-start-2 wide:row-start-1 wide:[&>section:last-child]:border-b"
    >
      <When data={data} />
      <Affected data={data} />
      <Releases data={data} />
    </aside>
  )
}

/** Trace of the shown event. */
export type ShownTrace = IssueData['trace']

/** Issue trackers, digests, trace, activity. Below the rest where there is no right column. */
export function SideMore(props: {
  readonly data: IssueShared
  readonly trace: ShownTrace
  /** Left out where the page shows all of it. */
  readonly withActivity: boolean
  readonly children?: ReactNode
}) {
  const { data, trace } = props
  return (
    <aside
      aria-label="About the issue"
      className="px-5 pb-8 max-wide:border-t max-wide:px-6 max-phone:px-4 wide:col-start-2"
    >
      {trace === null || trace.answer.length === 0 ? null : (
        <SideSection title="Response" note="this event">
          <Facts>
            {trace.answer.map(({ term, text, bad }) => (
              <Fact key={term} term={term}>
                {text}
                {bad === undefined ? null : <b className="font-strong text-bad">{bad}</b>}
              </Fact>
            ))}
          </Facts>
        </SideSection>
      )}
      {props.children}
      <TrackerLinks data={data} />
      <Digests data={data} />
      {trace === null ? null : <Trace org={data.org} trace={trace} />}
      <Followers data={data} />
      {props.withActivity ? <RecentActivity data={data} /> : null}
    </aside>
  )
}

const BAR_STEP = 7

function Trace({ org, trace }: { readonly org: string; readonly trace: NonNullable<ShownTrace> }) {
  const { id, nearMs, sketch } = trace
  const canRead = useCan('trace.read')
  return (
    <SideSection title="Trace">
      {sketch === null ? null : (
        <>
          <svg
            width="100%"
            height={sketch.bars.length * BAR_STEP + 1}
            aria-hidden="true"
            className="overflow-visible"
          >
            {sketch.bars.map(([start, width, side, error], at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
              <g key={at} transform={`translate(0 ${at * BAR_STEP})`}>
                <rect
                  x={`${start}%`}
                  y="1.5"
                  width={`${Math.max(0.5, width)}%`}
                  height="4"
                  className={
                    side === 'b'
                      ? 'fill-none stroke-control'
                      : side === 'd'
                        ? 'fill-span-db'
                        : 'fill-span-server'
                  }
                />
                {error === null ? null : (
                  <circle cx={`${error}%`} cy="3.5" r="3.5" className="fill-bad-fill" />
                )}
              </g>
            ))}
          </svg>
          <p className="mt-1 num text-12 text-ink-3">{sketch.text}</p>
        </>
      )}
      <p className="flex items-center gap-1 text-12">
        {canRead ? (
          <PageLink
            className="link min-w-0 truncate font-mono max-phone:leading-11"
            to={paths.trace(org, id, { near: nearMs })}
          >
            {id}
          </PageLink>
        ) : (
          <code className="min-w-0 truncate">{id}</code>
        )}
        <CopyButton text={id} name="Copy the trace ID" />
      </p>
    </SideSection>
  )
}

function When({ data }: { readonly data: IssueShared }) {
  const { issue } = data.view
  return (
    <SideSection title="When">
      {/* On a phone the releases below say it. */}
      <Facts className="max-phone:[&>:nth-child(n+5)]:hidden">
        <Fact term="Last seen">
          <Time ms={issue.lastSeenMs} />
        </Fact>
        <Fact term="First seen">
          <Time ms={issue.firstSeenMs} />
        </Fact>
        {issue.archivedEventsLeft === null ? null : (
          <Fact term="Returns at">
            <Count value={issue.eventCount + issue.archivedEventsLeft} /> events
          </Fact>
        )}
        {issue.archivedUsersLeft === null ? null : (
          <Fact term="Returns at">
            <Count value={issue.users.count + issue.archivedUsersLeft} /> users
          </Fact>
        )}
        {issue.firstRelease === null ? null : (
          <Fact term="First in">
            <ReleaseLink org={data.org} release={issue.firstRelease} />
          </Fact>
        )}
        {issue.lastRelease === null ? null : (
          <Fact term="Last in">
            <ReleaseLink org={data.org} release={issue.lastRelease} />
          </Fact>
        )}
      </Facts>
    </SideSection>
  )
}

function Affected({ data }: { readonly data: IssueShared }) {
  const { issue } = data.view
  return (
    <SideSection title="Affected" note={<span className="max-phone:hidden">since first seen</span>}>
      {/* Between a phone and a wide screen it stands in a narrow column. */}
      <Facts className="max-wide:grid-cols-[3.5rem_minmax(0,1fr)] max-phone:grid-cols-[6rem_minmax(0,1fr)]">
        <Fact term="Users">
          <Count value={issue.users.count} exactness={issue.users.isExact ? 'exact' : 'approximate'} />
        </Fact>
        <Fact term="Events">
          <Count value={issue.eventCount} />
          {issue.payloadCount >= issue.eventCount ? null : (
            <span className="num text-ink-3">, {numberText(issue.payloadCount)} with details</span>
          )}
          {issue.mirrorCount === 0 ? null : (
            <span className="num text-ink-3">
              , {issue.mirrorCount === issue.eventCount ? 'all' : numberText(issue.mirrorCount)} from browser
              copies
            </span>
          )}
        </Fact>
      </Facts>
    </SideSection>
  )
}

function ReleaseLink({ org, release }: { readonly org: string; readonly release: string }) {
  return (
    <PageLink
      className="link foreign max-phone:block max-phone:truncate max-phone:leading-11"
      to={paths.release(org, release)}
      title={release}
    >
      {versionOf(release)}
    </PageLink>
  )
}

/** Beside it, in the least of three columns, there is room for what tells two releases apart. */
const BAR_WIDTH = 56

function Releases({ data }: { readonly data: IssueShared }) {
  const tag = data.view.tags.find(({ key }) => key === 'release')
  if (tag === undefined || tag.values.length === 0) return null
  const shown = tag.values.slice(0, RELEASES_SHOWN)
  const beyond = tag.total - shown.reduce((sum, { count }) => sum + count, 0)
  const most = shown.reduce((top, { count }) => Math.max(top, count), beyond)
  return (
    <SideSection title="Releases" note="events">
      <ul aria-label="Releases" className="grid gap-1.5 text-13 max-phone:gap-0">
        {shown.map(({ value, count }) => (
          <li key={value} className="flex min-w-0 items-center gap-3">
            <span className="min-w-24 flex-1 truncate max-phone:leading-11">
              <ReleaseLink org={data.org} release={value} />
            </span>
            <ShareBar part={count} whole={most} width={BAR_WIDTH} withText={false} />
            <span className="num w-12 text-end">{numberText(count)}</span>
          </li>
        ))}
        {beyond <= 0 ? null : (
          <li className="flex items-center gap-3 text-ink-3">
            <span className="min-w-0 flex-1">all others</span>
            <ShareBar part={beyond} whole={most} width={BAR_WIDTH} withText={false} />
            <span className="num w-12 text-end">{numberText(beyond)}</span>
          </li>
        )}
      </ul>
    </SideSection>
  )
}

function Digests({ data }: { readonly data: IssueShared }) {
  const { digests } = data.view
  if (digests.length === 0) return null
  const oldestFirst = [...digests].sort((a, b) => a.lastSeenMs - b.lastSeenMs)
  const numbers = [...new Map(oldestFirst.map((match) => [match.digest, match])).values()].reverse()
  return (
    <SideSection
      title="Digest"
      note={numbers.length > 1 ? `${numberText(numbers.length)} numbers` : undefined}
    >
      <ul className="grid gap-1.5 text-13">
        {numbers.slice(0, DIGESTS_SHOWN).map((match) => (
          <li key={match.digest} className="flex min-w-0 items-baseline gap-2">
            <PageLink className="link num max-phone:leading-11" to={paths.digest(match.digest)}>
              {match.digest}
            </PageLink>
            <span className="foreign min-w-0 flex-1 truncate text-ink-3" title={match.release ?? undefined}>
              {match.release === null ? null : versionOf(match.release)}
            </span>
            <span className="text-12 text-ink-3">
              <Time ms={match.lastSeenMs} />
            </span>
          </li>
        ))}
      </ul>
    </SideSection>
  )
}

function Followers({ data }: { readonly data: IssueShared }) {
  const { followers } = data.view
  if (followers.length === 0) return null
  const more = followers.length - FOLLOWERS_SHOWN
  return (
    <SideSection title="Subscribed" note={numberText(followers.length)}>
      <ul className="flex flex-wrap gap-1.5">
        {followers.slice(0, FOLLOWERS_SHOWN).map(({ userId, name, email }) => (
          <li key={userId}>
            <Avatar name={name || email} />
          </li>
        ))}
        {more <= 0 ? null : <li className="num text-12 text-ink-3">+{numberText(more)}</li>}
      </ul>
    </SideSection>
  )
}

function RecentActivity({ data }: { readonly data: IssueShared }) {
  const { activity, issue } = data.view
  if (activity.length === 0) return null
  const newest = [...activity].sort((a, b) => b.atMs - a.atMs).slice(0, ACTIVITIES_SHOWN)
  return (
    <SideSection
      title="Activity"
      note={
        <PageLink
          className="link link-alone"
          to={paths.issueActivity(data.org, issue.shortId, { list: data.list.text })}
        >
          All {numberText(activity.length)}
        </PageLink>
      }
    >
      <ul className="grid gap-1.5 text-12">
        {newest.map((entry) => (
          <li key={entry.id} className="min-w-0">
            <ActivityLine entry={entry} />
          </li>
        ))}
      </ul>
    </SideSection>
  )
}
