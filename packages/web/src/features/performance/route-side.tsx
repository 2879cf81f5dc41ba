/** Beside the charts: the figures against the period before, the other kinds, issues, web vitals. */
import type { ReactNode } from 'react'
import { KindBadge } from '#parts/issue-marks.tsx'
import { useRangeText } from '#parts/range-name.tsx'
import { Readable } from '#parts/readable.tsx'
import { VITALS, VitalBar, VitalRating, VitalShares, VitalValue, vitalText } from '#parts/vital-marks.tsx'
import { countText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { examplesPath } from './example-links.ts'
import {
  CountLink,
  DurationLink,
  ESTIMATED,
  FailedShare,
  failedTone,
  shortDuration,
} from './figure-cells.tsx'
import { changeOf, type Figures, isSlower, ratioText, requestRateText } from './figures.ts'
import type { RouteData } from './performance.server.ts'
import { RouteIssues } from './route-issues.tsx'
import { routeLink } from './route-link.ts'

export function RouteSide({ data }: { readonly data: RouteData }) {
  return (
    <aside aria-label="Figures" className="min-w-0 border-t">
      {data.kinds.length === 0 ? null : <FigureList data={data} />}
      {data.kinds.length > 1 ? <KindList data={data} /> : null}
      <Readable part="issues" what="Issues">
        {data.issues.rows.length === 0 ? null : <RouteIssues data={data} />}
      </Readable>
      {data.vitals.length === 0 ? null : <VitalList data={data} />}
    </aside>
  )
}

type Status = 'failed' | 'failed-behind-200' | 'aborted'

function FigureList({ data }: { readonly data: RouteData }) {
  const { figures, before, alarms, range } = data
  const none = before === null ? null : ''
  const within = useRangeText(data.address)
  const link = (status?: Status) =>
    examplesPath(data.org, data.address, {
      ...{ route: data.route, kind: data.kind, action: data.action, project: data.project.slug },
      ...(status === undefined ? {} : { status }),
    })
  const count = (key: 'count' | 'failed' | 'failedBehind200' | 'aborted', status?: Status) => (
    <CountLink
      value={figures[key]}
      isEstimated={figures.isEstimated}
      to={link(status)}
      className={key === 'failed' ? failedTone(figures.failed, figures.count, alarms) : 'font-medium'}
    />
  )
  return (
    <SideSection title="Requests" note={before === null ? within : `${within}, compared with the previous`}>
      <table className="tall-links w-full text-13">
        <caption className="visually-hidden">Compared with the previous period</caption>
        <tbody>
          <Line name="Requests" value={count('count')} change={countChange(figures, before, 'count')} />
          <Line
            name="Per minute"
            value={requestRateText(figures.count, range.endMs - range.startMs)}
            change={none}
          />
          <Line
            name="Failed"
            value={count('failed', 'failed')}
            change={countChange(figures, before, 'failed')}
          />
          <Line
            name="Rate"
            value={<FailedShare failed={figures.failed} count={figures.count} />}
            change={none}
          />
          <Line
            name="Failed with status 200"
            value={count('failedBehind200', 'failed-behind-200')}
            change={countChange(figures, before, 'failedBehind200')}
          />
          <Line
            name="Aborted"
            value={count('aborted', 'aborted')}
            change={countChange(figures, before, 'aborted')}
          />
          <Percentiles data={data} />
          <FailedPercentiles data={data} />
        </tbody>
      </table>
    </SideSection>
  )
}

function Percentiles({ data }: { readonly data: RouteData }) {
  const { figures, before } = data
  return (['p50Ms', 'p75Ms', 'p95Ms', 'p99Ms'] as const).map((key) => {
    const was = before?.[key] ?? null
    const { route, kind, action } = data
    const of = { route, kind, action, project: data.project.slug, fromMs: figures[key] }
    return (
      <Line
        key={key}
        name={key.slice(0, 3)}
        value={
          <DurationLink
            ms={figures[key]}
            count={figures.count}
            alarms={data.alarms}
            to={examplesPath(data.org, data.address, of)}
            className="font-medium"
          />
        }
        change={before === null ? null : changeOfPercentile(data, key)}
        isWorse={key === 'p75Ms' && data.change !== null && isSlower(figures[key], was)}
      />
    )
  })
}

/**
 * Describes a percentile's change: for p75 by how much, if that is no chance; for the others what they were.
 */
function changeOfPercentile(
  { before, change }: RouteData,
  key: 'p50Ms' | 'p75Ms' | 'p95Ms' | 'p99Ms',
): string {
  if (key === 'p75Ms' && change !== null) return ratioText(change)
  const was = before?.[key] ?? null
  return was === null ? '' : `was ${shortDuration(was)}`
}

/** Failures take another time than answers do: a timeout ten seconds, a refusal one. */
function FailedPercentiles({ data }: { readonly data: RouteData }) {
  const { figures, before, route, kind, action, project, alarms } = data
  return (['failedP75Ms', 'failedP95Ms'] as const).map((key) => {
    const ms = figures[key]
    if (ms === null) return null
    const of = { route, kind, action, project: project.slug, status: 'failed', fromMs: ms } as const
    return (
      <Line
        key={key}
        name={`failed, ${key === 'failedP75Ms' ? 'p75' : 'p95'}`}
        value={
          <DurationLink
            ms={ms}
            count={figures.failed}
            alarms={alarms}
            to={examplesPath(data.org, data.address, of)}
          />
        }
        change={before === null ? null : ''}
      />
    )
  })
}

function countChange(
  figures: Figures,
  before: Figures | null,
  key: 'count' | 'failed' | 'failedBehind200' | 'aborted',
): string | null {
  if (before === null) return null
  // Of few a share says nothing.
  if (key !== 'count' && before[key] < 20)
    return before[key] === figures[key] ? '' : `was ${countText(before[key])}`
  return ratioText(changeOf(figures[key], before[key]))
}

function Line(props: {
  readonly name: string
  readonly value: ReactNode
  /** `null`: there is no period before to compare with. */
  readonly change: string | null
  readonly isWorse?: boolean
}) {
  return (
    <tr>
      <th scope="row" className="py-1 text-start font-normal text-ink-2 max-phone:py-0">
        {props.name}
      </th>
      <td className="num py-1 text-end max-phone:h-9 max-phone:py-0">{props.value}</td>
      {props.change === null ? null : (
        <td
          className={`num w-18 py-1 text-end whitespace-nowrap ${props.isWorse === true ? 'text-warn' : 'text-ink-3'}`}
        >
          {props.change}
        </td>
      )}
    </tr>
  )
}

function KindList({ data }: { readonly data: RouteData }) {
  return (
    <SideSection title="Kinds" note="requests, p75, failed">
      <table className="tall-links w-full text-13">
        <caption className="visually-hidden">Kinds of requests of this route</caption>
        <tbody>
          {data.kinds.map((row) => (
            <tr key={row.kind} className={row.kind === data.kind ? 'font-medium' : ''}>
              <th scope="row" className="py-1 text-start font-normal max-phone:py-0">
                <PageLink to={routeLink(data, { kind: row.kind })} className="inline-flex hover:underline">
                  {row.kind === 'other' ? 'other' : <KindBadge kind={row.kind} />}
                </PageLink>
              </th>
              <td className="num py-1 text-end" title={row.isEstimated ? ESTIMATED : undefined}>
                {countText(row.count, row.isEstimated ? 'approximate' : 'exact')}
              </td>
              <td className="num py-1 ps-2 text-end">
                <DurationLink ms={row.p75Ms} count={row.count} alarms={data.alarms} to={null} />
              </td>
              <td className={`num py-1 ps-2 text-end ${failedTone(row.failed, row.count, data.alarms)}`}>
                <FailedShare failed={row.failed} count={row.count} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </SideSection>
  )
}

function VitalList({ data }: { readonly data: RouteData }) {
  const most = Math.max(...data.vitals.map(({ count }) => count))
  return (
    <SideSection
      title="Web vitals"
      note={`p75, ${countText(most, data.isVitalsEstimated ? 'approximate' : 'exact')} page loads`}
    >
      <ul className="grid gap-4">
        {VITALS.map(({ key, short, name }) => {
          const figures = data.vitals.find(({ vital }) => vital === key)
          if (figures === undefined) return null
          const [good, poor] = data.vitalBounds[key]
          return (
            <li key={key} className="grid gap-1">
              <span className="text-12 text-ink-3">
                <b className="font-strong text-ink">{short}</b> {name}
              </span>
              <span className="flex items-baseline gap-1.5">
                <VitalValue figures={figures} bounds={data.vitalBounds} className="text-18 font-strong" />
                <span aria-hidden="true">
                  <VitalRating figures={figures} bounds={data.vitalBounds} />
                </span>
              </span>
              <VitalBar figures={figures} />
              <VitalShares figures={figures} />
              <span className="text-12 text-ink-3">
                good to {vitalText(key, good)}, poor from {vitalText(key, poor)}
              </span>
            </li>
          )
        })}
      </ul>
    </SideSection>
  )
}
