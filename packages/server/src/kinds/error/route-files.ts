/**
 * Files of SvelteKit's routes: all have the same few names, and what they export is called `load` or `GET` in each, so that
 * version 1, which goes by a file's name, takes failures of all routes for one. Their folder is the route.
 */
import { hash } from 'node:crypto'
import { groupHash } from '#base/ids.ts'
import type { Grouping, ScrubbedEvent } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'

const ROUTE_FILE = /(?:^|\/)src\/routes\/((?:[^?#]{1,400}\/)?\+(?:page|layout|server|error)[\w.@-]{0,60})$/

/**
 * Groups an error by the file of the route that it came from. `null` where the newest frame of the app is no such
 * file, and where an SDK or a rule said what the group is.
 */
export function groupByRouteFile(event: ScrubbedEvent, grouping: Grouping): Grouping | null {
  if (!(event.sdk?.name ?? '').includes('sveltekit')) return null
  if (grouping.mirror !== undefined || (event.fingerprint?.length ?? 0) > 0) return null
  const frames = mainException(event)?.stacktrace?.frames ?? []
  const newest = frames.findLast((frame) => frame.in_app === true)
  const file = ROUTE_FILE.exec(newest?.filename ?? '')?.[1]
  if (file === undefined) return null
  return {
    ...grouping,
    hash: groupHash(hash('sha1', `${grouping.hash} ${file}`).slice(0, 32)),
    explanation: [
      ...grouping.explanation,
      {
        name: 'frame',
        value: file,
        note: 'route: files of all routes have the same name',
        contributes: true,
      },
    ],
  }
}
