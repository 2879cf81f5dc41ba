/** Routes with their kinds: how many, how long, how they ended. */
import { Fragment, type ReactNode } from 'react'
import { KindBadge } from '#parts/issue-marks.tsx'
import { paths } from '#parts/paths.ts'
import { Icon } from '#ui/icons.tsx'
import { quantityText, shareText } from '#ui/number-text.ts'
import { Table } from '#ui/table.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { actionNameTexts, UNNAMED } from './action-section.tsx'
import { examplesPath } from './example-links.ts'
import { CountLink, DurationLink, FailedShare, failedTone, P75Change } from './figure-cells.tsx'
import { isFew, pageKey, type RouteRow, requestRateText } from './figures.ts'
import { LatencyTrend } from './latency-trend.tsx'
import { PercentileStrip, StripScale } from './percentile-strip.tsx'
import type { PerformanceData } from './performance.server.ts'
import { filterQuery, performanceQuery } from './performance-address.ts'
import { isSummed, type SortKey, type Sums } from './route-groups.ts'

/** A longer name has several lines, so that every number stays in sight. */
const NAME_WIDTH = 'phone:max-w-72 min-[81.25rem]:min-w-48 whitespace-normal'

const COLUMNS: readonly {
  readonly sort: SortKey
  readonly head: string
  readonly title?: string
}[] = [
  { sort: 'requests', head: 'Requests' },
  { sort: 'p50', head: 'p50', title: 'Half of the requests were faster' },
  { sort: 'p75', head: 'p75', title: '75 % of the requests were faster' },
  { sort: 'p95', head: 'p95', title: '95 % of the requests were faster' },
  { sort: 'p99', head: 'p99', title: '99 % of the requests were faster' },
]
const ENDS: typeof COLUMNS = [
  { sort: 'failed', head: 'Failed' },
  { sort: 'rate', head: 'Rate', title: 'Share of failed requests' },
  { sort: 'behind200', head: 'Failed, 200', title: 'Failed with status 200' },
  { sort: 'aborted', head: 'Aborted', title: 'The client disconnected' },
  { sort: 'time', head: 'Time', title: 'Share of the time of all requests' },
  {
    sort: 'change',
    head: 'p75 change',
    title: 'p75 compared with the previous period, if the difference is significant',
  },
]

/** Its columns are styled by their place, in `figure-columns.css`: classes of the cells would be a third of the document. */
export function RouteTable({ data }: { readonly data: PerformanceData }) {
  return (
    <Table caption="Routes by request kind" edge stacks="columns" className="figure-columns">
      <thead>
        <tr>
          <Heading data={data} column={{ sort: 'route', head: 'Route and request kind' }} />
          {COLUMNS.slice(0, 1).map((column) => (
            <Heading key={column.sort} data={data} column={column} />
          ))}
          <th scope="col">Per min</th>
          {COLUMNS.slice(1).map((column) => (
            <Heading key={column.sort} data={data} column={column} />
          ))}
          <th scope="col">
            <StripScale />
          </th>
          {ENDS.map((column) => (
            <Heading key={column.sort} data={data} column={column} />
          ))}
          <th scope="col">p75 over time</th>
        </tr>
      </thead>
      {data.groups.map((group) => (
        <Group key={`${group.projectId} ${group.route}`} group={group} data={data} />
      ))}
    </Table>
  )
}

/** A heading sorts by its column: most first, then the other way round. */
function Heading(props: { readonly data: PerformanceData; readonly column: (typeof COLUMNS)[number] }) {
  const { org, address } = props.data
  const { sort, head, title } = props.column
  const isHere = address.sort === sort
  const startsAscending = sort === 'route'
  const isAscending = isHere ? !address.isAscending : startsAscending
  const shown = isHere ? (address.isAscending ? 'ascending' : 'descending') : undefined
  return (
    <th scope="col" aria-sort={shown}>
      <PageLink
        to={paths.performance(org, performanceQuery(address, { sort, isAscending }))}
        className="inline-flex items-center gap-0.5 hover:text-ink"
        title={title}
        preventScrollReset
      >
        {head}
        {isHere ? <Icon name={address.isAscending ? 'arrow-up' : 'arrow-down'} size={12} /> : null}
      </PageLink>
    </th>
  )
}

type RouteGroup = PerformanceData['groups'][number]
/** A row with the page of its group. */
type ShownRow = RouteGroup['rows'][number] & Pick<RouteRow, 'projectId' | 'route'>
type ShownAction = RouteGroup['actions'][number]

function Group({ group, data }: { readonly group: RouteGroup; readonly data: PerformanceData }) {
  const { projectId, route } = group
  const rows = group.rows.map((row) => ({ ...row, projectId, route }))
  const [only] = rows
  const isOne = rows.length === 1
  return (
    <tbody>
      {isOne && only !== undefined ? (
        <>
          <KindRow row={only} data={data}>
            <th scope="row">
              <RouteName group={group} data={data}>
                <KindBadge kind={only.kind} />
              </RouteName>
            </th>
          </KindRow>
          {only.kind === 'action' ? <ActionRows group={group} data={data} /> : null}
        </>
      ) : (
        <>
          <GroupRow group={group} data={data} />
          {rows.map((row) => (
            <Fragment key={row.kind}>
              <KindRow row={row} data={data}>
                <th scope="row" className="sub-row">
                  <PageLink to={routePath(data, row)} className="row-link">
                    {row.kind === 'other' ? 'other' : <KindBadge kind={row.kind} />}
                  </PageLink>
                </th>
              </KindRow>
              {row.kind === 'action' ? <ActionRows group={group} data={data} /> : null}
            </Fragment>
          ))}
        </>
      )}
    </tbody>
  )
}

/** The rest is on the page of the route. */
const ACTIONS_SHOWN = 5

/** Below the kind that they are of. */
function ActionRows({ group, data }: { readonly group: RouteGroup; readonly data: PerformanceData }) {
  const { actions } = group
  const of = { ...group, kind: 'action' } as const
  const more = actions.length - ACTIONS_SHOWN
  return (
    <>
      {actions.slice(0, ACTIONS_SHOWN).map((row) => (
        <ActionLine key={row.action} row={row} of={of} data={data} />
      ))}
      {more <= 0 ? null : (
        <tr>
          <td colSpan={COLUMNS.length + ENDS.length + 4}>
            <PageLink
              to={routePath(data, of)}
              className="link row-link ps-10 text-12 max-phone:inline-block max-phone:py-1"
            >
              {more} more {more === 1 ? 'action' : 'actions'}
            </PageLink>
          </td>
        </tr>
      )}
    </>
  )
}

function ActionLine(props: {
  readonly row: ShownAction
  readonly of: Pick<RouteRow, 'projectId' | 'route'>
  readonly data: PerformanceData
}) {
  const { row, data } = props
  const { action } = row
  const { projectId, route } = props.of
  const shown = { ...row, kind: 'action', projectId, route, trend: null } as const
  return (
    <KindRow row={shown} action={action} data={data}>
      <th scope="row" className="sub-row">
        {action === '' ? (
          <span className="ps-10 text-ink-3">{UNNAMED}</span>
        ) : (
          <PageLink
            to={routePath(data, { ...shown, action })}
            className={`foreign inline-flex row-link ps-10! ${NAME_WIDTH}`}
          >
            <code className="text-12">{action}</code>
          </PageLink>
        )}
      </th>
    </KindRow>
  )
}

function RouteName(props: {
  readonly group: RouteGroup
  readonly data: PerformanceData
  readonly children?: ReactNode
}) {
  const { group, data } = props
  const project = projectOfRow(data, group)
  return (
    <span className={`flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 py-1 ${NAME_WIDTH}`}>
      <PageLink
        to={routePath(data, { ...group, kind: group.rows.length === 1 ? group.rows[0]?.kind : undefined })}
        prefetch
        className="foreign row-link text-start hover:underline"
      >
        <code className="font-strong">{group.route}</code>
      </PageLink>
      {data.address.project === null && data.isMany ? (
        <span className="foreign text-12 font-normal text-ink-3">{project?.name}</span>
      ) : null}
      {props.children}
    </span>
  )
}

function projectOfRow(data: PerformanceData, { projectId }: Pick<RouteRow, 'projectId'>) {
  return data.projects.find(({ id }) => id === projectId)
}

function routePath(
  data: PerformanceData,
  of: Pick<RouteRow, 'projectId' | 'route'> & {
    readonly kind?: RouteRow['kind'] | undefined
    readonly action?: string
  },
): string {
  const { project: _, ...filter } = filterQuery(data.address)
  const slug = projectOfRow(data, of)?.slug ?? String(of.projectId)
  const { route, kind, action } = of
  return paths.performanceRoute(data.org, slug, { route, kind, action, ...filter })
}

/** The sums of a route’s kinds. Percentiles of different kinds are not mixed. */
function GroupRow({ group, data }: { readonly group: RouteGroup; readonly data: PerformanceData }) {
  return (
    <tr>
      <th scope="row">
        <RouteName group={group} data={data} />
      </th>
      <CountCells of={group.sums} route={group} kind={null} data={data} isStrong />
      <td />
      <td />
      <td />
      <td />
      <td />
      <EndCells of={group.sums} route={group} kind={null} data={data} isStrong />
      <td />
      <td />
    </tr>
  )
}

function KindRow(props: {
  readonly row: ShownRow
  readonly action?: string
  readonly data: PerformanceData
  readonly children: ReactNode
}) {
  const { row, action, data } = props
  const duration = (key: 'p50Ms' | 'p75Ms' | 'p95Ms' | 'p99Ms') => (
    <DurationLink
      isBare
      ms={row[key]}
      count={row.count}
      alarms={data.alarms}
      to={examplesOf(data, row, { kind: row.kind, action, fromMs: row[key] })}
    />
  )
  return (
    <tr className={isFew(row.count) ? 'few-row' : undefined}>
      {props.children}
      <CountCells of={row} route={row} kind={row.kind} action={action} data={data} />
      <td>{duration('p50Ms')}</td>
      <td>{duration('p75Ms')}</td>
      <td>{duration('p95Ms')}</td>
      <td>{duration('p99Ms')}</td>
      <td>
        {isFew(row.count) ? (
          `of ${quantityText(row.count, 'request')}`
        ) : (
          <PercentileStrip figures={row} alarms={data.alarms} />
        )}
      </td>
      <EndCells of={row} route={row} kind={row.kind} action={action} data={data} />
      <td>
        <P75Change now={row} before={row.before} change={row.change} />
      </td>
      <td>{row.trend === null ? null : <LatencyTrend trend={row.trend} data={data} />}</td>
    </tr>
  )
}

interface CellsOf {
  readonly of: Sums
  readonly route: Pick<RouteRow, 'projectId' | 'route'>
  readonly kind: RouteRow['kind'] | null
  readonly action?: string | undefined
  readonly data: PerformanceData
  readonly isStrong?: true
}

function CountCells({ of, route, kind, action, data, isStrong }: CellsOf) {
  const { startMs, endMs } = data.range
  return (
    <>
      <td>
        <CountLink
          isBare
          value={of.count}
          isEstimated={of.isEstimated}
          to={examplesOf(data, route, { kind, action })}
          className={isStrong === true ? 'font-strong' : ''}
        />
      </td>
      <td>{requestRateText(of.count, endMs - startMs)}</td>
    </>
  )
}

function EndCells({ of, route, kind, action, data, isStrong }: CellsOf) {
  const tone = failedTone(of.failed, of.count, data.alarms)
  const strong = isStrong === true ? 'font-strong' : ''
  const link = (status: 'failed' | 'failed-behind-200' | 'aborted') =>
    examplesOf(data, route, { kind, action, status })
  return (
    <>
      <td>
        <CountLink
          isBare
          value={of.failed}
          isEstimated={of.isEstimated}
          to={link('failed')}
          className={tone || strong}
        />
      </td>
      <td className={tone || undefined}>
        <FailedShare isBare failed={of.failed} count={of.count} />
      </td>
      <td>
        <CountLink
          isBare
          value={of.failedBehind200}
          isEstimated={of.isEstimated}
          to={link('failed-behind-200')}
          className={failedTone(of.failedBehind200, of.count, data.alarms) || strong}
        />
      </td>
      <td>
        <CountLink isBare value={of.aborted} isEstimated={of.isEstimated} to={link('aborted')} />
      </td>
      <td>{kind === null || isSummed(kind) ? shareText(of.totalMs, data.totalMs) : '–'}</td>
    </>
  )
}

function examplesOf(
  data: PerformanceData,
  of: Pick<RouteRow, 'projectId' | 'route'>,
  more: Omit<Parameters<typeof examplesPath>[2], 'route' | 'project'>,
): string | null {
  const project = projectOfRow(data, of)?.slug ?? null
  const named =
    more.action === ''
      ? actionNameTexts(data.groups.find((group) => pageKey(group) === pageKey(of))?.actions ?? [])
      : []
  return examplesPath(data.org, data.address, { route: of.route, project, named, ...more })
}
