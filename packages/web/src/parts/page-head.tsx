import type { ReactNode } from 'react'
import { Icon } from '#ui/icons.tsx'
import { PageLink } from '#wire/page-link.tsx'

export interface Crumb {
  readonly text: string
  /** Absent for where one is. */
  readonly path?: string
}

/**
 * Head of a page: its path and subject. `title` is the document's title, too. An `end` with
 * `max-phone:order-last` goes below all of it on a phone.
 */
export function PageHead(props: {
  readonly title: string
  readonly crumbs?: readonly Crumb[]
  readonly children?: ReactNode
  readonly end?: ReactNode
}) {
  return (
    <header className="mb-5">
      <title>{`${documentTitle(props)} · Errata`}</title>
      {props.crumbs === undefined ? null : (
        <nav aria-label="Breadcrumbs" className="mb-1 flex flex-wrap items-center gap-1.5 text-13 text-ink-2">
          {props.crumbs.map(({ text, path }, index) => (
            <span key={text} className="foreign inline-flex min-w-0 items-center gap-1.5">
              {index === 0 ? null : <Icon name="chevron-right" size={12} />}
              {path === undefined ? (
                <span className="text-ink-3">{text}</span>
              ) : (
                <PageLink to={path} className="hover:text-ink max-phone:-my-3 max-phone:py-3">
                  {text}
                </PageLink>
              )}
            </span>
          ))}
        </nav>
      )}
      <div className="flex flex-wrap items-start gap-3 max-phone:items-center">
        <h1 className="foreign min-w-0 flex-1 basis-36 text-20 font-strong wrap-anywhere">{props.title}</h1>
        {props.end}
        {props.children === undefined ? null : (
          <div
            className={`-mt-2 basis-full text-14 text-ink-2 ${props.end === undefined ? '' : 'max-phone:mt-0'}`}
          >
            <div className="max-w-160">{props.children}</div>
          </div>
        )}
      </div>
    </header>
  )
}

/** “Members” is one of many where several tabs are open: what it belongs to follows, where the title does not say it. */
function documentTitle(head: { readonly title: string; readonly crumbs?: readonly Crumb[] }): string {
  const within = head.crumbs?.[0]?.text ?? ''
  return within === '' || head.title.includes(' · ') ? head.title : `${head.title} · ${within}`
}

/** A page of prose, forms and tables: one column with the page's edges. */
export function Page({ children, wide }: { readonly children: ReactNode; readonly wide?: true }) {
  return <div className={`page p-6 max-phone:p-4 ${wide === true ? '' : 'max-w-250'}`}>{children}</div>
}
