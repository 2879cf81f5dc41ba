import type { ReactNode } from 'react'
import type { WaterfallTimes } from './waterfall.ts'

/** Moves and widens what lies on the whole trace's axis to the part in view. */
export function Zoomed({ axis, children }: { readonly axis: WaterfallTimes; readonly children: ReactNode }) {
  if (axis.zoom === null) return children
  return (
    <svg x={axis.zoom.x} width={axis.zoom.width} height="100%" overflow="visible" aria-hidden="true">
      {children}
    </svg>
  )
}
