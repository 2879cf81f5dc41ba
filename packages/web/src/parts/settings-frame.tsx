/**
 * Frame of all settings: the list of pages at the left, and below the width of two columns the same list,
 * folded.
 */
import type { ReactNode } from 'react'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'

export interface SettingsPlace {
  readonly name: string
  readonly path: string
}

export function SettingsFrame(props: {
  /** Name of the list. */
  readonly label: string
  readonly places: readonly SettingsPlace[]
  /** The place that a page without one of its own belongs to. */
  readonly current?: string | undefined
  /** Tables and pictures take all the width there is. */
  readonly wide?: boolean
  readonly children: ReactNode
}) {
  const { pathname } = useLocation()
  const current = props.current ?? pathname
  const links = props.places.map(({ name, path }) => (
    <PageLink
      key={path}
      to={path}
      prefetch
      className="settings-place"
      aria-current={path === current ? 'page' : undefined}
    >
      {name}
    </PageLink>
  ))
  const here = props.places.find(({ path }) => path === current)?.name ?? props.label
  return (
    <div className="settings">
      <nav aria-label={props.label} className="settings-list">
        {links}
      </nav>
      {/* Another page folds it again. */}
      <details key={pathname} className="settings-menu">
        <summary>{here}</summary>
        <nav aria-label={props.label}>{links}</nav>
      </details>
      <div className={`settings-body touching ${props.wide === true ? '' : 'max-w-250'}`}>
        {props.children}
      </div>
    </div>
  )
}
