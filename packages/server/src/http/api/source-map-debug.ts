/** Why frames of an event show what ran, in the words of Sentry's `source-map-debug/`. */
import * as v from 'valibot'
import type { Unresolved } from '#model/map-lookup.ts'
import type { UnresolvedNote } from '#queries/stack-types.ts'
import { anyObject, textSchema } from './answers/words.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { words } from './query.ts'
import { badField, existing } from './refusals.ts'

const EXCEPTION = words('exception_idx', 'Place of the exception in the event, from 0; with `frame_idx`')
const FRAME = words('frame_idx', 'Place of the frame in its stack, from 0; empty for all frames')

const TYPES: Readonly<Record<Unresolved, string>> = {
  no_debug_id_no_release: 'no_release_on_event',
  no_map_for_debug_id: 'debug_id_no_sourcemaps',
  no_artifact_matches: 'no_url_match',
  other_dist: 'dist_mismatch',
  other_project: 'debug_id_no_sourcemaps',
  map_pending: 'sourcemap_not_found',
  map_damaged: 'sourcemap_not_found',
  outside_map: 'sourcemap_not_found',
  no_source_in_map: 'sourcemap_not_found',
}

export const SOURCE_MAP_DEBUG_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/events/{event}/source-map-debug/',
    permission: 'issue.read',
    query: [EXCEPTION, FRAME],
    what: 'why frames of an event are not resolved by a source map; empty where they are',
    answer: v.object({
      errors: v.array(v.object({ type: textSchema, message: textSchema, data: anyObject })),
    }),
    async run(call) {
      return answerOk({ errors: (await readNotes(call)).map(noteShape) })
    },
  }),
]

async function readNotes({ queries, scope, params, url }: OrgCall): Promise<readonly UnresolvedNote[]> {
  const [exception, frame] = [
    readIndex('exception_idx', EXCEPTION.read(url)),
    readIndex('frame_idx', FRAME.read(url)),
  ]
  const { readable } = existing(await queries.event(scope, params.project ?? '', params.event ?? ''))
  if (frame === null) return readable.notes
  const at = readable.byFrame[`exception.values.${exception ?? 0}.stacktrace.frames.${frame}`]
  const note = at === undefined ? undefined : readable.notes[at]
  return note === undefined ? [] : [note]
}

function readIndex(name: string, typed: string): number | null {
  if (typed === '') return null
  if (!/^\d{1,4}$/.test(typed)) throw badField(name, 'A number from 0.')
  return Number(typed)
}

function noteShape({ why, title, cause, next, command, file, debugId }: UnresolvedNote) {
  return {
    type: TYPES[why],
    message: title,
    data: { filename: file, unresolved: why, reason: cause, next, command, debugId },
  }
}
