/** Subject of a missing address, so that the page can name it and look for it. */
import { paths } from '#parts/paths.ts'

export interface Missing {
  /** “Issue STOREFRONT-9999 not found”. */
  readonly title: string
  /** Search for it; `null` if no list would find it. */
  readonly search: { readonly to: string; readonly label: string } | null
}

const NAME_CHARS_MAX = 80

/**
 * Returns what is missing, by the innermost thing that the address names. `org`: the organisation of the address, where
 * whoever looks is in it; an address of any other says nothing of what it names.
 */
export function missingOf(pathname: string, org: string | null): Missing {
  const [first = '', place = '', name = '', ...rest] = pathname.split('/').slice(1).map(decodePart)
  if (org === null || first !== org) return { title: 'Page not found', search: null }
  const named = name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX)}…` : name
  const found = (what: string, to?: string) => ({
    title: `${what} ${named} not found`,
    search: to === undefined ? null : { to, label: `Search for ${named}` },
  })
  if (name === '') return { title: 'Page not found', search: null }
  switch (place) {
    case 'issues':
      return found('Issue', paths.issues(org, { query: name }))
    case 'releases':
      return found('Release', paths.releases(org, { query: name }))
    case 'projects':
      return found('Project', paths.projects(org))
    case 'traces':
      return found('Trace', paths.traces(org))
    case 'alerts':
      return alertPart(named, rest[0])
    default:
      return { title: 'Page not found', search: null }
  }
}

/** Rules and channels have numbers, which nobody looks for. */
function alertPart(part: string, id: string | undefined): Missing {
  if (id === undefined) return { title: 'Page not found', search: null }
  return { title: `${part === 'channels' ? 'Channel' : 'Alert rule'} ${id} not found`, search: null }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Not an encoded part: it is shown as it was typed.
    return part
  }
}
