import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

/** Something could not be done: what, why, its code and digest, and what to do. */
export function ErrorBox(props: {
  readonly title: string
  readonly children: ReactNode
  readonly code?: string | undefined
  readonly digest?: string | undefined
  readonly next?: ReactNode
  /** It stands in place of a page, and its title is the page's. */
  readonly isPage?: true
  /** Nothing failed: it is not there. */
  readonly isCalm?: boolean
}) {
  const Title = props.isPage === true ? 'h1' : 'h2'
  return (
    <div role="alert" className="box max-w-150">
      <Title className="flex items-center gap-2 text-14 font-strong">
        {props.isCalm === true ? (
          <Icon name="search" className="shrink-0 text-ink-3" />
        ) : (
          <Icon name="exclamation" className="text-bad" />
        )}
        <span className="foreign min-w-0">{props.title}</span>
      </Title>
      <div className="mt-1 text-13 text-ink-2">{props.children}</div>
      {props.code === undefined ? null : (
        <p className="mt-1 text-12 text-ink-3">
          Code <code>{props.code}</code>
          {props.digest === undefined ? null : <span className="num">, digest {props.digest}</span>}
        </p>
      )}
      {props.next === undefined ? null : <div className="mt-4 flex flex-wrap gap-2">{props.next}</div>}
    </div>
  )
}

/** The same in one line, above a form or a list. */
export function ErrorLine({ children }: { readonly children: ReactNode }) {
  return (
    <p role="alert" className="flex gap-1 text-13 text-bad">
      <Icon name="exclamation" />
      <span className="foreign">{children}</span>
    </p>
  )
}
