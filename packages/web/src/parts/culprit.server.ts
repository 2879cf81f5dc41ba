/** Culprit of an issue as lists and heads say it. Pure. */
import type { Issue } from './issue-types.ts'

/** Returns what the culprit says beside the route: `POST` of `POST /cart`, and nothing if it is the route. */
export function culpritBeside({ culprit, route }: Pick<Issue, 'culprit' | 'route'>): string {
  if (culprit === route) return ''
  if (route === null) return culprit
  return culprit.endsWith(` ${route}`) ? culprit.slice(0, -` ${route}`.length) : culprit
}
