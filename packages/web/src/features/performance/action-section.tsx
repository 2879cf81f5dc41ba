/** The actions of a route, each with its own figures. */
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { examplesPath } from './example-links.ts'
import { CountLink, DurationLink, FailedShare, failedTone, P75Change } from './figure-cells.tsx'
import { type ActionRow, requestRateText } from './figures.ts'
import type { RouteData } from './performance.server.ts'
import { routeLink } from './route-link.ts'

/** Text for actions that have an id only. */
export const UNNAMED = 'without a name'

export function ActionSection({ data }: { readonly data: RouteData }) {
  if (data.kind !== 'action' || data.action !== null) return null
  if (data.actions.length === 0) return <NoNames data={data} />
  return (
    <Section title="Actions" note="server functions of this route, by total time">
      <Table caption="Figures of each action" stacks="columns" className="[--stack-columns:4]">
        <thead>
          <tr>
            <th scope="col">Action</th>
            {['Requests', 'Per min', 'p75', 'p95', 'Failed', 'Rate', 'Change'].map((head) => (
              <th
                key={head}
                scope="col"
                className={`${tableNum} ${WIDE_HEADS.has(head) ? 'stack-none' : ''}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.actions.map((row) => (
            <Row key={row.action} row={row} data={data} />
          ))}
        </tbody>
      </Table>
      {data.actions.some(({ action }) => action === '') ? <HowToName /> : null}
    </Section>
  )
}

/** Left out where rows are lines. */
const WIDE_HEADS: ReadonlySet<string> = new Set(['Per min', 'Rate', 'Change'])

/** Returns the names of actions that have one. */
export function actionNameTexts(actions: readonly Pick<ActionRow, 'action'>[]): readonly string[] {
  return actions.flatMap(({ action }) => (action === '' ? [] : [action]))
}

function NoNames({ data }: { readonly data: RouteData }) {
  if (!data.slow.some(({ action }) => action !== null)) return null
  return (
    <Section title="Actions">
      <HowToName />
    </Section>
  )
}

function HowToName() {
  return (
    <p className="mt-2 text-13 text-ink-2">
      Actions without a name are counted together. To name them, upload the build with{' '}
      <code>errata upload-build</code>, or wrap them in <code>withServerActionInstrumentation</code>.
    </p>
  )
}

function Row({ row, data }: { readonly row: ActionRow; readonly data: RouteData }) {
  const { action, count, failed, isEstimated } = row
  const { route, project, range, alarms } = data
  const link = (more: { readonly status?: 'failed'; readonly fromMs?: number | null }) =>
    examplesPath(data.org, data.address, {
      ...{
        route,
        kind: 'action',
        action,
        named: actionNameTexts(data.actions),
        project: project.slug,
        ...more,
      },
    })
  return (
    <tr>
      <th scope="row" className="py-1.5 text-start font-normal">
        {action === '' ? (
          <span className="text-ink-2">{UNNAMED}</span>
        ) : (
          <PageLink to={routeLink(data, { action })} className="foreign row-link hover:underline">
            <code>{action}</code>
          </PageLink>
        )}
      </th>
      <td className={`${tableNum} stack-quiet`} data-label="Requests">
        <CountLink value={count} isEstimated={isEstimated} to={link({})} />
      </td>
      <td className={`${tableNum} stack-none text-ink-3`}>
        {requestRateText(count, range.endMs - range.startMs)}
      </td>
      {(['p75Ms', 'p95Ms'] as const).map((key) => (
        <td key={key} className={`${tableNum} stack-quiet`} data-label={key.slice(0, 3)}>
          <DurationLink ms={row[key]} count={count} alarms={alarms} to={link({ fromMs: row[key] })} />
        </td>
      ))}
      <td className={`${tableNum} stack-quiet`} data-label="Failed">
        <CountLink
          value={failed}
          isEstimated={isEstimated}
          to={link({ status: 'failed' })}
          className={failedTone(failed, count, alarms)}
        />
      </td>
      <td className={`${tableNum} stack-none ${failedTone(failed, count, alarms)}`}>
        <FailedShare failed={failed} count={count} />
      </td>
      <td className={`${tableNum} stack-none`}>
        <P75Change now={row} before={row.before} change={row.change} />
      </td>
    </tr>
  )
}
