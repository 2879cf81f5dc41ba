import { useId } from 'react'
import type { ColumnKey } from './ledger.ts'

/** Fills of the columns; what never reached Errata is hatched. */
export const FILLS: Readonly<Record<Exclude<ColumnKey, 'dropped'>, string>> = {
  stored: 'fill-bar',
  unsupported: 'fill-bar-2',
  filtered: 'fill-span-server',
  limited: 'fill-warn-fill',
  invalid: 'fill-bad-fill',
}

/** 45° lines, 4 px apart. */
export function Hatch({ id }: { readonly id: string }) {
  return (
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="4" height="4" className="fill-canvas" />
      <rect width="1.6" height="4" className="fill-bar" />
    </pattern>
  )
}

export function Swatch({ column }: { readonly column: ColumnKey }) {
  const id = useId()
  return (
    <svg width="10" height="10" aria-hidden="true" className="shrink-0">
      {column === 'dropped' ? (
        <>
          <defs>
            <Hatch id={id} />
          </defs>
          <rect width="10" height="10" fill={`url(#${id})`} />
        </>
      ) : (
        <rect width="10" height="10" className={FILLS[column]} />
      )}
    </svg>
  )
}
