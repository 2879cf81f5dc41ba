/** Measurements of the newest page loads: the elements, what moved, what was clicked, and what blocked. */
import { paths } from '#parts/paths.ts'
import { VitalValue, vitalText } from '#parts/vital-marks.tsx'
import { numberText, quantityText, shareText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { durationText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { VitalsData } from './vitals.server.ts'

const SECTIONS = [
  { vital: 'lcp', title: 'Largest element', head: 'Element' },
  { vital: 'cls', title: 'What shifted', head: 'Element' },
  { vital: 'inp', title: 'Slow interactions', head: 'Clicked or typed into' },
] as const

export function MeasuredSections({ data }: { readonly data: VitalsData }) {
  const { looked } = data
  if (looked === 0) return null
  const note = `in the newest ${quantityText(looked, 'page load')} whose traces are kept`
  return (
    <div className="px-6 pt-6 max-phone:px-4">
      {SECTIONS.map(({ vital, title, head }) => (
        <ElementSection key={vital} {...{ vital, title, head, data, note }} />
      ))}
      <BlockingSection data={data} note={note} />
    </div>
  )
}

function ElementSection(props: {
  readonly vital: (typeof SECTIONS)[number]['vital']
  readonly title: string
  readonly head: string
  readonly note: string
  readonly data: VitalsData
}) {
  const { vital, title, head, note, data } = props
  const own = data.elements.filter((one) => one.vital === vital)
  return (
    <Section title={title} note={note}>
      {own.length === 0 ? (
        <p className="text-13 text-ink-2">The SDK named no element for this vital.</p>
      ) : (
        <Table caption={`${title}, by page loads`} stacks="columns" className="[--stack-columns:4]">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col" className={tableNum}>
                Page loads
              </th>
              <th scope="col" className={tableNum}>
                Share
              </th>
              <th scope="col" className={tableNum}>
                p75
              </th>
              <th scope="col" className={tableNum}>
                Worst
              </th>
            </tr>
          </thead>
          <tbody>
            {own.map(({ element, count, of, p75, worst, example }) => (
              <tr key={element}>
                <th scope="row" className="text-start font-normal">
                  <code className="foreign text-12">{element}</code>
                </th>
                <td className={tableNum} data-label="Page loads">
                  {numberText(count)}
                </td>
                <td className={tableNum} data-label="Share">
                  {shareText(count, of)}
                </td>
                <td className={tableNum} data-label="p75">
                  <VitalValue figures={figuresOf(vital, p75)} bounds={data.bounds} />
                </td>
                <td className={tableNum} data-label="Worst">
                  <PageLink
                    to={paths.trace(data.org, example.traceId, { near: Math.round(example.atMs) })}
                    className="link reach"
                  >
                    {vitalText(vital, worst)}
                  </PageLink>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

function figuresOf(vital: 'lcp' | 'cls' | 'inp', p75: number): Parameters<typeof VitalValue>[0]['figures'] {
  return { vital, p75 }
}

function BlockingSection({ data, note }: { readonly data: VitalsData; readonly note: string }) {
  const { blocking } = data
  return (
    <Section title="What blocked" note={`long tasks and render-blocking files; ${note}`}>
      {blocking.length === 0 ? (
        <p className="text-13 text-ink-2">
          No long tasks or render-blocking files were measured. Browsers report long tasks through the SDK’s
          browser tracing.
        </p>
      ) : (
        <Table caption="What blocked, by time" stacks="columns" className="[--stack-columns:3]">
          <thead>
            <tr>
              <th scope="col">Script or file</th>
              <th scope="col" className={tableNum}>
                Page loads
              </th>
              <th scope="col" className={tableNum}>
                Together
              </th>
              <th scope="col" className={tableNum}>
                Longest
              </th>
            </tr>
          </thead>
          <tbody>
            {blocking.map(({ what, name, loads, totalMs, longestMs, example }) => (
              <tr key={`${what} ${name}`}>
                <th scope="row" className="text-start font-normal">
                  <code className="foreign text-12">{name}</code>{' '}
                  <span className="text-12 text-ink-3">
                    {what === 'script' ? 'long task' : 'render-blocking file'}
                  </span>
                </th>
                <td className={tableNum} data-label="Page loads">
                  {numberText(loads)}
                </td>
                <td className={tableNum} data-label="Together">
                  {durationText(totalMs)}
                </td>
                <td className={tableNum} data-label="Longest">
                  <PageLink
                    to={paths.trace(data.org, example.traceId, { near: Math.round(example.atMs) })}
                    className="link reach"
                  >
                    {durationText(longestMs)}
                  </PageLink>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}
