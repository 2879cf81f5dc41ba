import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { byWord } from '#ui/by-word.ts'
import { Empty } from '#ui/empty.tsx'
import { numberText } from '#ui/number-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { FailedRequests } from './failed-requests.tsx'
import { NeedsYou } from './needs-you.tsx'
import type { loadOverview, loadProjectOverview, OverviewData } from './overview.server.ts'
import { OverviewSide } from './overview-side.tsx'
import { overviewPaths } from './paths.ts'
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
        <header className="border-b px-6 pt-3 pb-5 max-phone:px-4">
          <h1 className="visually-hidden">Overview</h1>
          <div className="flex flex-wrap items-center gap-2">
            <Projects data={data} />
            <span className="ms-auto text-12 text-ink-3">Last 24 hours, against the 24 before</span>
          </div>
          {data.isEmpty ? null : <SentenceLine data={data} />}
        </header>
        {data.isEmpty ? <NothingYet data={data} /> : <Sections data={data} />}
      </div>
      {data.isEmpty ? null : <OverviewSide data={data} />}
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
  return (
    <p className="mt-4 max-w-220 text-15 text-ink-2">
      <strong className="font-strong text-ink">{head}</strong>{' '}
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
          {row.failedBefore === 0
            ? ', none the day before'
            : `, ${numberText(row.failedBefore)} the day before`}
          {at === worst.length - 1 ? '. ' : ''}
        </span>
      ))}
      {rest === '' ? '' : `${rest} `}
      <strong className="font-strong text-ink">{needs}</strong>
    </p>
  )
}

/** No data yet: what brings each part of this page. */
function NothingYet({ data: { org, choices } }: { readonly data: OverviewData }) {
  const [first] = choices.projects
  return (
    <div className="p-6 max-phone:p-4">
      <Empty
        title="No data yet"
        next={
          <PageLink
            to={first === undefined ? paths.newProject(org) : paths.firstEvent(org, first.slug)}
            className="btn btn-primary"
          >
            {first === undefined ? 'New project' : 'Set up the SDK'}
          </PageLink>
        }
      >
        This page shows what SDKs send. To turn on each part:
      </Empty>
      <dl className="mt-6 grid max-w-180 gap-x-6 gap-y-3 text-13 phone:grid-cols-[10rem_1fr]">
        {SIGNALS.map(({ name, how }) => (
          <div key={name} className="contents">
            <dt className="font-medium">{name}</dt>
            <dd className="text-ink-2">{how}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const SIGNALS = [
  { name: 'Issues', how: 'Sentry.init({ dsn })' },
  { name: 'Failed requests', how: 'tracesSampleRate: 1 on the server' },
  { name: 'Web vitals', how: 'browserTracingIntegration() and tracesSampleRate in the browser' },
  { name: 'Sessions', how: 'release, in the browser' },
  { name: 'Deploys', how: 'release, the same on both sides' },
]
