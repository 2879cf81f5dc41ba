import { max } from '@errata/server/limits'

/** Reads what a search field asks to complete: keys if `key` is null, else values of that key. */
export function readCompletion(search: URLSearchParams) {
  return {
    key: search.get('key')?.slice(0, max('tagKeyCharsMax')) ?? null,
    prefix: (search.get('prefix') ?? '').slice(0, max('tagValueCharsMax')),
    projects: search.getAll('project'),
    of: search.get('of') === 'events' ? ('events' as const) : ('issues' as const),
  }
}
