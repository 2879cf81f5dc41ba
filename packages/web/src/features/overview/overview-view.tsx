import { ConnectApp } from '#parts/connect-app.tsx'
import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { byWord } from '#ui/by-word.ts'
import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { FailedRequests } from './failed-requests.tsx'
import { UNASSIGNED_SEARCH } from './needs.ts'
import { NeedsYou, needsPath } from './needs-you.tsx'
import type { loadOverview, loadProjectOverview, OverviewData } from './overview.server.ts'
import { EmptySide, OverviewSide } from './overview-side.tsx'
import { overviewPaths } from './paths.ts'
import { SIGNAL_ROWS } from './signals.ts'
import { SinceDeploys } from './since-deploys.tsx'

export function OverviewPage() {
  return <Overview data={usePageData<typeof loadOverview>()} />
}

export function ProjectOverviewPage() {
  return <Overview data={usePageData<typeof loadProjectOverview>()} />
}

/** A sentence, what needs somebody, failures by kind and deploys; beside them vitals, alerts, sessions and projects. */
function Overview({ data }: { readonly data: OverviewData }) {
  return (
    <div className="wide:grid wide:min-h-screen wide:grid-cols-[minmax(0,1fr)_19rem]">
      <title>{`${data.project === null ? 'Overview' : `${data.project.name} · Overview`} · Errata`}</title>
      <div className="min-w-0">
        <header className={`px-6 pt-3 max-phone:px-4 ${data.isEmpty ? '' : 'border-b pb-5'}`}>
          <h1 className="visually-hidden">Overview</h1>
          <div className="flex flex-wrap items-center gap-2">
            <Projects data={data} />
            {data.isEmpty ? null : (
              <span className="ms-auto text-12 text-ink-3">Last 24 hours, compared with the 24 before</span>
            )}
          </div>
          {data.isEmpty ? null : <SentenceLine data={data} />}
        </header>
        {data.isEmpty ? <NothingYet data={data} /> : <Sections data={data} />}
      </div>
      {data.isEmpty ? <EmptySide data={data} /> : <OverviewSide data={data} />}
    </div>
  )
}

function Sections({ data }: { readonly data: OverviewData }) {
  return (
    <div className="px-6 max-phone:px-4">
      <NeedsYou data={data} />
      <FailedRequests data={data} />
      <SinceDeploys data={data} />
    </div>
  )
}

function Projects({ data: { org, project, choices, isMany } }: { readonly data: OverviewData }) {
  if (!isMany) return null
  return (
    <ProjectMenu
      org={org}
      choices={choices}
      chosen={project === null ? [] : [project.slug]}
      link={([slug]) => (slug === undefined ? paths.overview(org) : overviewPaths.projectOverview(org, slug))}
    />
  )
}

const KIND_WORDS = byWord({
  document: 'page loads',
  'page-data': 'page-data requests',
  action: 'submissions',
})

function SentenceLine({ data }: { readonly data: OverviewData }) {
  const { head, worst, rest, needs } = data.sentence
  const hasBefore = data.requests?.hasBefore === true
  if (head === '' && needs === '') return null
  return (
    <p className="mt-4 max-w-220 text-15 text-ink-2">
      {head === '' ? null : <strong className="font-strong text-ink">{head} </strong>}
      {worst.map((row, at) => (
        <span key={`${row.projectId} ${row.kind} ${row.route}`}>
          {at === 0 ? '' : ', and '}
          <PageLink
            to={paths.performanceRoute(
              data.org,
              data.projects.find(({ id }) => id === row.projectId)?.slug ?? '',
              {
                route: row.route,
                kind: row.kind,
                range: '24h',
              },
            )}
            className="num font-strong text-bad hover:underline"
          >
            {numberText(row.failed)}
          </PageLink>{' '}
          of {numberText(row.count)} {KIND_WORDS[row.kind] ?? 'requests'} of{' '}
          <span className="foreign break-words text-ink">{row.route}</span> failed
          {hasBefore
            ? `, ${row.failedBefore === 0 ? 'none' : numberText(row.failedBefore)} the day before`
            : ''}
          {at === worst.length - 1 ? '. ' : ''}
        </span>
      ))}
      {rest === '' ? '' : `${rest} `}
      {needs === '' ? null : <NeedsText data={data} />}
    </p>
  )
}

function NeedsText({ data }: { readonly data: OverviewData }) {
  const { needs, unassigned } = data.sentence
  return (
    <>
      <strong className="font-strong text-ink">
        {data.needs.length === 0 ? (
          needs
        ) : (
          <a href="#needs-you" className="hover:underline">
            {needs}
          </a>
        )}
      </strong>
      {unassigned === '' ? null : (
        <>
          ,{' '}
          <PageLink to={needsPath(data, UNASSIGNED_SEARCH)} className="font-strong text-ink hover:underline">
            {unassigned}
          </PageLink>
        </>
      )}
      .
    </>
  )
}

/** No data yet: what brings each part of this page. */
function NothingYet({ data: { org, project, choices, seen } }: { readonly data: OverviewData }) {
  const slug = project?.slug ?? choices.projects[0]?.slug
  return (
    <div className="max-w-240 px-6 pt-3 pb-6 max-phone:px-4">
      <h2 className="text-20 font-strong">
        {project === null ? 'No data yet' : `No data from ${project.name} yet`}
      </h2>
      <p className="mt-1 mb-4 max-w-180 text-15 text-ink-2">
        Start an app with a Sentry SDK and the DSN of a project: its first error or request appears here
        within a second. <DocsLink to="first-event" />
      </p>
      <div className="mb-6">
        <ConnectApp org={org} project={slug} />
      </div>
      <Section title="What you will see" note="one line turns on each">
        <Table caption="Signals" stacks>
          <thead>
            <tr>
              <th scope="col">Signal</th>
              <th scope="col">You see</th>
              <th scope="col">Turned on by</th>
              <th scope="col">Seen</th>
            </tr>
          </thead>
          <tbody>
            {SIGNAL_ROWS.map(({ name, what, how, where }) => (
              <tr key={name}>
                <th scope="row" className="font-strong">
                  {name}
                </th>
                <td className="stack-line text-ink-2">{what}</td>
                <td className="stack-line">
                  <code className="text-12">{how}</code>
                  {where === '' ? null : <span className="text-ink-3"> {where}</span>}
                </td>
                <td className="stack-end whitespace-nowrap text-12 text-ink-2">
                  <span className="inline-flex items-center gap-1.5">
                    {seen.includes(name) ? (
                      <>
                        <Icon name="check" size={14} className="shrink-0 text-good" /> yes
                      </>
                    ) : (
                      <>
                        <span className="size-3 shrink-0 rounded-full border border-dashed border-control" />{' '}
                        not yet
                      </>
                    )}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Section>
    </div>
  )
}
