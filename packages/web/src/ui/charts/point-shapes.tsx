/** Marks of single requests. A mark is too small for a finger: the list below a chart has its link. */
import { useHydrated } from '../time.tsx'
import type { ChartPoint, LayerProps } from './chart-types.ts'
import { heightOf } from './plot-shapes.tsx'

export function PointShapes({ plot, y0, part, link }: LayerProps) {
  const isLive = useHydrated()
  return plot.points?.map((point) => {
    const x = `${(part(point.atMs) * 100).toFixed(2)}%`
    const mark = <Mark key={point.key} look={point.look} x={x} y={heightOf(plot, y0, point.value)} />
    if (point.to === undefined) return mark
    return (
      <g key={point.key}>
        {link(point.to, {
          className: 'max-phone:pointer-events-none',
          'aria-label': plot.y.text(point.value),
          tabIndex: -1,
          // The cursor says it once there is one.
          children: isLive ? (
            mark
          ) : (
            <>
              <title>{plot.y.text(point.value)}</title>
              {mark}
            </>
          ),
        })}
      </g>
    )
  })
}

function Mark({ look, x, y }: { readonly look: ChartPoint['look']; readonly x: string; readonly y: number }) {
  if (look === 'failed')
    return (
      <rect x={x} y={y - 2.5} width="5" height="5" transform="translate(-2.5 0)" className="fill-bad-fill" />
    )
  return (
    <circle
      cx={x}
      cy={y}
      r={look === 'faint' ? 1.5 : 2}
      className={look === 'faint' ? 'fill-bar-2' : 'fill-bar'}
    />
  )
}
