import type { ReactNode } from 'react'

/** Label and value in two columns. `term` is the label, `children` the value. */
export function Facts({
  children,
  className,
}: {
  readonly children: ReactNode
  readonly className?: string
}) {
  return <dl className={`facts ${className ?? ''}`}>{children}</dl>
}

export function Fact({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  )
}
