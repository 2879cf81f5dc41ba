/** One release: its issues, commits and deploys, beside those of the release before. */
import { StateChip, titleParts } from '#parts/issue-marks.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { numberText } from '#ui/number-text.ts'
import { safeHref } from '#ui/safe-href.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { HealthSection } from './health-section.tsx'
import type { loadRelease } from './releases.server.ts'

type Data = Awaited<ReturnType<typeof loadRelease>>
type View = Data['view']
type Release = View['release']

export function ReleasePage() {
  const { org, view } = usePageData<typeof loadRelease>()
  const { release, issues } = view
  const crumbs = [
    { text: 'Releases', path: paths.releases(org) },
    { text: release.projects.map(({ slug }) => slug).join(', ') },
  ]
  return (
    <Page wide>
      <PageHead title={versionOf(release.version)} crumbs={crumbs}>
        <Facts release={release} />
      </PageHead>
      <div className="grid gap-8 wide:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0 space-y-6">
          <HealthSection />
          <IssueTable org={org} name="Regressed" issues={issues.regressed} />
          <IssueTable org={org} name="New" issues={issues.begun} />
          <IssueTable org={org} name="Resolved in it" issues={issues.resolved} />
          <Commits commits={view.commits} />
        </div>
        <aside className="min-w-0 space-y-6">
          <Compared org={org} view={view} />
          <Deploys deploys={view.deploys} />
        </aside>
      </div>
    </Page>
  )
}

function Facts({ release }: { readonly release: Release }) {
  const { version, status, releasedMs, createdMs, ref, url } = release
  const href = url === null ? null : safeHref(url)
  return (
    <p>
      <span className="foreign">{version}</span> · {releasedMs === null ? 'created' : 'released'}{' '}
      <Time ms={releasedMs ?? createdMs} />
      {status === 'archived' ? ' · archived' : null}
      {ref === null ? null : (
        <>
          {' · '}
          <span className="foreign">{ref}</span>
        </>
      )}
      {href === null ? null : (
        <>
          {' · '}
          <a href={href} className="link underline" rel="noreferrer">
            Build
          </a>
        </>
      )}
    </p>
  )
}

function IssueTable(props: {
  readonly org: string
  readonly name: string
  readonly issues: View['issues']['begun']
}) {
  const { org, name, issues } = props
  return (
    <section>
      <h2 className="mb-2 text-13 font-strong">
        {name} <span className="ms-1 font-normal text-ink-3">{numberText(issues.length)}</span>
      </h2>
      {issues.length === 0 ? (
        <p className="text-13 text-ink-3">None.</p>
      ) : (
        <Table caption={`${name} issues`} stacks>
          <thead>
            <tr>
              <th scope="col">Issue</th>
              <th scope="col" className={tableNum}>
                Events
              </th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
          <tbody>
            {issues.map((issue) => (
              <tr key={issue.id}>
                <th scope="row" className="max-w-100 truncate">
                  <PageLink to={paths.issue(org, issue.shortId)} className="hover:underline">
                    <span className="foreign font-strong">{titleParts(issue).type}</span>{' '}
                    <span className="foreign font-normal">{titleParts(issue).message}</span>
                  </PageLink>{' '}
                  <StateChip issue={issue} />
                </th>
                <td className={tableNum} data-label="Events">
                  {numberText(issue.eventCount)}
                </td>
                <td data-label="Last seen">
                  <Time ms={issue.lastSeenMs} form="age" />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}

const ID_SHOWN = 10

function Commits({ commits }: { readonly commits: View['commits'] }) {
  return (
    <section>
      <h2 className="mb-2 text-13 font-strong">
        Commits <span className="ms-1 font-normal text-ink-3">{numberText(commits.length)}</span>
      </h2>
      {commits.length === 0 ? (
        <p className="text-13 text-ink-3">
          None yet. <code>sentry-cli releases set-commits --auto</code> sends them.
        </p>
      ) : (
        <ul className="space-y-2 text-13">
          {commits.map(({ id, message, member, authorName, authorEmail, atMs }) => (
            <li key={id}>
              <code className="text-ink-2">{id.slice(0, ID_SHOWN)}</code>{' '}
              <span className="foreign">{message?.split('\n', 1)[0] ?? ''}</span>
              <div className="text-12 text-ink-2">
                <span className="foreign">
                  {member?.name || (authorName ?? authorEmail ?? 'unknown author')}
                </span>
                {atMs === null ? null : (
                  <>
                    , <Time ms={atMs} />
                  </>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const sum = ({ projects }: Release, of: 'newIssues' | 'eventCount') =>
  projects.reduce((total, each) => total + each[of], 0)

function Compared({ org, view }: { readonly org: string; readonly view: View }) {
  const { release, before } = view
  const row = (name: string, of: (release: Release) => number) => (
    <div className="flex items-baseline gap-2 py-1">
      <dt className="flex-1">{name}</dt>
      <dd className="num">
        {numberText(of(release))}
        {before === null ? null : (
          <span className="ms-2 text-12 text-ink-2">was {numberText(of(before))}</span>
        )}
      </dd>
    </div>
  )
  return (
    <section className="text-13">
      <h2 className="mb-2 font-strong">
        {before === null ? (
          'In numbers'
        ) : (
          <>
            Compared with{' '}
            <PageLink
              to={paths.release(org, before.version)}
              className="foreign link underline"
              title={before.version}
            >
              {versionOf(before.version)}
            </PageLink>
          </>
        )}
      </h2>
      <dl>
        {row('New issues', (each) => sum(each, 'newIssues'))}
        {row('Events', (each) => sum(each, 'eventCount'))}
        {row('Commits', (each) => each.commitCount)}
        {row('Deploys', (each) => each.deployCount)}
      </dl>
    </section>
  )
}

function Deploys({ deploys }: { readonly deploys: View['deploys'] }) {
  return (
    <section className="text-13">
      <h2 className="mb-2 font-strong">
        Deploys <span className="ms-1 font-normal text-ink-3">{numberText(deploys.length)}</span>
      </h2>
      {deploys.length === 0 ? <p className="text-ink-3">None yet.</p> : null}
      <ul className="space-y-1">
        {deploys.map(({ id, environment, name, url, finishedMs }) => {
          const href = url === null ? null : safeHref(url)
          return (
            <li key={id} className="flex items-baseline gap-2">
              <span className="foreign min-w-0 flex-1 truncate">{environment}</span>
              {href === null ? (
                <span className="foreign text-ink-2">{name}</span>
              ) : (
                <a href={href} className="foreign link underline" rel="noreferrer">
                  {name ?? 'Open'}
                </a>
              )}
              <Time ms={finishedMs} form="age" />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
