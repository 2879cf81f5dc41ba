/** Changes of feature flags, told and listed as Sentry’s public API does; `project` is ours. */
import * as v from 'valibot'
import { DAY_MS } from '#base/durations.ts'
import { FLAG_CHANGES_BODY } from '#commands/flags.ts'
import { max } from '#limits/limits.ts'
import type { FlagChange } from '#ports/flags.ts'
import { FLAG_CHANGE, FLAG_LOG } from './answers/release.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { badCursor, PAGE, readPage } from './pages.ts'
import { chosenProjects, moment, PROJECTS_PARAMETER } from './params.ts'
import { picks } from './pick.ts'
import { words } from './query.ts'
import { grantedOrThrow } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const CURSOR = /^(\d{1,15}):0:(\d{1,15})$/

const FLAG = words('flag', 'Exactly this flag', max('flagCharsMax'))
const START = moment('start', 'Not before: RFC 3339, UTC without an offset; as long as they are kept without')
const END = moment('end', 'Before: the same')

export const FLAG_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'POST',
    pattern: '/organizations/{org}/flags/hooks/provider/generic/',
    permission: 'release.write',
    what: 'tells of changes of feature flags; one that was told before, by its `change_id`, is not stored again',
    body: FLAG_CHANGES_BODY,
    answer: v.object({ added: v.number() }),
    async run(call) {
      return answerOk(grantedOrThrow(await call.commands.run('tellFlagChanges', call, await call.json())))
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/flags/logs/',
    permission: 'release.read',
    what: 'changes of feature flags, newest first',
    query: [PROJECTS_PARAMETER, FLAG, START, END, ...PAGE],
    answer: FLAG_LOG,
    run: listFlagChanges,
  }),
]

async function listFlagChanges(call: OrgCall) {
  const { url, scope, queries, clock } = call
  const { limit, cursor } = readPage(url)
  const nowMs = clock.now()
  const found = await queries.flagChanges(scope, {
    projects: await chosenProjects(call),
    flag: FLAG.read(url) || null,
    startMs: START.read(url) ?? nowMs - (max('flagChangeDays') + 1) * DAY_MS,
    endMs: END.read(url) ?? nowMs + DAY_MS,
    after: cursor === null ? null : readFlagCursor(cursor),
    // One more says whether there are older ones.
    limit: limit + 1,
  })
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return answerOk(
    { data: rows.map(flagChangeShape) },
    { previous: null, next: last === undefined ? null : `${last.atMs}:0:${last.id}`, hits: null },
  )
}

function readFlagCursor(cursor: string): { readonly atMs: number; readonly id: number } {
  const [, atMs, id] = CURSOR.exec(cursor) ?? []
  if (atMs === undefined || id === undefined) throw badCursor()
  return { atMs: Number(atMs), id: Number(id) }
}

const flagChangeShape = picks(FLAG_CHANGE).from<FlagChange>({
  id: ({ id }) => id,
  createdAt: ({ atMs }) => isoTimeText(atMs),
  createdBy: ({ author }) => author,
  createdByType: ({ authorType }) => authorType,
  provider: () => 'generic',
  tags: () => ({}),
})
