/** Releases, newest first: what came with each. */
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { buttonClass } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { Count } from '#ui/number.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { ListedHealth } from './health.server.ts'
import { HealthCells, HealthHeads } from './health-cells.tsx'
import type { loadReleases } from './releases.server.ts'

type Data = Awaited<ReturnType<typeof loadReleases>>
type Row = Data['rows'][number]

export function ReleasesPage() {
  const data = usePageData<typeof loadReleases>()
  const isFiltered = data.text !== '' || data.project !== null
  return (
    <>
      <title>{`Releases · ${data.org} · Errata`}</title>
      <h1 className="visually-hidden">Releases</h1>
      <Filters data={data} />
      {data.rows.length === 0 ? (
        <Empty
          title={isFiltered ? 'No release matches' : 'No releases yet'}
          next={
            isFiltered ? (
              <PageLink className={buttonClass()} to={paths.releases(data.org)}>
                Show all releases
              </PageLink>
            ) : undefined
          }
        >
          {isFiltered
            ? 'No release has this name in the chosen projects.'
            : 'A release appears with the first event that names it, or with sentry-cli releases new.'}
        </Empty>
      ) : (
        <>
          <ReleaseTable data={data} />
          <Foot data={data} />
        </>
      )}
    </>
  )
}

function Filters({ data }: { readonly data: Data }) {
  const chosen = data.projects.find(({ slug }) => slug === data.project)
  const link = (project: string | null) => paths.releases(data.org, { project, query: data.text })
  return (
    <div className="flex flex-wrap items-center gap-2 px-6 pt-3 pb-4 max-phone:px-4">
      <Menu className="btn touch" label={chosen?.name ?? data.project ?? 'All projects'}>
        <PageLink to={link(null)} className={menuItem}>
          All projects
        </PageLink>
        {data.projects.map(({ id, slug, name }) => (
          <PageLink key={id} to={link(slug)} className={menuItem}>
            <span className="foreign">{name}</span>
          </PageLink>
        ))}
      </Menu>
      <form method="get" action={paths.releases(data.org)} className="min-w-0 flex-1">
        {data.project === null ? null : <input type="hidden" name="project" value={data.project} />}
        <input
          type="search"
          name="query"
          className="field touch w-full"
          defaultValue={data.text}
          placeholder="Version"
          aria-label="Find a release by its version"
        />
      </form>
    </div>
  )
}

function ReleaseTable({ data }: { readonly data: Data }) {
  return (
    <Table caption="Releases" edge stacks="early">
      <thead>
        <tr>
          <th scope="col">Release</th>
          <th scope="col">Released</th>
          <th scope="col">Last deploy</th>
          <HealthHeads />
          <th scope="col" className={tableNum}>
            New issues
          </th>
          <th scope="col" className={tableNum}>
            Events
          </th>
          <th scope="col" className={tableNum}>
            Commits
          </th>
          <th scope="col">Last event</th>
        </tr>
      </thead>
      <tbody>
        {data.rows.map((row) => (
          <ReleaseRow key={row.version} row={row} org={data.org} health={data.health[row.version] ?? null} />
        ))}
      </tbody>
    </Table>
  )
}

function ReleaseRow(props: {
  readonly row: Row
  readonly org: string
  readonly health: ListedHealth | null
}) {
  const { row, org, health } = props
  const sum = (of: 'newIssues' | 'eventCount') => row.projects.reduce((total, each) => total + each[of], 0)
  const last = row.projects.reduce((latest, { lastEventMs }) => Math.max(latest, lastEventMs ?? 0), 0)
  const newIssues = sum('newIssues')
  return (
    <tr>
      <th scope="row" className="max-w-80 truncate">
        <PageLink
          to={paths.release(org, row.version)}
          className="foreign link font-strong"
          title={row.version}
        >
          {versionOf(row.version)}
        </PageLink>
        <span className="ms-2 font-normal text-ink-2">{whoseText(row)}</span>
        {row.status === 'archived' ? (
          <span className="ms-2">
            <Chip tone="outline">Archived</Chip>
          </span>
        ) : null}
      </th>
      <td data-label="Released">
        <Time ms={row.releasedMs ?? row.createdMs} form="age" />
      </td>
      <td data-label="Last deploy">
        {row.lastDeploy === null ? (
          <span className="text-ink-3">none</span>
        ) : (
          <>
            <span className="foreign">{row.lastDeploy.environment}</span>{' '}
            <Time ms={row.lastDeploy.finishedMs} form="age" />
          </>
        )}
      </td>
      <HealthCells health={health} />
      <td className={tableNum} data-label="New issues">
        <Count value={newIssues} className={newIssues > 0 ? 'font-strong' : 'text-ink-3'} />
      </td>
      <td className={tableNum} data-label="Events">
        <Count value={sum('eventCount')} />
      </td>
      <td className={tableNum} data-label="Commits">
        <Count value={row.commitCount} />
      </td>
      <td data-label="Last event">
        {last === 0 ? <span className="text-ink-3">none</span> : <Time ms={last} form="age" />}
      </td>
    </tr>
  )
}

/** The package as well, where it is called otherwise than the project. */
function whoseText({ version, projects }: Row): string {
  const slugs = projects.map(({ slug }) => slug)
  const name = version.slice(0, Math.max(0, version.lastIndexOf('@')))
  return name === '' || slugs.includes(name) ? slugs.join(', ') : `${name} in ${slugs.join(', ')}`
}

function Foot({ data }: { readonly data: Data }) {
  const { page, total, limit } = data
  const link = (to: number) =>
    paths.releases(data.org, { project: data.project, query: data.text, page: to === 1 ? null : to })
  return (
    <footer className="flex flex-wrap items-center gap-2 px-6 py-3 text-13 text-ink-2 max-phone:px-4">
      <span className="flex-1">{quantityText(total, 'release')}, newest first</span>
      {page > 1 ? (
        <PageLink className="btn touch" to={link(page - 1)}>
          Previous
        </PageLink>
      ) : null}
      {page * limit < total ? (
        <PageLink className="btn touch" to={link(page + 1)}>
          Next
        </PageLink>
      ) : null}
    </footer>
  )
}
