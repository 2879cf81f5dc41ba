/** Links from the app to the section of the handbook that explains what is shown. A test holds that each is there. */
import type { ReactNode } from 'react'
import { usePage } from '#wire/router.ts'
import { paths } from './paths.ts'

/** Opens beside the app: what was typed stays. */
export function DocsLink(props: {
  /** `page#heading`, as the handbook calls them; the section of the screen that is shown where none is given. */
  readonly to?: string
  readonly className?: string
  readonly children?: ReactNode
}) {
  const { to, className = 'link link-text', children = 'Learn more' } = props
  const { id } = usePage()
  const href = to === undefined ? paths.docsOf(id) : `${paths.docs()}/${to}`
  return (
    <a className={className} href={href} target="_blank" rel="noopener">
      {children}
    </a>
  )
}

/** The same as a button, among those of a head or an empty list. */
export function DocsButton({ to, about }: { readonly to?: string; readonly about: string }) {
  return (
    <DocsLink {...(to === undefined ? {} : { to })} className="btn btn-quiet touch">
      Docs<span className="visually-hidden"> about {about}</span>
    </DocsLink>
  )
}
