import type { ReactNode } from 'react'
import { BrandMark } from '#parts/brand-mark.tsx'

/** The narrow column of the pages before one is inside. */
export function AuthCard(props: {
  readonly title: string
  /** Heading, if it says more than the document's title. */
  readonly heading?: string
  readonly intro?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="auth">
      <title>{`${props.title} · Errata`}</title>
      <p className="mb-5 flex items-center gap-2 text-14 font-strong">
        <BrandMark /> Errata
      </p>
      <h1 className="foreign text-20 font-strong">{props.heading ?? props.title}</h1>
      {props.intro === undefined ? null : (
        <div className="foreign mt-1 text-13 text-ink-2">{props.intro}</div>
      )}
      <div className="mt-6">{props.children}</div>
    </div>
  )
}
