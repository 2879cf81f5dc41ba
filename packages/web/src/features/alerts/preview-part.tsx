/** Preview of what a rule would have done in the last 14 days. */
import { paths } from '#parts/paths.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { PreviewChart } from './preview-chart.tsx'
import type { PreviewData } from './rule-data.ts'
import { minutesText } from './span-text.ts'
import { LevelWord } from './state-mark.tsx'

const ROWS_MAX = 20

interface PreviewProps {
  readonly preview: PreviewData
  readonly org: string
  /** Puts values into the form and shows the preview again; `null` for who may not change the rule. */
  readonly onTake: ((values: Readonly<Record<string, string>>) => void) | null
}

export function PreviewPart({ preview, org, onTake }: PreviewProps) {
  const { firings, messages, atNight, notes, variants } = preview
  const critical = firings.filter(({ level }) => level === 'critical').length
  const warnings = firings.filter(({ level }) => level === 'warning').length
  return (
    <section aria-label="Preview">
      <p className="text-15 text-ink-2">
        Would have fired <b className="font-strong text-ink">{quantityText(firings.length, 'time')}</b> in the
        last 14 days
        {critical + warnings === 0 ? null : (
          <>
            :{' '}
            {critical === 0 ? null : <b className="font-strong text-bad">{numberText(critical)} critical</b>}
            {critical === 0 || warnings === 0 ? '' : ', '}
            {warnings === 0 ? null : (
              <b className="font-strong text-warn">{quantityText(warnings, 'warning')}</b>
            )}
          </>
        )}
        . <b className="font-strong text-ink">{quantityText(messages, 'message')}</b>
        {atNight > 0 ? `, ${numberText(atNight)} at night` : ''}.
      </p>
      <MinimumPart minimum={preview.minimum} onTake={onTake} />
      {notes.length === 0 ? null : <p className="mt-1 text-12 text-ink-3">{notes.join(' ')}</p>}
      {preview.values === null ? null : <PreviewChart preview={preview} />}
      {variants.length === 0 ? null : (
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-13 text-ink-2">
          Sensitivity
          <span>
            as set: <b className="font-strong text-ink">{numberText(firings.length)}</b>
          </span>
          {variants.map(({ label, times }) => (
            <span key={label}>
              {label}: <b className="font-strong text-ink">{numberText(times)}</b>
            </span>
          ))}
        </p>
      )}
      <PreviewTable preview={preview} org={org} />
    </section>
  )
}

/** Why it cannot fire, and what to change; of some hours with too little, how many. */
function MinimumPart({
  minimum,
  onTake,
}: {
  readonly minimum: PreviewData['minimum']
  readonly onTake: PreviewProps['onTake']
}) {
  if (minimum === null || minimum.few === 0) return null
  const worst = minimum.worst === null ? '' : ` Highest value in those hours: ${minimum.worst} (drawn pale).`
  if (!minimum.isOutOfReach)
    return (
      <p className="mt-1 text-13 text-ink-2">
        {`Not enough ${minimum.what} in ${numberText(minimum.few)} of ${quantityText(minimum.hours, 'hour')}.${worst}`}
      </p>
    )
  return (
    <div role="status" className="mt-2 grid max-w-160 gap-2 border-s-2 border-warn-fill ps-3 text-13">
      <p>
        <b className="font-strong">It can’t fire</b>
        {`: ${minimum.reason}.${worst}`}
      </p>
      {minimum.offers.map(({ windowMinutes, atLeast, times, text }) => (
        <p key={text} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            With <b className="font-strong">{text}</b> it would have fired {quantityText(times, 'time')}.
          </span>
          {onTake === null ? null : (
            <button
              type="button"
              className="link touch text-13"
              onClick={() => onTake({ atLeast: String(atLeast), windowMinutes: String(windowMinutes) })}
            >
              Use these values
            </button>
          )}
        </p>
      ))}
    </div>
  )
}

function PreviewTable({ preview, org }: { readonly preview: PreviewData; readonly org: string }) {
  const { firings } = preview
  if (firings.length === 0) return null
  const newest = firings.slice(-ROWS_MAX).reverse()
  // Issue rules have no levels.
  const isMetric = firings.some(({ level }) => level !== 'info')
  const hasIssues = firings.some(({ issue }) => issue !== null)
  return (
    <div className="mt-4">
      <Table caption="Would have fired" stacks="late">
        <thead>
          <tr>
            {isMetric ? (
              <th scope="col" className={tableNum}>
                No.
              </th>
            ) : null}
            <th scope="col">Would have fired</th>
            {isMetric ? (
              <>
                <th scope="col">Level</th>
                <th scope="col" className={tableNum}>
                  Worst
                </th>
                <th scope="col">Lasted</th>
              </>
            ) : null}
            {hasIssues ? <th scope="col">{isMetric ? 'Mostly' : 'Issue'}</th> : null}
          </tr>
        </thead>
        <tbody>
          {newest.map((firing, index) => (
            <tr key={`${firing.startedMs} ${firing.issue?.shortId ?? ''}`}>
              {isMetric ? (
                <td className={tableNum} data-label="No.">
                  {numberText(firings.length - index)}
                </td>
              ) : null}
              <td className="whitespace-nowrap" data-label="Would have fired">
                <Time ms={firing.startedMs} />
              </td>
              {isMetric ? <MetricCells firing={firing} /> : null}
              {hasIssues ? (
                <IssueCell firing={firing} org={org} label={isMetric ? 'Mostly' : 'Issue'} />
              ) : null}
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="mt-2 text-12 text-ink-3">
        {firings.length > ROWS_MAX ? `The newest ${ROWS_MAX} of ${numberText(firings.length)}. ` : ''}Computed
        from stored counts, with the rule as shown here.
      </p>
    </div>
  )
}

type PastFiring = PreviewData['firings'][number]

function MetricCells({ firing }: { readonly firing: PastFiring }) {
  const { level, value, startedMs, endedMs } = firing
  return (
    <>
      <td data-label="Level">
        <LevelWord level={level} />
      </td>
      <td className={tableNum} data-label="Worst">
        {value ?? ''}
      </td>
      <td data-label="Lasted">{endedMs === null ? 'still firing' : minutesText(endedMs - startedMs)}</td>
    </>
  )
}

function IssueCell({
  firing: { issue },
  org,
  label,
}: {
  readonly firing: PastFiring
  readonly org: string
  readonly label: string
}) {
  return (
    <td className="max-w-80 truncate" data-label={label}>
      {issue === null ? null : (
        <>
          <PageLink to={paths.issue(org, issue.shortId)} className="link">
            {issue.shortId}
          </PageLink>{' '}
          <span className="foreign">{issue.title}</span>
        </>
      )}
    </td>
  )
}
