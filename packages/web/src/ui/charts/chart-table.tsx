/** The numbers of a chart as a table, for who does not see it. */
import type { Zone } from '../time-text.ts'
import type { ChartMark, ChartPlot, ChartX } from './chart-types.ts'
import { flagsIn, hasAny, readingsOf, releaseAt, slotBounds, slotText } from './readings.ts'

export function ChartTable(props: {
  readonly label: string
  readonly x: ChartX
  readonly plots: readonly ChartPlot[]
  readonly marks: readonly ChartMark[]
  readonly zone: Zone
}) {
  const { label, x, plots, marks, zone } = props
  const rows = Array.from({ length: x.count }, (_, slot) => ({
    slot,
    readings: plots.flatMap((plot) => readingsOf(plot, { x, slot })),
    flags: flagsIn(marks, { x, slot, zone }).join('; '),
  }))
  const isKnown = rows.filter(
    ({ slot, flags }) => flags !== '' || plots.some((plot) => hasAny(plot, x, slot)),
  )
  const shown = isKnown.length === 0 ? rows.slice(-1) : isKnown
  const heads = [...new Set(rows.flatMap(({ readings }) => readings.map(({ name }) => name)))]
  const withReleases = x.kind === 'time' && marks.some(({ kind }) => kind === 'release' || kind === 'deploy')
  const withFlags = rows.some(({ flags }) => flags !== '')
  return (
    <div className="visually-hidden">
      <table>
        <caption>
          {label}
          {shown.length < rows.length ? ', empty rows omitted' : ''}
        </caption>
        <thead>
          <tr>
            <th scope="col">{x.kind === 'time' ? 'Time' : x.kind === 'log' ? 'Duration' : x.name}</th>
            {heads.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {withReleases ? <th scope="col">Release</th> : null}
            {withFlags ? <th scope="col">Flags changed</th> : null}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ slot, readings, flags }) => (
            <tr key={slot}>
              <th scope="row">{slotText(x, slot, zone)}</th>
              {heads.map((name) => (
                <td key={name}>{readings.find((reading) => reading.name === name)?.text ?? 'none'}</td>
              ))}
              {withReleases ? <td>{releaseAt(marks, slotBounds(x, slot)[1]) ?? 'none'}</td> : null}
              {withFlags ? <td>{flags || 'none'}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
