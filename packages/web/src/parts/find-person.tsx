import { buttonClass } from '#ui/button.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { paths } from './paths.ts'

/** Way from a list without a match to the people whom the same text may name; nothing without a text. */
export function FindPerson({ org, text }: { readonly org: string; readonly text: string }) {
  if (text === '') return null
  return (
    <PageLink className={buttonClass()} to={paths.people(org, { query: text })}>
      Search people
    </PageLink>
  )
}
