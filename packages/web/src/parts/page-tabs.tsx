import { Tabs, tab } from '#ui/tabs.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'

/** Tabs that are pages. */
export function PageTabs(props: {
  readonly label: string
  readonly tabs: readonly { readonly name: string; readonly path: string }[]
  /** The tab that a page without one of its own belongs to. */
  readonly current?: string | undefined
}) {
  const { pathname } = useLocation()
  return (
    <Tabs label={props.label} className="page-tabs mb-6 border-b">
      {props.tabs.map(({ name, path }) => (
        <PageLink
          key={path}
          to={path}
          prefetch
          className={tab}
          aria-current={path === (props.current ?? pathname) ? 'page' : undefined}
        >
          {name}
        </PageLink>
      ))}
    </Tabs>
  )
}
