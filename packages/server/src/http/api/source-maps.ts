/** Whether a place in a file that was uploaded resolves: what `errata upload-build` asks of each file at its end. */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import { PLACES_CHECKED } from './answers/release.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { requireProject } from './projects.ts'
import { existing } from './refusals.ts'

const nullable = (most: number) => v.optional(v.nullable(v.pipe(v.string(), v.maxLength(most))), null)
const position = v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null)
const DEBUG_ID_CHARS_MAX = 36
const PATH_CHARS_MAX = 2_048

const PLACES = v.object({
  places: v.pipe(
    v.array(
      v.object({
        path: v.optional(v.pipe(v.string(), v.maxLength(PATH_CHARS_MAX)), ''),
        debugId: nullable(DEBUG_ID_CHARS_MAX),
        release: nullable(max('releaseCharsMax')),
        dist: nullable(max('distCharsMax')),
        ...{ line: position, column: position },
      }),
      'places: a list of places.',
    ),
    v.maxLength(max('checkedPlacesMax'), `At most ${max('checkedPlacesMax')} places.`),
  ),
})

export const SOURCE_MAP_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'POST',
    pattern: '/projects/{org}/{project}/source-maps/check/',
    // Of whoever uploads: the answer names files and functions of the sources.
    permission: 'release.write',
    body: PLACES,
    what: 'whether places in uploaded files resolve, and to what',
    answer: PLACES_CHECKED,
    run: check,
  }),
]

async function check(call: OrgCall) {
  const { id } = await requireProject(call)
  const { places } = readBody(PLACES, await call.json())
  const checked = existing(await call.queries.checkPlaces(call.scope, String(id), places))
  return answerOk({
    places: checked.map(({ original, problem }) => ({
      original:
        original === null
          ? null
          : {
              ...{ source: original.source, line: original.line, column: original.column },
              function: original.functionName,
            },
      problem:
        problem === null
          ? null
          : { reason: problem.why, title: problem.title, cause: problem.cause, next: problem.next },
    })),
  })
}
