/** Lists that tools ask for on their way, of things that Errata makes none of: empty is the whole truth of them. */
import { empty } from './answers/words.ts'
import { type ApiRoute, answerOk } from './call.ts'

const emptyList = (pattern: string, what: string): ApiRoute => ({
  method: 'GET',
  pattern,
  permission: 'org.read',
  what,
  answer: empty,
  run: async () => answerOk([]),
})

export const EMPTY_LIST_ROUTES: readonly ApiRoute[] = [
  emptyList('/organizations/{org}/dashboards/', 'dashboards that were made, of which there are none'),
  emptyList(
    '/organizations/{org}/integrations/',
    'integrations of Sentry’s kind, of which there are none; channels and trackers have calls of their own',
  ),
]
