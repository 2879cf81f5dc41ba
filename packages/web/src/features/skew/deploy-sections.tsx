/** Failures of one deploy's stale tabs, and the builds they ran. */

import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { Badge } from '#ui/badge.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { buildAgeText, type DeployDetail, FAILURE_NAMES } from './skew-text.ts'

type Place = DeployDetail['places'][number]

export function PlaceSection({ org, deploy }: { readonly org: string; readonly deploy: DeployDetail }) {
  const { places, reloads } = deploy
  if (places.length === 0) return null
  return (
    <Section title="Failures" note="by page">
      <Table caption="Failures by page" stacks="columns" className="[--stack-columns:3] [--stack-end:-2]">
        <thead>
          <tr>
            <th scope="col">Failure</th>
            <th scope="col" className="stack-lead">
              Where
            </th>
            <th scope="col" className={tableNum}>
              Clicks
            </th>
            <th scope="col" className={tableNum}>
              Users
            </th>
            <th scope="col" className={tableNum}>
              Status
            </th>
            <th scope="col" className="mid-only stack-none">
              Example
            </th>
            <th scope="col" className="stack-end">
              Issue
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <PlaceRow key={`${place.failure} ${place.route}`} org={org} place={place} />
          ))}
        </tbody>
      </Table>
      {reloads === 0 ? null : (
        <p className="mt-2 text-12 text-ink-3">
          Reloads by the framework ({numberText(reloads)}) don’t count as failed clicks and are not part of
          the {numberText(deploy.count)}.
        </p>
      )}
    </Section>
  )
}

function PlaceRow({ org, place }: { readonly org: string; readonly place: Place }) {
  const { failure, route, count, users, example, issue } = place
  return (
    <tr>
      <th scope="row" className="text-start font-medium whitespace-nowrap">
        {FAILURE_NAMES[failure]}
      </th>
      <td className="stack-lead">
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <FailureBadge failure={failure} />
          {route === '' ? null : <code className="foreign">{route}</code>}
          {example.subject === null ? null : (
            <span className="foreign max-w-44 truncate text-12 text-ink-3" title={example.subject}>
              {subjectText(example.subject)}
            </span>
          )}
        </span>
      </td>
      <td className={tableNum} data-label="Clicks">
        <span className="font-strong">{numberText(count)}</span>
      </td>
      <td className={tableNum} data-label="Users">
        {usersCount(users)}
      </td>
      <td className={tableNum} data-label="Status">
        {example.httpStatus ?? <span className="text-ink-3">–</span>}
      </td>
      <td className="mid-only stack-none whitespace-nowrap">
        <Example org={org} place={place} />
      </td>
      <td className="stack-end">
        {issue === null ? (
          <span className="text-ink-3">no issue</span>
        ) : (
          <PageLink
            to={paths.issue(org, issue.shortId)}
            className="link link-alone id-end"
            title={issue.shortId}
          >
            <bdi>{issue.shortId}</bdi>
          </PageLink>
        )}
      </td>
    </tr>
  )
}

/** The newest: its event where one was sent, and its trace. */
function Example({ org, place }: { readonly org: string; readonly place: Place }) {
  const { example, issue } = place
  const toEvent =
    issue === null || example.eventId === null ? null : paths.issueEvent(org, issue.shortId, example.eventId)
  const toTrace = example.traceId === null ? null : paths.trace(org, example.traceId, { near: example.atMs })
  if (toEvent === null && toTrace === null) return <Time ms={example.atMs} />
  return (
    <span className="inline-flex gap-3">
      {toEvent === null ? null : (
        <PageLink to={toEvent} className="link link-alone">
          Event
        </PageLink>
      )}
      {toTrace === null ? null : (
        <PageLink to={toTrace} className="link link-alone">
          Trace
        </PageLink>
      )}
    </span>
  )
}

function FailureBadge({ failure }: { readonly failure: Place['failure'] }) {
  if (failure === 'action' || failure === 'key') return <KindBadge kind="action" />
  if (failure === 'page-data' || failure === 'reload') return <KindBadge kind="page-data" />
  return <Badge icon="browser" label="browser" />
}

/** Shortens a path to its file, an action’s id to its beginning. */
function subjectText(subject: string): string {
  const file = subject.slice(subject.lastIndexOf('/') + 1)
  return /^[0-9a-f]{16,}$/.test(file) ? `${file.slice(0, 8)}…` : file
}

function usersCount({ count, isExact }: DeployDetail['users']): string {
  return `${isExact ? '' : '≈ '}${numberText(count)}`
}

export function BuildSection({ org, deploy }: { readonly org: string; readonly deploy: DeployDetail }) {
  const { builds, count } = deploy
  if (count === 0) return null
  const failed = ({ counts }: DeployDetail['builds'][number]) =>
    counts.action + counts.key + counts.chunk + counts.stylesheet + counts['page-data']
  return (
    <Section title="Builds" note="still open in stale tabs">
      <Table caption="Stale clicks by build" stacks="columns" className="[--stack-columns:4]">
        <thead>
          <tr>
            <th scope="col">Build</th>
            <th scope="col" className={tableNum}>
              Age when replaced
            </th>
            <th scope="col" className={tableNum}>
              Unknown action
            </th>
            <th scope="col" className={tableNum}>
              Missing file
            </th>
            <th scope="col" className={tableNum}>
              Users
            </th>
            <th scope="col" className="stack-none">
              Share of clicks
            </th>
          </tr>
        </thead>
        <tbody>
          {builds.map((build) => (
            <tr key={build.release}>
              <th scope="row" className="text-start font-medium">
                {build.release === '' ? (
                  <span
                    className="text-ink-3"
                    title="Reported by the server only, which doesn’t know the tab’s build"
                  >
                    unknown
                  </span>
                ) : (
                  <PageLink to={paths.release(org, build.release)} className="foreign link link-alone">
                    {versionOf(build.release)}
                  </PageLink>
                )}
              </th>
              <td className={tableNum} data-label="Age when replaced">
                {buildAgeText(build.ageMs)}
              </td>
              <td className={tableNum} data-label="Unknown action">
                {numberText(build.counts.action + build.counts.key)}
              </td>
              <td className={tableNum} data-label="Missing file">
                {numberText(build.counts.chunk + build.counts.stylesheet)}
              </td>
              <td className={tableNum} data-label="Users">
                {usersCount(build.users)}
              </td>
              <td className="stack-none">
                <ShareBar part={failed(build)} whole={count} width={88} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
