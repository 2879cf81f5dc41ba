/** An issue list without rows: why, and what to do next. */
import { listQuery, TABS } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueListData } from './issue-list.server.ts'

export function ListEmpty({ data }: { readonly data: IssueListData }) {
  const { list, address, org } = data
  if (list.problems.length > 0) return <NotUnderstood data={data} />
  const own = list.projects.filter((project) => !project.isSelf)
  if (own.length === 0 && list.tabs.all === 0 && address.query === '') return <NoProject org={org} />
  const chosen = own.filter(({ slug }) => address.projects.length === 0 || address.projects.includes(slug))
  if (list.tabs.all === 0 && chosen.length > 0 && chosen.every(({ firstEventMs }) => firstEventMs === null)) {
    return <NoEvent org={org} project={chosen[0]?.slug ?? ''} count={chosen.length} />
  }
  return <NoMatch data={data} />
}

function NotUnderstood({ data }: { readonly data: IssueListData }) {
  const { org, address, list } = data
  return (
    <Empty
      title="The search was not understood"
      next={
        <PageLink className={buttonClass()} to={paths.issues(org, listQuery(address, { query: '' }))}>
          Remove the search
        </PageLink>
      }
    >
      <ul className="foreign">
        {list.problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      <p className="mt-2">
        It takes words of a title, <code>is:unresolved</code>, <code>level:error</code>,{' '}
        <code>release:1.2.*</code>, <code>assigned:me</code>, any tag as <code>key:value</code>,{' '}
        <code>has:key</code>, <code>!</code> before a term and quotes around a value.
      </p>
    </Empty>
  )
}

function NoProject({ org }: { readonly org: string }) {
  return (
    <Empty
      title="No project yet"
      next={
        <PageLink className={buttonClass('primary')} to={paths.newProject(org)}>
          Create a project
        </PageLink>
      }
    >
      Issues appear as soon as an app sends its errors to a project of this organisation.
    </Empty>
  )
}

function NoEvent({
  org,
  project,
  count,
}: {
  readonly org: string
  readonly project: string
  readonly count: number
}) {
  return (
    <Empty
      title="No event yet"
      next={
        <PageLink className={buttonClass('primary')} to={paths.firstEvent(org, project)}>
          Connect an app
        </PageLink>
      }
    >
      {count === 1 ? 'The project has' : `All ${count} projects have`} not received anything so far.
    </Empty>
  )
}

function NoMatch({ data }: { readonly data: IssueListData }) {
  const { org, address, list } = data
  const tab = TABS.find(({ key }) => key === address.tab)
  const others = TABS.filter(({ key }) => key !== address.tab && list.tabs[key] > 0)
  const range = rangeOf(address.range)
  const isFiltered = address.query !== '' || address.projects.length + address.environments.length > 0
  const what =
    address.tab === 'all' ? 'issue' : address.tab === 'review' ? 'issue for review' : `${address.tab} issue`
  return (
    <Empty
      title={isFiltered ? `No ${what} matches` : `No ${what}`}
      next={
        <>
          {isFiltered ? (
            <PageLink
              className={buttonClass()}
              to={paths.issues(org, listQuery(address, { query: '', projects: [], environments: [] }))}
            >
              Remove all filters
            </PageLink>
          ) : null}
          {range.key === '90d' ? null : (
            <PageLink
              className={buttonClass('quiet')}
              to={paths.issues(org, listQuery(address, { range: '90d' }))}
            >
              Show the last 90 days
            </PageLink>
          )}
        </>
      }
    >
      In the {range.label.toLowerCase()} nothing under “{tab?.label}”{' '}
      {isFiltered ? 'meets the filter' : 'happened'}.
      {others.length === 0 ? null : (
        <>
          {' '}
          There is{' '}
          {others.map(({ key, label }, index) => (
            <span key={key}>
              {index === 0 ? '' : index === others.length - 1 ? ' and ' : ', '}
              <PageLink className="link link-text" to={paths.issues(org, listQuery(address, { tab: key }))}>
                {quantityText(list.tabs[key], 'issue')} under “{label}”
              </PageLink>
            </span>
          ))}
          .
        </>
      )}
    </Empty>
  )
}
