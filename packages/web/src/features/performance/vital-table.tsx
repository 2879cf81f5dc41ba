/** Web vitals by page: the 75th percentile of each, and how many visits were good. */
import { paths } from '#parts/paths.ts'
import { VITALS, VitalBar, VitalValue } from '#parts/vital-marks.tsx'
import { countText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { ESTIMATED } from './figure-cells.tsx'
import type { PerformanceData } from './performance.server.ts'
import { filterQuery } from './performance-address.ts'

type VitalPage = PerformanceData['vitals']['pages'][number]

export function VitalTable({ data }: { readonly data: PerformanceData }) {
  const { pages, total } = data.vitals
  if (pages.length === 0) return null
  return (
    <section aria-label="Web vitals" className="pt-5">
      <h2 className="px-6 pb-2 text-13 font-strong max-phone:px-4">
        Web vitals
        <span className="ms-2 text-12 font-normal text-ink-3">
          p75 by page, coloured by the public thresholds
          {total > pages.length ? `; the ${pages.length} most visited of ${total}` : ''}
        </span>
      </h2>
      <Table caption="Web vitals by page" edge stacks>
        <thead>
          <tr>
            <th scope="col">Page</th>
            <th scope="col" className={tableNum}>
              Page loads
            </th>
            {VITALS.map(({ key, short, name }) => (
              <th key={key} scope="col" className="w-32 max-wide:w-20">
                <abbr title={name} className="no-underline">
                  {short}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pages.map((page) => (
            <VitalRow key={page.key} page={page} data={data} />
          ))}
        </tbody>
      </Table>
    </section>
  )
}

function VitalRow({ page, data }: { readonly page: VitalPage; readonly data: PerformanceData }) {
  const { own, isEstimated } = page
  const [first] = own
  if (first === undefined) return null
  const project = data.projects.find(({ id }) => id === first.projectId)
  const { project: _, ...filter } = filterQuery(data.address)
  const to = paths.performanceRoute(data.org, project?.slug ?? String(first.projectId), {
    route: first.route,
    ...filter,
  })
  return (
    <tr>
      <th scope="row" className="text-start">
        <PageLink to={to} className="foreign row-link hover:underline">
          <code className="font-strong">{first.route}</code>
        </PageLink>
        {data.address.project === null && data.isMany ? (
          <span className="foreign ms-2 text-12 font-normal text-ink-3">{project?.name}</span>
        ) : null}
      </th>
      <td className={tableNum} data-label="Page loads" title={isEstimated ? ESTIMATED : undefined}>
        {countText(Math.max(...own.map(({ count }) => count)), isEstimated ? 'approximate' : 'exact')}
      </td>
      {VITALS.map(({ key, short }) => {
        const figures = own.find(({ vital }) => vital === key)
        return (
          <td key={key} data-label={short} className={figures === undefined ? 'stack-none' : ''}>
            {figures === undefined ? (
              <span className="text-ink-3">–</span>
            ) : (
              <span className="inline-grid w-24 gap-1 max-wide:w-16">
                <VitalValue figures={figures} bounds={data.vitalBounds} />
                <VitalBar figures={figures} height={4} />
              </span>
            )}
          </td>
        )
      })}
    </tr>
  )
}
