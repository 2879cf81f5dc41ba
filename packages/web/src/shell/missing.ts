/** Subject of a missing address, so that the page can name it and look for it. */
import { withQuery } from '#parts/paths.ts'
import { byWord } from '#ui/by-word.ts'

interface Missing {
  /** “Issue STOREFRONT-9999 not found”. */
  readonly title: string
  /** List in which it would be; empty if there is none. */
  readonly list: string
  /** The list's search for it; empty for what only has a number, which nobody looks for. */
  readonly search: string
  /** Its name, as far as there is room. */
  readonly named: string
}

const NAME_CHARS_MAX = 80

/** Things by the place of their list in the address. */
const THINGS: Readonly<Record<string, string>> = byWord({
  issues: 'Issue',
  releases: 'Release',
  projects: 'Project',
  traces: 'Trace',
  // These have numbers, one place further in.
  rules: 'Alert rule',
  channels: 'Channel',
  trackers: 'Issue tracker',
})

/**
 * Returns what is missing, by the innermost thing that the address names. `org`: the organisation of the address, where
 * whoever looks is in it; an address of any other says nothing of what it names. An address of `noPage` at all is
 * named itself, and its last part looked for.
 */
export function missingOf(pathname: string, org: string | undefined, noPage = false): Missing {
  const parts = pathname.split('/').slice(1).map(decodePart)
  const [first, place = '', name = '', part, inner] = parts
  const list = `/${org}/${place}`
  const missing = (what: string, whole: string, at: string, query = '') => {
    const named = whole.length > NAME_CHARS_MAX ? `${whole.slice(0, NAME_CHARS_MAX)}…` : whole
    return { title: `${what} ${named} not found`, list: at, search: query && withQuery(at, { query }), named }
  }
  const last = parts.at(-1)
  if (noPage && org && last)
    return {
      ...missing('Page', last, `/${org}/issues`, last),
      title: missing('Page', pathname, '').title,
      list: '',
    }
  if (first === org && name) {
    if (place === 'issues' && part === 'events' && inner && !/^(?:latest|oldest)$/.test(inner))
      return missing('Event', inner, list, inner)
    if (THINGS[place]) return missing(THINGS[place], name, list, name)
    if (THINGS[name] && part) return missing(THINGS[name], part, name === 'rules' ? list : `${list}/${name}`)
  }
  return { title: 'Page not found', list: '', search: '', named: '' }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Not an encoded part: it is shown as it was typed.
    return part
  }
}
