/** Changes of feature flags, as whatever holds the flags tells of them. */
import * as v from 'valibot'
import { DAY_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { FLAG_CHANGES } from '#model/tables/flags.ts'
import type { NewRow } from '#model/tables/table.ts'
import type { Tx } from '#ports/control.ts'
import type { Asking } from './asking.ts'
import { type By, preparedCommand } from './command.ts'
import type { CommandParts } from './parts.ts'
import { line, listSchema } from './schema-parts.ts'
import { readInput } from './schemas.ts'

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/i
const TIME_RULE = 'A time such as 2026-11-21T10:00:00Z.'
/** UTC without an offset. */
const time = v.pipe(
  v.string(TIME_RULE),
  v.transform((text) => {
    const [, day, clock, offset = 'Z'] = TIME.exec(text) ?? []
    return Date.parse(`${day}T${clock}${offset}`)
  }),
  v.number(TIME_RULE),
)
const changeId = v.union(
  [v.pipe(v.number(), v.safeInteger(), v.transform(String)), line('change_id', max('flagChangeIdCharsMax'))],
  `change_id: a whole number, or text of at most ${max('flagChangeIdCharsMax')} characters.`,
)
const AUTHOR = v.object({
  id: v.pipe(
    v.union([v.string(), v.number()], 'created_by.id: text.'),
    v.transform(String),
    line('created_by.id', max('flagCharsMax')),
  ),
  type: v.picklist(['email', 'id', 'name'], 'created_by.type: one of email, id, name.'),
})
const CHANGE = v.object({
  action: v.picklist(['created', 'updated', 'deleted'], 'action: one of created, updated, deleted.'),
  change_id: changeId,
  created_at: time,
  created_by: v.optional(v.nullable(AUTHOR)),
  flag: line('flag', max('flagCharsMax')),
  project: v.optional(v.nullable(v.union([v.string(), v.number()], 'project: its slug or id.'))),
})
/** Body of Sentry's generic provider; `project` is ours. Fields that it does not name are passed over. */
export const FLAG_CHANGES_BODY = v.object({
  data: listSchema(CHANGE, 'data', max('flagChangesPerCallMax')),
  meta: v.optional(v.object({ version: v.literal(1, 'meta.version: 1.') })),
})

type Row = NewRow<typeof FLAG_CHANGES>
/** A change that was told, without what is the same of all. */
type Told = Omit<Row, 'orgId' | 'createdMs'>

type Parts = Pick<CommandParts, 'projects' | 'clock'>

/** Stores changes that are not there yet, and says how many that were. What is older than is kept is passed over. */
export const tellFlagChanges = preparedCommand({
  permission: 'release.write',
  input: (body: unknown) => readInput(FLAG_CHANGES_BODY, body),
  prepare: preparedChanges,
  change: addFlagChanges,
})

async function preparedChanges(
  parts: Parts,
  asking: Asking,
  { data }: v.InferOutput<typeof FLAG_CHANGES_BODY>,
): Promise<Result<readonly Told[]>> {
  const nowMs = Math.floor(parts.clock.now())
  const projects = await projectsToldOf(parts, asking, data)
  const told: Told[] = []
  for (const { flag, action, change_id, created_at: atMs, created_by, project } of data) {
    const projectId = project == null ? null : (projects.get(String(project)) ?? 'unknown')
    if (projectId === 'unknown') return refuseChange('project', 'There is no such project.')
    if (atMs > nowMs + DAY_MS)
      return refuseChange('created_at', 'At most a day ahead of this server’s clock.')
    if (atMs < nowMs - max('flagChangeDays') * DAY_MS) continue
    told.push({
      ...{ projectId, flag, action, changeId: change_id },
      // A clock that is ahead tells of the future, which no chart has.
      atMs: Math.min(atMs, nowMs),
      ...{ author: created_by?.id ?? null, authorType: created_by?.type ?? null },
    })
  }
  return ok(told)
}

function refuseChange(field: string, rule: string) {
  return refuse('invalid_input', `${field}: ${rule}`, { [field]: [rule] })
}

/** Returns ids of the projects that are named; what whoever asks may not read is not among them. */
async function projectsToldOf(
  { projects }: Parts,
  { scope }: Asking,
  data: v.InferOutput<typeof FLAG_CHANGES_BODY>['data'],
): Promise<ReadonlyMap<string, ProjectId>> {
  const refs = [...new Set(data.flatMap(({ project }) => (project == null ? [] : [String(project)])))]
  const found = await Promise.all(
    refs.map(async (each) => [each, await projects.project(scope, each)] as const),
  )
  return new Map(found.flatMap(([each, project]) => (project === null ? [] : [[each, project.id] as const])))
}

async function addFlagChanges(
  tx: Tx,
  told: readonly Told[],
  { scope: { orgId }, actor }: By,
): Promise<Result<{ readonly added: number }>> {
  const rows = tx.rows(FLAG_CHANGES)
  const byId = new Map(told.map((each) => [each.changeId, each]))
  const known = await rows.find({ orgId, changeId: [...byId.keys()] }, byId.size)
  for (const { changeId } of known) byId.delete(changeId)
  await rows.insert([...byId.values()].map((each) => ({ ...each, orgId, createdMs: actor.atMs })))
  const beyond = (await rows.count({ orgId })) - max('flagChangesPerOrgMax')
  if (beyond > 0) {
    const first = await rows.find({ orgId }, beyond)
    await rows.remove({ id: first.map(({ id }) => id) })
  }
  return ok({ added: byId.size })
}
