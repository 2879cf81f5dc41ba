import type { ReactNode } from 'react'
import type { Axis } from './waterfall.ts'

/** What lies on the axis of the whole trace, moved and widened to the part that is in view. */
export function Zoomed({ axis, children }: { readonly axis: Axis; readonly children: ReactNode }) {
  if (axis.zoom === null) return children
  return (
    <svg x={axis.zoom.x} width={axis.zoom.width} height="100%" overflow="visible" aria-hidden="true">
      {children}
    </svg>
  )
}
