import { ROW_HEIGHT } from './span-time.tsx'
import { durationTickText, type WaterfallTimes } from './waterfall.ts'
import { TREE_COLUMN } from './waterfall-row.tsx'
import { Zoomed } from './zoomed.tsx'

/** Above the rows, and stays there. */
export function WaterfallAxis({ axis }: { readonly axis: WaterfallTimes }) {
  return (
    <div aria-hidden="true" className="num sticky top-0 z-3 flex h-7 border-b bg-sunken text-11 text-ink-3">
      <span
        className={`sticky start-0 z-1 flex items-center border-e bg-sunken ps-6 max-phone:hidden ${TREE_COLUMN}`}
      >
        Span
      </span>
      <svg
        width="100%"
        height={ROW_HEIGHT}
        aria-hidden="true"
        className="ms-2 block min-w-0 flex-1 max-phone:ms-4 max-phone:me-6"
      >
        <Zoomed axis={axis}>
          {axis.ticks.map((ms, index) => {
            const x = `${(ms / axis.spanMs) * 100}%`
            return (
              <g key={ms}>
                <line x1={x} x2={x} y1={20} y2={ROW_HEIGHT} className="stroke-line-2" />
                <text
                  x={x}
                  y={18}
                  dx={4}
                  className={`fill-ink-3 ${index % 2 === 1 ? 'max-phone:hidden' : ''}`}
                >
                  {durationTickText(ms, axis.stepMs)}
                </text>
              </g>
            )
          })}
        </Zoomed>
      </svg>
    </div>
  )
}
