/** Duration over time: a mark for each request, on a log scale. A mark is too small for a finger: the list has its link. */
import { paths } from '#parts/paths.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { TimeAxis } from '#ui/time-axis.tsx'
import { durationText, exactText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { logScale, logShare } from './log-scale.ts'
import type { TracesData } from './traces.server.ts'

const HEIGHT = 128
/** Room for half a mark at both ends. */
const EDGE = 6

export function TracesChart({ data }: { readonly data: TracesData }) {
  const { points, others, range, total } = data
  const zone = useZone()
  const scale = logScale([...points, ...others].map(({ durationMs }) => durationMs))
  const bounds = [data.bounds.minMs, data.bounds.maxMs].filter((ms) => ms !== null)
  const x = (ms: number) => `${(((ms - range.startMs) / (range.endMs - range.startMs)) * 100).toFixed(2)}%`
  const y = (ms: number) => HEIGHT - EDGE - logShare(scale, ms) * (HEIGHT - 2 * EDGE)
  const hasFailed = points.some(({ end }) => isFailed(end))
  return (
    <figure aria-label={summaryOf(data)} className="px-6 pt-3 pb-2 max-phone:px-4">
      <figcaption className="mb-1 flex flex-wrap items-center gap-x-4 text-12 text-ink-3">
        <b className="font-strong text-ink">Duration over time</b>
        <span>
          {total > points.length
            ? `${numberText(points.length)} of ${numberText(total)} requests, log scale`
            : 'each request a mark, log scale'}
        </span>
        <span className="ms-auto flex gap-4">
          {others.length === 0 ? null : (
            <Legend mark={<circle cx="4" cy="4" r="1.5" className="fill-bar-2" />} text="not matching" />
          )}
          {points.every(({ end }) => isFailed(end)) ? null : (
            <Legend mark={<circle cx="4" cy="4" r="2" className="fill-bar" />} text="answered" />
          )}
          {hasFailed ? (
            <Legend
              mark={<rect x="1" y="1" width="6" height="6" className="fill-bad-fill" />}
              text="failed"
            />
          ) : null}
        </span>
      </figcaption>
      <div className="flex">
        <svg width="48" height={HEIGHT} aria-hidden="true" className="shrink-0">
          {scale.lines.map((ms) => (
            <text key={ms} x="40" y={y(ms) + 4} textAnchor="end" className="num fill-ink-3 text-11">
              {lineText(ms)}
            </text>
          ))}
        </svg>
        <svg
          width="100%"
          height={HEIGHT}
          aria-hidden="true"
          className="block min-w-0 flex-1 overflow-visible"
        >
          {scale.lines.map((ms) => (
            <line key={ms} x1="0" x2="100%" y1={y(ms)} y2={y(ms)} className="stroke-grid" />
          ))}
          {others.map(({ atMs: at, durationMs }) => (
            <circle
              key={`${at} ${durationMs}`}
              cx={x(at)}
              cy={y(durationMs)}
              r="1.5"
              className="fill-bar-2"
            />
          ))}
          {points.map((point) => {
            const left = x(point.atMs)
            const top = y(point.durationMs)
            return (
              <PageLink
                key={`${point.traceId} ${point.atMs} ${point.durationMs}`}
                to={paths.trace(data.org, point.traceId, { near: Math.round(point.atMs) })}
                tabIndex={-1}
                className="max-phone:pointer-events-none"
              >
                <title>{`${durationText(point.durationMs)}, ${exactText(point.atMs, zone)}`}</title>
                {isFailed(point.end) ? (
                  <rect
                    x={left}
                    y={top - 2.5}
                    width="5"
                    height="5"
                    transform="translate(-2.5 0)"
                    className="fill-bad-fill"
                  />
                ) : (
                  <circle cx={left} cy={top} r="2" className="fill-bar" />
                )}
              </PageLink>
            )
          })}
          {bounds.map((ms) => (
            <Bound key={ms} y={y(ms)} text={durationText(ms)} />
          ))}
        </svg>
      </div>
      <div className="ps-12">
        <TimeAxis startMs={range.startMs} endMs={range.endMs} />
      </div>
    </figure>
  )
}

/** For who does not see it: the list below has the same requests, each with its link. */
function summaryOf({ points, total }: TracesData): string {
  const durations = points.map(({ durationMs }) => durationMs)
  const failed = points.filter(({ end }) => isFailed(end)).length
  const said = [
    `Duration over time: ${quantityText(total, 'request')}`,
    ...(durations.length === 0
      ? []
      : [`${durationText(Math.min(...durations))} to ${durationText(Math.max(...durations))}`]),
    ...(failed === 0 ? [] : [`${numberText(failed)} failed`]),
  ]
  return said.join(', ')
}

function isFailed(end: TracesData['points'][number]['end']): boolean {
  return end === 'failed' || end === 'failed-behind-200'
}

/** What the search asks of durations. */
function Bound({ y, text }: { readonly y: number; readonly text: string }) {
  return (
    <>
      <line x1="0" x2="100%" y1={y} y2={y} strokeDasharray="3 3" className="stroke-control" />
      <text
        x="2"
        y={y - 4}
        className="pointer-events-none num fill-ink-2 stroke-canvas text-11 [paint-order:stroke] [stroke-width:3px]"
      >
        {text}
      </text>
    </>
  )
}

function Legend({ mark, text }: { readonly mark: React.ReactNode; readonly text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <svg width="8" height="8" aria-hidden="true">
        {mark}
      </svg>
      {text}
    </span>
  )
}

/** `10 ms`, `1 s`. */
function lineText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${numberText(ms / 1_000)} s`
}
