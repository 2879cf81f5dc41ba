/** Costs of a route's time: its spans by what they did, and queries that run again and again. */
import { paths } from '#parts/paths.ts'
import { Chip } from '#ui/chip.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { dateText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { examplesPath } from './example-links.ts'
import { CountLink, shortDuration } from './figure-cells.tsx'
import type { RouteData } from './performance.server.ts'
import { QueryBeads } from './query-beads.tsx'

type Cost = RouteData['costs'][number]

/** Each N+1 by itself: how often, how long, and what would do instead. */
export function RepeatedQueries({ data }: { readonly data: RouteData }) {
  const repeated = data.costs.filter(({ repeatedIn }) => repeatedIn > 0)
  if (repeated.length === 0) return null
  const { route, project } = data
  const examples = examplesPath(data.org, data.address, {
    ...{ route, kind: data.costsKind, project: project.slug, repeats: true },
  })
  return (
    <Section
      title={repeated.length === 1 ? 'N+1 query' : 'N+1 queries'}
      note="the same query, run once per row"
      end={
        examples === null ? undefined : (
          <PageLink to={examples} className="link link-alone text-12">
            All examples
          </PageLink>
        )
      }
    >
      <ul className="grid gap-4">
        {repeated.map((cost) => (
          <RepeatedQuery key={`${cost.op} ${cost.description}`} cost={cost} data={data} />
        ))}
      </ul>
    </Section>
  )
}

function RepeatedQuery({ cost, data }: { readonly cost: Cost; readonly data: RouteData }) {
  const { count, repeatedIn, totalMs, slowest } = cost
  const each = count === 0 ? 0 : totalMs / count
  const found = data.repeated.find(({ description }) => description === cost.description)
  const example = found ?? slowest
  const near = found === undefined ? {} : { near: Math.round(found.atMs) }
  return (
    <li className="flex gap-2 text-13">
      <span>
        <Chip tone="warn">N+1</Chip>
      </span>
      <div className="min-w-0 flex-1">
        <code className="foreign text-12 text-ink">{cost.description}</code>
        <p className="mt-1 text-ink-2">
          In <b className="num font-strong text-ink">{numberText(repeatedIn)}</b>
          {data.costRequests === null ? ' ' : ` of ${numberText(data.costRequests)} `}
          {(data.costRequests ?? repeatedIn) === 1 ? 'request' : 'requests'} {costsSinceText(data)}: run{' '}
          <b className="num font-strong text-ink">{numberText(count)} times</b>, {shortDuration(each)} each,{' '}
          {shortDuration(totalMs)} in total. Fetch all rows with one query, such as{' '}
          <code>WHERE … IN (…)</code>.{' '}
          <PageLink
            to={paths.trace(data.org, example.traceId, { span: example.spanId, ...near })}
            className="link link-text"
          >
            Example trace
          </PageLink>
        </p>
        {found === undefined ? null : <QueryBeads of={found} />}
      </div>
    </li>
  )
}

export function CostSection({ data }: { readonly data: RouteData }) {
  const { costs, costsKind } = data
  const note = [
    'time spent in spans themselves, without their children',
    ...(costsKind === null && data.kinds.length > 1 ? ['all kinds together'] : []),
    ...(data.action === null ? [] : ['all actions together']),
    `${data.costRequests === null ? '' : `${quantityText(data.costRequests, 'request')} `}${costsSinceText(data)}, as costs are kept per day`,
    'all environments and releases',
  ].join('; ')
  const whole = costs.reduce((total, { totalMs }) => total + totalMs, 0)
  return (
    <Section title="Where the time goes" note={note}>
      {costs.length === 0 ? (
        <p className="text-13 text-ink-2">
          These requests have no child spans. The SDK sends database queries and outgoing calls as spans once
          their integrations are on.
        </p>
      ) : (
        <Table caption="Costliest spans" stacks="columns">
          <thead>
            <tr>
              <th scope="col">Span</th>
              {HEADS.map(({ head, title }) =>
                head === 'Calls' && data.costRequests === null ? null : (
                  <th
                    key={head}
                    scope="col"
                    className={`${tableNum} ${head === 'Failed' ? 'stack-none' : ''}`}
                    title={title}
                  >
                    {head}
                  </th>
                ),
              )}
              <th scope="col" className="stack-none">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {costs.map((cost) => (
              <CostRow key={`${cost.op} ${cost.description}`} cost={cost} data={data} whole={whole} />
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

/** Costs are kept by the day: their range begins before that of the other figures, so it is said beside them. */
function costsSinceText({ costRange }: RouteData): string {
  return `since ${dateText(costRange.startMs, 'utc')}, 00:00 UTC`
}

function CostRow(props: { readonly cost: Cost; readonly data: RouteData; readonly whole: number }) {
  const { cost, data } = props
  const { traceId, spanId, ms } = cost.slowest
  return (
    <tr>
      <th scope="row" className="py-1.5! text-start font-normal whitespace-normal!">
        <span className="flex flex-wrap items-center gap-x-2">
          <b className="font-strong">{cost.op}</b>
          <code className="foreign min-w-0 text-12 wrap-anywhere text-ink-2">{cost.description}</code>
          {cost.repeatedIn > 0 ? <Chip tone="warn">N+1</Chip> : null}
        </span>
      </th>
      <td className={tableNum} data-label="Times">
        <CountLink value={cost.count} isEstimated={false} to={opPath(data, cost.op)} className="reach" />
      </td>
      {data.costRequests === null ? null : (
        <td
          className={`${tableNum} ${cost.repeatedIn > 0 ? 'font-strong text-warn' : ''}`}
          data-label="Calls"
        >
          {callsText(cost.count / data.costRequests)}
        </td>
      )}
      <td className={`${tableNum} whitespace-nowrap`} data-label="Each">
        {shortDuration(cost.count === 0 ? 0 : cost.totalMs / cost.count)}
      </td>
      <td className={`${tableNum} whitespace-nowrap`} data-label="Slowest">
        <PageLink to={paths.trace(data.org, traceId, { span: spanId })} className="link reach">
          {shortDuration(ms)}
        </PageLink>
      </td>
      <td className={`${tableNum} stack-none ${cost.failed === 0 ? 'text-ink-3' : ''}`}>
        {numberText(cost.failed)}
      </td>
      <td className={`${tableNum} whitespace-nowrap`} data-label="Total">
        {shortDuration(cost.totalMs)}
      </td>
      <td className="stack-none w-32 whitespace-nowrap">
        <ShareBar part={cost.totalMs} whole={props.whole} width={64} />
      </td>
    </tr>
  )
}

const HEADS: readonly { readonly head: string; readonly title?: string }[] = [
  { head: 'Times' },
  { head: 'Calls', title: 'Average number per request' },
  { head: 'Each', title: 'Average own time' },
  { head: 'Slowest', title: 'Longest own time' },
  { head: 'Failed' },
  { head: 'Total', title: 'Total own time' },
]

/** `14.0`, `0.3`; never zero for what ran. */
function callsText(calls: number): string {
  return calls < 0.05 ? '< 0.1' : calls >= 99.95 ? numberText(Math.round(calls)) : calls.toFixed(1)
}

function opPath(data: RouteData, op: string): string | null {
  const { route, project, costsKind: kind } = data
  return examplesPath(data.org, data.address, { route, kind, project: project.slug, op })
}
