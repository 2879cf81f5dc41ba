/** Slow and failed requests of the route: each opens its trace. */
import { paths } from '#parts/paths.ts'
import { RequestError } from '#parts/request-error.tsx'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { examplesPath } from './example-links.ts'
import { shortDuration } from './figure-cells.tsx'
import { isSlow } from './figures.ts'
import type { RouteData } from './performance.server.ts'

type Example = RouteData['slow'][number]

export function ExampleSection({ data }: { readonly data: RouteData }) {
  const { route, kind, action, project } = data
  const all = examplesPath(data.org, data.address, { route, kind, action, project: project.slug })
  const lines = [
    ...data.slow.map((example) => ({ why: 'slow' as const, example })),
    ...data.failed.map((example) => ({ why: 'failed' as const, example })),
  ]
  const hasUsers = lines.some(({ example }) => example.user !== null)
  return (
    <Section
      title="Examples"
      note="the slowest, and the newest that failed; each opens its trace"
      end={
        all === null ? undefined : (
          <PageLink to={all} className="link link-alone text-12">
            All traces
          </PageLink>
        )
      }
    >
      {lines.length === 0 ? (
        <p className="text-13 text-ink-2">
          No traces: their retention has ended, or they were not sampled. The figures above remain.
        </p>
      ) : (
        <Table caption="Slow and failed requests" stacks>
          <thead>
            <tr>
              <th scope="col">Why</th>
              <th scope="col">Started</th>
              <th scope="col" className={tableNum}>
                Duration
              </th>
              <th scope="col">Request</th>
              <th scope="col" className={tableNum}>
                Status
              </th>
              <th scope="col" className={tableNum}>
                Spans
              </th>
              {hasUsers ? <th scope="col">User</th> : null}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ why, example }) => (
              <ExampleRow
                key={`${why} ${example.eventId}`}
                why={why}
                example={example}
                data={data}
                hasUsers={hasUsers}
              />
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

function ExampleRow(props: {
  readonly why: 'slow' | 'failed'
  readonly example: Example
  readonly data: RouteData
  readonly hasUsers: boolean
}) {
  const { why, example, data } = props
  const slow = isSlow(example.durationMs, data.alarms) ? 'font-strong text-warn' : ''
  return (
    <tr>
      <th scope="row" className={`text-start font-normal ${why === 'failed' ? 'text-bad' : ''}`}>
        {why}
      </th>
      <td>
        <PageLink
          to={paths.trace(data.org, example.traceId, {
            near: Math.round(example.timestampMs),
            span: example.segmentId,
          })}
          className="link row-link whitespace-nowrap"
        >
          <Time ms={example.timestampMs} />
        </PageLink>
      </td>
      <td className={`${tableNum} whitespace-nowrap ${slow}`}>{shortDuration(example.durationMs)}</td>
      <td className="stack-line">
        <span className="foreign me-3 text-ink-2" title={example.actionId ?? undefined}>
          {saidOf(example)}
        </span>
        {example.error === null ? null : <RequestError org={data.org} error={example.error} />}
      </td>
      <td
        className={`${tableNum} ${example.httpStatus === null ? 'stack-none text-ink-3' : ''}`}
        data-label="Status"
      >
        {example.httpStatus ?? '–'}
      </td>
      <td className={tableNum} data-label="Spans">
        {example.spanCount}
      </td>
      {props.hasUsers ? (
        <td className={example.user === null ? 'stack-none' : ''}>
          <span className="foreign text-ink-2">{personOf(example.user)}</span>
        </td>
      ) : null}
    </tr>
  )
}

/** `u_44120` of `id:u_44120`. */
function personOf(user: string | null): string {
  return user === null ? '' : user.slice(user.indexOf(':') + 1)
}

/** Describes an example by what took time, or how it ended; else by its name. */
function saidOf({ name: request, action, repeats, end, status }: Example): string {
  const name = action === null ? request : `${request}, ${action}`
  if (end === 'failed-behind-200') return `${name}, failed with status 200`
  if (end === 'failed' && status !== 'error' && status !== 'ok') return `${name}, ${status}`
  return repeats === null ? name : `${name}, N+1: ${repeats}`
}
