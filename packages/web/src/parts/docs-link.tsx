/** Links from the app to the section of the handbook that explains what is shown. A test holds that each is there. */
import type { ReactNode } from 'react'
import { usePage } from '#wire/router.ts'
import { paths } from './paths.ts'

interface Place {
  /** `page#heading`, as the handbook calls them; the section of the screen that is shown where none is given. */
  readonly to?: string
  readonly className?: string
}

/** Opens beside the app: what was typed stays. */
export function DocsLink({
  to,
  className = 'link link-text',
  children = 'Learn more',
  about,
}: Place & {
  readonly children?: ReactNode
  /** Said behind the words of the link, for who does not see what stands around it. */
  readonly about?: string
}) {
  const { docs } = usePage()
  const [slug, anchor] = (to ?? docs).split('#')
  return (
    <a className={className} href={paths.docs(slug, anchor)} target="_blank" rel="noreferrer">
      {children}
      {about === undefined ? null : <span className="visually-hidden"> about {about}</span>}
    </a>
  )
}

/** The same as a button, among those of a head or an empty list. */
export function DocsButton({ to, about }: Pick<Place, 'to'> & { readonly about: string }) {
  return (
    <DocsLink {...(to === undefined ? {} : { to })} className="btn btn-quiet touch" about={about}>
      Docs
    </DocsLink>
  )
}
