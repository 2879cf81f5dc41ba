import type { ReactNode } from 'react'
import { BrandMark } from '#parts/brand-mark.tsx'

/** The narrow column of the pages before one is inside. */
export function AuthCard(props: {
  readonly title: string
  readonly intro?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="w-90 max-w-full max-phone:w-full">
      <title>{`${props.title} · Errata`}</title>
      <p className="mb-6 flex items-center gap-2 text-15 font-strong">
        <BrandMark /> Errata
      </p>
      <h1 className="text-20 font-strong">{props.title}</h1>
      {props.intro === undefined ? null : <div className="mt-1 text-14 text-ink-2">{props.intro}</div>}
      <div className="mt-5">{props.children}</div>
    </div>
  )
}
