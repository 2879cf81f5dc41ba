/** What may be a release, and what refuses a change to one: pure, for every store. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

/** Relative names would change the address of a release; `latest` is said of whichever it is. */
const NOT_NAMES: ReadonlySet<string> = new Set(['', '.', '..', 'latest'])
const CONTROL = /[\r\n\t\f\0]/

/** The rule that a name breaks; `null`: it is one. */
export function releaseNameRule(version: string): string | null {
  const most = max('releaseCharsMax')
  if (version.length > most) return `At most ${most} characters.`
  if (CONTROL.test(version)) return 'Without line breaks and tabs.'
  if (NOT_NAMES.has(version) || version.trim() !== version)
    return 'Not empty, not `latest`, and without spaces at the ends.'
  return null
}

/** Whether events make the release where there are so many. */
export function mayEventsMake(version: string, count: number): boolean {
  return count < max('releasesByEventsMax') && releaseNameRule(version) === null
}

export const RELEASE_REFUSALS = {
  noRelease: (): Refusal => refuse('not_found', 'There is no such release.'),
  noProjects: (): Refusal =>
    refuse('invalid_input', 'A release needs a project.', {
      projects: ['You need to specify at least one project.'],
    }),
  tooMany: (): Refusal =>
    refuse('conflict', `An organisation has at most ${max('releasesPerOrgMax')} releases: delete old ones.`),
  ofOthers: (): Refusal =>
    refuse('forbidden', 'Projects have this release that you may not open: somebody who may can delete it.'),
}
