/** Subject of a missing address, so that the page can name it and look for it. */
import { paths, withQuery } from '#parts/paths.ts'
import { byWord } from '#ui/by-word.ts'
import { cutText } from '#ui/cut-text.ts'
import { visibleText } from '#ui/visible-text.ts'
import type { Missing } from '#wire/answers.ts'
import type { MissingPlace } from '#wire/app-tables.ts'

const NAME_CHARS_MAX = 80

/** Things by the place of their list in the address. */
const THINGS: Readonly<Record<string, string>> = byWord({
  issues: 'Issue',
  releases: 'Release',
  projects: 'Project',
  traces: 'Trace',
  people: 'Person',
  // A route is one of its project.
  performance: 'Project',
  // These have numbers, one place further in.
  rules: 'Alert rule',
  channels: 'Channel',
  trackers: 'Issue tracker',
})
/** Names lists whose search finds a thing, if not the place of the thing itself. */
const LISTS: Readonly<Record<string, string>> = byWord({ performance: 'projects' })

/**
 * Returns what is missing, by the innermost thing that the address names; of an organisation that the viewer is not in,
 * that alone.
 */
export function missingAt({ pathname, org, isMember, isPage }: MissingPlace): Missing {
  const [first = '', place = '', name = '', part, inner] = pathname.split('/').slice(1).map(decodePart)
  if (org !== undefined && !isMember) return missing('Organisation', first)
  if (!isPage || org === undefined) return missingPage(pathname, isMember ? org : undefined)
  const list = `/${org}/${LISTS[place] ?? place}`
  if (name !== '') {
    // An issue has a latest and an oldest event, so that it is the issue that is missing.
    const event = inner === 'latest' || inner === 'oldest' ? undefined : inner
    if (place === 'issues' && part === 'events' && event) return missing('Event', event, list, event)
    if (THINGS[place]) return missing(THINGS[place], name, list, name)
    if (THINGS[name] && part) return missing(THINGS[name], part, name === 'rules' ? list : `${list}/${name}`)
  }
  return missingPage(pathname, org)
}

/** A page that nobody has: what its address ends with may be the name of something else. */
function missingPage(pathname: string, org: string | undefined): Missing {
  const last =
    pathname
      .split('/')
      .map(decodePart)
      .findLast((part) => part !== '') ?? ''
  const whole = pathname.split('/').map(decodePart).join('/')
  if (whole === '') return { ...missing('Page', ''), title: 'Page not found' }
  if (org === undefined) return missing('Page', whole)
  return { ...missing('Page', whole, paths.issues(org), last), list: '', looksFor: shortText(last, 24) }
}

function missing(what: string, whole: string, list = '', query = ''): Missing {
  const title = `${what} ${shortText(whole, NAME_CHARS_MAX)} not found`
  return { title, list, search: query && withQuery(list, { query }), looksFor: shortText(query, 24) }
}

function shortText(text: string, charsMax: number): string {
  return visibleText(text.length > charsMax ? `${cutText(text, charsMax)}…` : text)
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Not an encoded part: it is shown as it was typed.
    return part
  }
}
