import type { SpanColumns } from './span-columns.ts'

/** Tree of spans by place: who is above and below whom. Made once for a trace. */
export interface SpanTree {
  /** −1 for roots. */
  readonly parents: readonly number[]
  readonly children: readonly (readonly number[])[]
}

/** Spans stand in the order of a tree, so that depths alone say it. */
export function treeOf({ depth }: Pick<SpanColumns, 'depth'>): SpanTree {
  const parents: number[] = []
  const children: number[][] = depth.map(() => [])
  const open: number[] = []
  for (const [place, steps] of depth.entries()) {
    open.length = Math.min(steps, open.length)
    const parent = open.at(-1) ?? -1
    parents.push(parent)
    children[parent]?.push(place)
    open.push(place)
  }
  return { parents, children }
}
