/** Web vitals by page, release and device: the 75th percentile of each, and how many page loads were good. */
import type { ReactNode } from 'react'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import type { VitalFigures } from '#parts/vital-figures.ts'
import { VITALS, VitalBar, VitalValue, vitalText } from '#parts/vital-marks.tsx'
import { countText, quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { ESTIMATED } from './figure-cells.tsx'
import { isFew } from './figures.ts'
import type { VitalsData } from './vitals.server.ts'
import { vitalsLink } from './vitals-link.ts'

type Figures = Omit<VitalFigures, 'projectId' | 'route'>

interface Row {
  readonly key: string
  readonly name: ReactNode
  readonly own: readonly Figures[]
  readonly isEstimated: boolean
}

export function VitalTables({ data }: { readonly data: VitalsData }) {
  const { pages, pagesTotal, releases, devices, route } = data
  const more = pagesTotal > pages.length ? `; the ${pages.length} most visited of ${pagesTotal}` : ''
  return (
    <>
      {route === null ? (
        <VitalTable
          title="By page"
          note={`p75, coloured by the Web Vitals thresholds${more}`}
          data={data}
          rows={pages.map((page) => pageRow(data, page))}
        />
      ) : null}
      <VitalTable
        title="By release"
        note="the most used ones"
        data={data}
        rows={releases.map(({ release, own }) => ({
          ...{ key: release, own, isEstimated: data.isEstimated },
          name:
            release === '' ? (
              <span className="text-ink-3">no release</span>
            ) : (
              <PageLink
                to={paths.release(data.org, release)}
                className="foreign row-link hover:underline"
                title={release}
              >
                {versionOf(release)}
              </PageLink>
            ),
        }))}
      />
      <VitalTable
        title="By device"
        note="of the page loads whose traces are kept, by operating system"
        data={data}
        rows={devices.map(({ device, own }) => ({
          ...{ key: device, own, isEstimated: data.isEstimated },
          name: device === '' ? <span className="text-ink-3">unknown</span> : device,
        }))}
      />
    </>
  )
}

function pageRow(data: VitalsData, { own, project, isEstimated }: VitalsData['pages'][number]): Row {
  const [first] = own
  const route = first?.route ?? ''
  return {
    ...{ key: `${project.slug} ${route}`, own, isEstimated },
    name: (
      <>
        <PageLink
          to={vitalsLink(data, { project: project.slug, route })}
          className="foreign row-link hover:underline"
        >
          <code className="font-strong">{route}</code>
        </PageLink>
        {data.address.project === null && data.isMany ? (
          <span className="foreign ms-2 text-12 font-normal text-ink-3">{project.name}</span>
        ) : null}
      </>
    ),
  }
}

function VitalTable(props: {
  readonly title: string
  readonly note: string
  readonly data: VitalsData
  readonly rows: readonly Row[]
}) {
  const { title, note, data, rows } = props
  if (rows.length === 0) return null
  return (
    <section aria-label={title} className="pt-5">
      <h2 className="px-6 pb-2 text-13 font-strong max-phone:px-4">
        {title}
        <span className="ms-2 text-12 font-normal text-ink-3">{note}</span>
      </h2>
      <Table
        caption={`Web vitals ${title.toLowerCase()}`}
        edge
        stacks="columns"
        className="max-phone:[--stack-columns:6]"
      >
        <thead>
          <tr>
            <th scope="col">{title.slice(3, 4).toUpperCase() + title.slice(4)}</th>
            <th scope="col" className={tableNum}>
              Page loads
            </th>
            {VITALS.map(({ key, short, name }) => (
              <th key={key} scope="col" className={`w-32 max-wide:w-20 ${LEFT_OUT[key] ?? ''}`}>
                <abbr title={name} className="no-underline">
                  {short}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <VitalRow key={row.key} row={row} data={data} />
          ))}
        </tbody>
      </Table>
    </section>
  )
}

/** Leaves out a vital between a phone and a wide screen, for lack of room. */
const LEFT_OUT: Readonly<Partial<Record<Figures['vital'], string>>> = { ttfb: 'mid-only' }

function VitalRow({
  row: { name, own, isEstimated },
  data,
}: {
  readonly row: Row
  readonly data: VitalsData
}) {
  return (
    <tr>
      <th scope="row" className="text-start font-normal">
        {name}
      </th>
      <td className={tableNum} title={isEstimated ? ESTIMATED : undefined}>
        {countText(Math.max(...own.map(({ count }) => count)), isEstimated ? 'approximate' : 'exact')}
      </td>
      {VITALS.map(({ key }) => {
        const figures = own.find(({ vital }) => vital === key)
        return (
          <td key={key} className={LEFT_OUT[key]}>
            {figures === undefined ? (
              <span className="text-ink-3">–</span>
            ) : (
              <VitalCell figures={figures} data={data} />
            )}
          </td>
        )
      })}
    </tr>
  )
}

/** Value of a vital; of few page loads it is grey, and states their number. */
function VitalCell({ figures, data }: { readonly figures: Figures; readonly data: VitalsData }) {
  if (isFew(figures.count))
    return (
      <span className="num text-ink-3" title={`Of ${quantityText(figures.count, 'page load')} only`}>
        {vitalText(figures.vital, figures.p75)}
        <span className="block text-11">of {figures.count}</span>
      </span>
    )
  return (
    <span className="inline-grid w-24 gap-1 max-wide:w-16 max-phone:w-full">
      <VitalValue figures={figures} bounds={data.bounds} />
      <VitalBar figures={figures} height={4} />
    </span>
  )
}
