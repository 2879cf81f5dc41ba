/** Bar of a request's time: solid on the server, hollow in the browser, by what it waited for. */
import { durationText } from '#ui/time-text.ts'
import { type Spent, spentOf } from './spent.ts'
import type { TraceRow } from './traces.server.ts'

const WIDTH = 120

const PARTS: Readonly<Record<Spent['part'], { readonly name: string; readonly fill: string }>> = {
  database: { name: 'database', fill: 'fill-span-db' },
  calls: { name: 'calls', fill: 'fill-bar-2' },
  server: { name: 'server', fill: 'fill-span-server' },
  browser: { name: 'browser', fill: 'fill-canvas' },
}

export function TimeSpent({ row, most }: { readonly row: TraceRow; readonly most: number }) {
  const parts = spentOf(row)
  const text = parts.map(({ part, ms }) => `${PARTS[part].name} ${durationText(ms)}`).join(', ')
  const widthOf = (ms: number) => (most === 0 ? 0 : (ms / most) * (WIDTH - 1))
  const whole = Math.max(1, widthOf(row.durationMs))
  let end = 0
  return (
    <span title={text} className="block w-fit">
      <span className="visually-hidden">{text}</span>
      <svg width={WIDTH} height="8" aria-hidden="true" className="block">
        {parts.map(({ part, ms }) => {
          const [x, width] = [end, widthOf(ms)]
          end += width
          return <rect key={part} x={x} width={width} height="8" className={PARTS[part].fill} />
        })}
        {row.requestKind === 'browser' ? (
          <rect x="0.5" y="0.5" width={whole} height="7" fill="none" className="stroke-control" />
        ) : (
          <rect width="1" height="8" className="fill-span-server" />
        )}
      </svg>
    </span>
  )
}

/** Names of the parts that rows show, for the foot of the list. */
export function SpentLegend({ rows }: { readonly rows: readonly TraceRow[] }) {
  const shown = new Set(rows.flatMap((row) => spentOf(row).map(({ part }) => part)))
  return (
    <span className="flex flex-wrap items-center gap-x-3 max-[72.5rem]:hidden">
      {Object.entries(PARTS).map(([part, { name, fill }]) =>
        [...shown].some((one) => one === part) ? (
          <span key={part} className="flex items-center gap-1.5">
            <svg width="12" height="8" aria-hidden="true">
              <rect
                x="0.5"
                y="0.5"
                width="11"
                height="7"
                className={part === 'browser' ? 'fill-canvas stroke-control' : fill}
              />
            </svg>
            {name}
          </span>
        ) : null,
      )}
    </span>
  )
}
