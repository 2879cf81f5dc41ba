/** Releases: what came with each, and which got worse. */
import { Verified } from '#parts/bundle-cells.tsx'
import { ConnectApp } from '#parts/connect-app.tsx'
import { crashFreeText, crashFreeTone, GOAL_TEXT } from '#parts/crash-free.ts'
import { DocsLink } from '#parts/docs-link.tsx'
import { FindPerson } from '#parts/find-person.tsx'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { packageOf, releaseBeginning, versionOf } from '#parts/release-text.ts'
import { useShortcuts } from '#parts/shortcuts.tsx'
import { TurnOn } from '#parts/turn-on.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { Count } from '#ui/number.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useNavigate } from '#wire/router.ts'
import { AdoptionCharts } from './adoption-chart.tsx'
import { projectsText } from './few-projects.ts'
import type { ListedHealth } from './health.server.ts'
import { HealthCells, HealthHeads } from './health-cells.tsx'
import { listPath, ReleaseFilters } from './release-filters.tsx'
import type { loadReleases } from './releases.server.ts'

type Data = Awaited<ReturnType<typeof loadReleases>>
type Row = Data['rows'][number]

export function ReleasesPage() {
  const data = usePageData<typeof loadReleases>()
  useReleaseKeys()
  return (
    <>
      <title>{`Releases · ${data.org} · Errata`}</title>
      <h1 className="visually-hidden">Releases</h1>
      <ReleaseFilters />
      <Readable part="releases" what="Releases">
        {data.rows.length === 0 ? (
          <NoRelease data={data} />
        ) : (
          <>
            <Newest data={data} />
            {data.adoption === null ? null : <AdoptionCharts adoption={data.adoption} />}
            <ReleaseTable data={data} />
            <Foot data={data} />
            <LetGo letGo={data.letGo} />
          </>
        )}
      </Readable>
    </>
  )
}

/** Names projects whose oldest releases are not listed any more, and why. */
function LetGo({ letGo }: Pick<Data, 'letGo'>) {
  const { shown, more, ofProject, ofOrganisation } = letGo
  if (shown.length === 0) return null
  return (
    <p className="max-w-200 px-6 pb-6 text-12 text-ink-2 max-phone:px-4">
      {`At most ${numberText(ofProject)} releases of a project are kept, and ${numberText(ofOrganisation)} of an organisation. Releases known only from events were removed, those longest without an event first: `}
      {shown.map(({ project, count, lastMs }, at) => (
        <span key={project?.id ?? at}>
          {at === 0 ? '' : ', '}
          {numberText(count)} of <span className="foreign">{project?.name ?? 'another project'}</span>, last{' '}
          <Time ms={lastMs} />
        </span>
      ))}
      {more === 0 ? '' : ` and of ${quantityText(more, 'other project')}`}. Issues and events keep their
      release.
    </p>
  )
}

const NAME_IT = { file: 'Sentry.init', text: "Sentry.init({ dsn: '…', release: 'shop@1.4.0' })" }

function NoRelease({ data }: { readonly data: Data }) {
  const { org, address, others } = data
  const { query, project, environment, status } = address
  const isFiltered = query !== '' || project !== '' || environment !== ''
  if (!isFiltered && status === 'archived')
    return (
      <Empty
        title="No archived releases"
        next={
          <PageLink className={buttonClass()} to={paths.releases(org)}>
            Show open releases
          </PageLink>
        }
      >
        Archived releases leave the list and keep their data.
      </Empty>
    )
  if (!isFiltered && others === 0)
    return (
      <Empty title="No releases yet" next={<ConnectApp org={org} project={data.choices.projects[0]?.slug} />}>
        A release appears with its first event, an upload of source maps, or{' '}
        <code>sentry-cli releases new</code>. Set it where the app starts the SDK, in the browser and on the
        server. <DocsLink to="everyday#releases-and-health" />
        <TurnOn {...NAME_IT} />
      </Empty>
    )
  return (
    <Empty
      title="No release matches"
      next={
        <>
          {others === 0 ? null : (
            <PageLink
              className={buttonClass()}
              to={listPath(data, { status: status === 'open' ? 'archived' : 'open' })}
            >
              Show {numberText(others)} {status === 'open' ? 'archived' : 'open'}
            </PageLink>
          )}
          <PageLink className={buttonClass()} to={paths.releases(org)}>
            Show all releases
          </PageLink>
          <FindPerson org={org} text={query} />
        </>
      }
    >
      No {status} release matches these filters.
    </Empty>
  )
}

/** A sentence about the newest release that made things worse, where the list begins with the newest. */
function Newest({ data }: { readonly data: Data }) {
  const { sort, status, query } = data.address
  if ((sort !== 'date' && sort !== 'semver') || status !== 'open' || query !== '' || data.page > 1)
    return null
  const newest = newestOfEach(data.rows)
  const worst = newest.filter(isWorse).sort((a, b) => badness(b) - badness(a))[0]
  if (worst === undefined)
    return (
      <p className="px-6 pt-2 pb-4 text-15 text-ink-2 max-phone:px-4">
        {newest.length === 1
          ? 'The newest release'
          : `None of the ${numberText(newest.length)} newest releases`}{' '}
        brought {newest.length === 1 ? 'no' : 'a'} new or regressed issue.
      </p>
    )
  const { newIssues } = worst.ofAll
  return (
    <p className="foreign px-6 pt-2 pb-4 text-15 text-ink-2 max-phone:px-4">
      <PageLink to={paths.release(data.org, worst.version)} className="font-strong text-ink hover:underline">
        {versionOf(worst.version)}
      </PageLink>{' '}
      of {projectsText(worst)}, {releaseBeginning(worst)} <Time ms={worst.releasedMs ?? worst.createdMs} />,
      brought{' '}
      {newIssues === 0 ? null : (
        <b className="font-strong text-ink">{quantityText(newIssues, 'new issue')}</b>
      )}
      {newIssues > 0 && worst.regressedIssues > 0 ? ' and ' : ''}
      {worst.regressedIssues === 0 ? null : (
        <b className="font-strong text-bad">{quantityText(worst.regressedIssues, 'regressed issue')}</b>
      )}
      .<CrashFree health={data.health[worst.version]} />
    </p>
  )
}

/** Adds how many of its sessions are crash-free, once that is judged. */
function CrashFree({ health }: { readonly health: ListedHealth | undefined }) {
  if (health === undefined || health.sessions === null || health.isYoung) return null
  const tone = crashFreeTone(health.sessions, { of: 'sessions', isYoung: false })
  return (
    <>
      {' '}
      <b className={`font-strong whitespace-nowrap ${tone === 'bad' ? 'text-bad' : 'text-ink'}`}>
        {crashFreeText(health.sessions)}
      </b>{' '}
      of its sessions are crash-free.
    </>
  )
}

/** Returns the first release of each package and project in the list. */
function newestOfEach(rows: readonly Row[]): readonly Row[] {
  const seen = new Map<string, Row>()
  for (const row of rows) {
    const name = whoseText(row)
    if (!seen.has(name)) seen.set(name, row)
  }
  return [...seen.values()]
}

function isWorse(row: Row): boolean {
  return badness(row) > 0
}

/** Ranks a release's badness; regressions count first. */
function badness(row: Row): number {
  return row.regressedIssues * 1_000 + row.ofAll.newIssues
}

const ROW_LINK = 'data-release-row'

/** `j` and `k` go from row to row: the focus is the cursor, so that Enter opens it. */
function useReleaseKeys(): void {
  const data = usePageData<typeof loadReleases>()
  const navigate = useNavigate()
  const move = (step: number) => {
    const links = [...document.querySelectorAll<HTMLElement>(`[${ROW_LINK}]`)]
    const focused = document.activeElement
    const at = focused instanceof HTMLElement ? links.indexOf(focused) : -1
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
  }
  const turn = (to: number | null) => {
    if (to !== null) void navigate(listPath(data, { page: to }))
  }
  useShortcuts([
    { keys: 'j', label: 'Next row', run: () => move(1) },
    { keys: 'k', label: 'Previous row', run: () => move(-1) },
    { keys: ']', label: 'Next page', run: () => turn(nextPage(data)) },
    { keys: '[', label: 'Previous page', run: () => turn(data.page > 1 ? data.page - 1 : null) },
  ])
}

function ReleaseTable({ data }: { readonly data: Data }) {
  return (
    <Table
      caption="Releases"
      edge
      stacks="columns early"
      className="phone:max-[86rem]:[&_:is(td,th):not(:first-child,:last-child)]:px-2"
    >
      <thead>
        <tr>
          <th scope="col">Release</th>
          <th scope="col" className="stack-end">
            Deployed
          </th>
          <HealthHeads />
          <th scope="col" className={tableNum}>
            Events
          </th>
          <th scope="col" className={tableNum}>
            New
          </th>
          <th scope="col" className={tableNum}>
            <abbr title="Regressed" className="no-underline">
              Regr.
            </abbr>
          </th>
          <th scope="col" className={`stack-none wide-only ${tableNum}`}>
            Resolved
          </th>
          <th scope="col" className="stack-none wide-only">
            Commits
          </th>
          <th scope="col" className="stack-none mid-only">
            Source maps
          </th>
        </tr>
      </thead>
      {groupsOf(data).map(({ name, said, rows }) => (
        <tbody key={name}>
          {name === '' ? null : (
            <tr className="bg-sunken">
              <th scope="rowgroup" colSpan={11} className="foreign text-12 font-strong text-ink-2">
                {name}
                <span className="ms-2 font-normal text-ink-3">{numberText(rows.length)}</span>
              </th>
            </tr>
          )}
          {rows.map((row) => (
            <ReleaseRow
              key={row.version}
              {...{ row, said }}
              org={data.org}
              health={data.health[row.version] ?? null}
            />
          ))}
        </tbody>
      ))}
    </Table>
  )
}

/** By project: that of the chart, then the one with the newest release; one group without a name where there is one project alone. */
function groupsOf({ rows, address, adoption }: Data): readonly Group[] {
  const groups = [...Map.groupBy(rows, projectsText)]
  // Who chose a project reads its name above the list.
  if (groups.length < 2)
    return [{ name: '', said: address.project === '' ? '' : (groups[0]?.[0] ?? ''), rows }]
  if (address.sort === 'new' || address.sort === 'events') return [{ name: '', said: '', rows }]
  const charted = new Set(adoption?.views.map(({ project }) => project))
  const [first, others] = [true, false].map((isCharted) =>
    groups.filter(([name]) => charted.has(name) === isCharted),
  )
  return [...(first ?? []), ...(others ?? [])].map(([name, own]) => ({ name, said: name, rows: own }))
}

interface Group {
  /** Heading above its rows, if there is one. */
  readonly name: string
  /** Project that the rows need not say; empty if they do. */
  readonly said: string
  readonly rows: readonly Row[]
}

function ReleaseRow(props: {
  readonly row: Row
  /** Project that is said of all around it: its group's, or the chosen one; empty if it states its own. */
  readonly said: string
  readonly org: string
  readonly health: ListedHealth | null
}) {
  const { row, org, health } = props
  const { eventCount, newIssues } = row.ofAll
  return (
    <tr>
      <th scope="row" className="max-w-80 truncate">
        <PageLink
          to={paths.release(org, row.version)}
          className="foreign link row-link font-strong"
          title={row.version}
          {...{ [ROW_LINK]: '' }}
        >
          {versionOf(row.version)}
        </PageLink>
        <span className="ms-2 font-normal text-ink-2">
          {props.said === '' ? whoseText(row) : otherPackage(row, props.said)}
        </span>
        {row.status === 'archived' ? (
          <span className="ms-2">
            <Chip tone="outline">Archived</Chip>
          </span>
        ) : null}
      </th>
      <td className="stack-end">
        <Deployed row={row} />
      </td>
      <HealthCells health={health} />
      <td className={tableNum}>
        <Count value={eventCount} />
      </td>
      <td className={tableNum}>
        <Count value={newIssues} className={newIssues > 0 ? 'font-strong' : ''} />
      </td>
      <td className={tableNum}>
        <Count
          value={row.regressedIssues}
          className={row.regressedIssues > 0 ? 'font-strong text-bad' : ''}
        />
      </td>
      <td className={`stack-none wide-only ${tableNum}`}>
        <Count value={row.resolvedIssues} className={row.resolvedIssues > 0 ? 'text-good' : ''} />
      </td>
      <td className="stack-none wide-only">
        <Commits row={row} />
      </td>
      <td className="stack-none mid-only">
        <Maps artifacts={row.artifacts} />
      </td>
    </tr>
  )
}

/** Returns the release's package, if that differs from its project's name. */
function otherPackage({ version }: Row, project: string): string {
  const name = packageOf(version)
  return name === project ? '' : name
}

/** Shows when it was deployed; without a deploy, when it was released or made. */
function Deployed({ row }: { readonly row: Row }) {
  if (row.lastDeploy === null)
    return (
      <span className="text-ink-2 whitespace-nowrap">
        <Time ms={row.releasedMs ?? row.createdMs} />
        <span className="mid-only text-ink-3">, {releaseBeginning(row)}</span>
      </span>
    )
  return (
    <span className="whitespace-nowrap">
      <Time ms={row.lastDeploy.finishedMs} />
      <span className="foreign mid-only text-ink-3">, {row.lastDeploy.environment}</span>
    </span>
  )
}

const AUTHORS_SHOWN = 2

function Commits({ row }: { readonly row: Row }) {
  const beyond = row.authors.length - AUTHORS_SHOWN
  return (
    <span className="inline-flex items-center gap-1.5">
      <Count value={row.commitCount} className="stack-fit min-w-5 text-end" />
      <span className="wide-only inline-flex items-center gap-1">
        {row.authors.slice(0, AUTHORS_SHOWN).map((author) => (
          <Avatar key={`${author.email} ${author.name}`} name={nameOfAuthor(author)} />
        ))}
        {beyond > 0 ? <span className="text-12 text-ink-3">+{numberText(beyond)}</span> : null}
      </span>
    </span>
  )
}

function nameOfAuthor({ name, email, member }: Row['authors'][number]): string {
  return member?.name || (name ?? email ?? 'unknown author')
}

function Maps({ artifacts }: { readonly artifacts: Row['artifacts'] }) {
  if (artifacts === null) return <span className="text-ink-3">none</span>
  if (artifacts.usedMs !== null) return <Verified />
  return <span className="text-ink-2">unused</span>
}

/** The package as well, where it is called otherwise than the project. */
function whoseText(row: Row): string {
  const name = packageOf(row.version)
  const isSaid = name === '' || row.projects.some(({ slug }) => slug === name)
  return isSaid ? projectsText(row) : `${name} in ${projectsText(row)}`
}

const ORDER_TEXTS = {
  date: 'newest deploy first',
  semver: 'by version within each project',
  new: 'most new issues first',
  events: 'most events first',
} as const

function nextPage({ page, limit, total }: Data): number | null {
  return page * limit < total ? page + 1 : null
}

function Foot({ data }: { readonly data: Data }) {
  const { page, total } = data
  const next = nextPage(data)
  const link = (to: number) => listPath(data, { page: to })
  return (
    <footer className="flex flex-wrap items-center gap-2 px-6 py-3 text-13 text-ink-2 max-phone:px-4">
      <span className="flex-1">
        {quantityText(total, 'release')}, {ORDER_TEXTS[data.address.sort]}.
        {Object.keys(data.health).length === 0 ? null : ` Crash-free is ${GOAL_TEXT}.`}
      </span>
      {page > 1 ? (
        <PageLink className="btn touch" to={link(page - 1)}>
          Previous
        </PageLink>
      ) : null}
      {next === null ? null : (
        <PageLink className="btn touch" to={link(next)}>
          Next
        </PageLink>
      )}
    </footer>
  )
}
