/** An issue list without rows: why, and what to do next. */
import { DocsLink } from '#parts/docs-link.tsx'
import { listQuery, TABS } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueListData } from './issue-list.server.ts'

export function ListEmpty({ data }: { readonly data: IssueListData }) {
  const { list, address, org } = data
  if (list.problems.length > 0) return <NotUnderstood data={data} />
  const { hasProject, silent } = data.silent
  if (!hasProject && list.tabs.all === 0 && address.query === '') return <NoProject org={org} />
  if (list.tabs.all === 0 && silent !== null) return <NoEvent org={org} project={silent} />
  return <NoMatch data={data} />
}

function NotUnderstood({ data }: { readonly data: IssueListData }) {
  const { org, address } = data
  return (
    <Empty
      title="Invalid search"
      next={
        <PageLink
          className={buttonClass('plain', 'normal', 'touch')}
          to={paths.issues(org, listQuery(address, { query: '', saved: savedChoice(data) }))}
        >
          Clear the search
        </PageLink>
      }
    >
      <p>
        You can search for words of a title, <code>is:unresolved</code>, <code>level:error</code>,{' '}
        <code>kind:action</code>, <code>user:anna@example.com</code>, <code>events:&gt;100</code>,{' '}
        <code>assigned:me</code>, <code>firstSeen:-24h</code>, any tag as <code>key:value</code>, and{' '}
        <code>has:key</code>. <code>*</code> stands for any text, <code>!</code> before a term excludes it,
        quotes keep a value together, and <code>OR</code> with parentheses combines alternatives.{' '}
        <DocsLink to="search">All fields</DocsLink>
      </p>
    </Empty>
  )
}

function NoProject({ org }: { readonly org: string }) {
  return (
    <Empty
      title="No projects yet"
      next={
        <PageLink className={buttonClass('primary', 'normal', 'touch')} to={paths.newProject(org)}>
          Create a project
        </PageLink>
      }
    >
      Issues appear as soon as an app sends errors to one of this organisation’s projects.{' '}
      <DocsLink to="first-event" />
    </Empty>
  )
}

function NoEvent({ org, project }: { readonly org: string; readonly project: string }) {
  return (
    <Empty
      title="No events yet"
      next={
        <PageLink className={buttonClass('primary', 'normal', 'touch')} to={paths.firstEvent(org, project)}>
          Connect an app
        </PageLink>
      }
    >
      Errors appear here once an app calls <code>{'Sentry.init({ dsn })'}</code>.{' '}
      <DocsLink to="first-event#3-see-it" />
    </Empty>
  )
}

function NoMatch({ data }: { readonly data: IssueListData }) {
  const { org, address, list, range } = data
  const tab = TABS.find(({ key }) => key === address.tab)
  const others = TABS.filter(({ key }) => key !== address.tab && list.tabs[key] > 0)
  const isFiltered = address.query !== '' || address.projects.length + address.environments.length > 0
  const what =
    address.tab === 'all'
      ? 'issues'
      : address.tab === 'review'
        ? 'issues for review'
        : `${address.tab} issues`
  return (
    <Empty
      title={isFiltered ? `No ${what} match` : `No ${what}`}
      next={
        <>
          {isFiltered ? (
            <PageLink
              className={buttonClass('plain', 'normal', 'touch')}
              to={paths.issues(
                org,
                listQuery(address, { query: '', saved: savedChoice(data), projects: [], environments: [] }),
              )}
            >
              Clear all filters
            </PageLink>
          ) : null}
          {address.range === '90d' && address.from === null ? null : (
            <PageLink
              className={buttonClass('quiet', 'normal', 'touch')}
              to={paths.issues(org, listQuery(address, { range: '90d', from: null, to: null }))}
            >
              Show the last 90 days
            </PageLink>
          )}
        </>
      }
    >
      {list.looser === null || list.unknownTags.length > 0 ? null : (
        <p className="mb-1">
          Values must match exactly.{' '}
          <PageLink
            className="link link-text"
            to={paths.issues(org, listQuery(address, { query: list.looser }))}
          >
            Look for <span className="foreign">{list.looser}</span>
          </PageLink>
        </p>
      )}
      Nothing under “{tab?.label}” {isFiltered ? 'matches' : 'happened'}{' '}
      {address.from === null ? `in the ${range.label.toLowerCase()}` : range.label}.
      {others.length === 0 ? null : (
        <>
          {' '}
          There {list.tabs[others[0]?.key ?? 'all'] === 1 ? 'is' : 'are'}{' '}
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

/** Without a search the list would open with the person’s own. */
function savedChoice({ preferences }: IssueListData): 'none' | null {
  return preferences.defaultSearch === null ? null : 'none'
}
