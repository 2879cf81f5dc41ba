/** Rules for names of releases and for changes to them: pure, for every store. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

// No address can hold them: refused with the request, or never written by a browser.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/
const DOT_PART = /(?:^|\/)\.{1,2}(?:\/|$)/

/** The rule that a name breaks, of whomever it came; `null`: it is one. Slashes, spaces and `%2F` are part of names. */
export function releaseNameRule(version: string): string | null {
  const most = max('releaseCharsMax')
  if (version.length > most) return `At most ${most} characters.`
  if (CONTROL.test(version) || !version.isWellFormed())
    return 'Without line breaks, tabs and broken characters.'
  // `latest` is said of whichever release it is.
  if (version === '' || version.toLowerCase() === 'latest' || version.trim() !== version)
    return 'Not empty, not `latest`, and without spaces at the ends.'
  return DOT_PART.test(version) ? 'Without `.` and `..` as a part of a path.' : null
}

export const RELEASE_REFUSALS = {
  noRelease: (): Refusal => refuse('not_found', 'There is no such release.'),
  noProjects: (): Refusal =>
    refuse('invalid_input', 'A release needs a project.', {
      projects: ['You need to specify at least one project.'],
    }),
  tooMany: (): Refusal =>
    refuse(
      'conflict',
      `A project has at most ${max('releasesPerProjectMax')} releases, an organisation ${max('releasesPerOrgMax')}: delete old ones.`,
    ),
  ofOthers: (): Refusal =>
    refuse(
      'forbidden',
      'You don’t have access to all projects of this release. Someone who does can delete it.',
    ),
}

const COMMIT_BEGINNING = /^[0-9a-f]{7,64}$/

/**
 * Returns the beginning of a commit's hash in a search text, as long as tools show it; `null` for any other
 * text.
 */
export function commitBeginning(text: string): string | null {
  const digits = text.trim().toLowerCase()
  return COMMIT_BEGINNING.test(digits) ? digits : null
}
