import { paths } from '#parts/paths.ts'
import { Count } from '#ui/number.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { useZone } from '#ui/time.tsx'
import { dateText, hourText, type Zone } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { COLUMNS, outcomeColumn } from './ledger.ts'
import type { loadOutcomes } from './outcomes.server.ts'
import { Swatch } from './swatch.tsx'

type OutcomesData = Awaited<ReturnType<typeof loadOutcomes>>
type Reason = OutcomesData['view']['reasons'][number]

/** Why items were not stored, largest first, each with what happened, an example and the next step. */
export function ReasonTable({ data }: { readonly data: OutcomesData }) {
  const { reasons } = data.view
  const zone = useZone()
  return (
    <section aria-label="Why items weren’t stored" className="pt-6 pb-10">
      <h2 className="px-6 pb-2 text-13 font-strong max-phone:px-4">
        Why items weren’t stored{' '}
        <span className="ms-1 text-12 font-normal text-ink-3">
          {reasons.length === 0 ? 'everything sent was stored' : quantityText(reasons.length, 'reason')}
        </span>
      </h2>
      {reasons.length === 0 ? null : (
        <Table caption="Reasons why items weren’t stored" edge stacks="earliest">
          <thead>
            <tr>
              <th scope="col">Outcome</th>
              <th scope="col">Reason</th>
              <th scope="col" className="mid-only">
                Category
              </th>
              <th scope="col" className={tableNum} aria-sort="descending">
                Quantity
              </th>
              <th scope="col" className="mid-only">
                When
              </th>
              <th scope="col">What happened</th>
              <th scope="col">Next step</th>
            </tr>
          </thead>
          <tbody>
            {reasons.map((reason) => (
              <tr key={`${reason.outcome} ${reason.reason} ${reason.category}`}>
                <td className="whitespace-nowrap first-letter:uppercase">
                  <span className="inline-flex items-center gap-2">
                    <Swatch column={outcomeColumn(reason.outcome)} />
                    {COLUMNS.find(({ key }) => key === outcomeColumn(reason.outcome))?.label}
                  </span>
                </td>
                <td className="stack-first foreign min-w-32 max-w-60 font-strong first-letter:uppercase">
                  {(reason.reason ?? 'No reason given').replaceAll(/[_-]/g, ' ')}
                </td>
                <td className="foreign mid-only min-w-24 max-w-40">{reason.category}</td>
                <td className={`stack-end ${tableNum}`}>
                  <Count value={reason.quantity} />
                </td>
                <td className="num stack-none mid-only whitespace-nowrap text-ink-2">
                  {whenText(reason, data, zone)}
                </td>
                <td className="stack-line foreign min-w-40 text-ink-2">
                  <span className="block first-letter:uppercase">{reason.what}</span>
                  {reason.example === null ? null : (
                    <span className="block text-12 text-ink-3">Example: {reason.example}</span>
                  )}
                </td>
                <td className="stack-line min-w-32">
                  <NextStep reason={reason} data={data} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}

const IN_GENERAL: readonly string[] = ['project_limit', 'spike_protection']
const IN_SETTINGS: readonly string[] = ['key_limit', 'unknown_key', 'missing_key', 'dsn_mismatch']

function NextStep({ reason, data }: { readonly reason: Reason; readonly data: OutcomesData }) {
  const { org, address } = data
  if (address.project !== null && IN_SETTINGS.includes(reason.reason ?? '')) {
    return (
      <PageLink className="link" to={paths.projectKeys(org, address.project)}>
        {reason.next}
      </PageLink>
    )
  }
  if (address.project !== null && reason.outcome === 'filtered' && reason.reason !== 'cors') {
    return (
      <PageLink className="link" to={paths.projectFilters(org, address.project)}>
        {reason.next}
      </PageLink>
    )
  }
  if (address.project !== null && (reason.reason === 'origin' || reason.reason === 'cors')) {
    return (
      <PageLink className="link" to={paths.projectScrubbing(org, address.project)}>
        {reason.next}
      </PageLink>
    )
  }
  if (address.project !== null && IN_GENERAL.includes(reason.reason ?? '')) {
    return (
      <PageLink className="link" to={paths.projectSettings(org, address.project)}>
        {reason.next}
      </PageLink>
    )
  }
  return <span className="text-ink-2">{reason.next}</span>
}

/** "throughout" for what went on for most of the range, else from when to when. */
function whenText({ firstMs, lastMs }: Reason, { view }: OutcomesData, zone: Zone): string {
  const { startMs, endMs } = view.range
  if (lastMs - firstMs > (endMs - startMs) * 0.8) return 'throughout'
  const isLong = endMs - startMs > 2 * 86_400_000
  const text = (atMs: number) => (isLong ? dateText(atMs, zone) : hourText(atMs, zone))
  const [from, to] = [text(firstMs), text(lastMs)]
  return from === to ? from : `${from}–${to}`
}
