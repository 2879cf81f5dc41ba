/** Writes changes of mirrors by the clock and by people. Each is one transaction. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { refuseNoMirror } from '#issues/mirror-folding.ts'
import type { MirrorsWrite } from '#ports/mirrors.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { writeActivity } from '../rows/activity.ts'
import { choose, chosenIssue } from './chosen-issues.ts'
import { releaseMirror } from './mirror-folding.ts'
import { standAlone } from './mirror-issues.ts'

export function mirrorsWrite(db: Connection): MirrorsWrite {
  return {
    standAlone: async (nowMs) => db.transaction(() => standAlone(db, nowMs)),
    keepApart: async (change, actor) => db.transaction(() => keepApart(db, change, actor)),
  }
}

type Change = Parameters<MirrorsWrite['keepApart']>[0]

function keepApart(db: Connection, change: Change, actor: Actor): Result<readonly IssueId[]> {
  const chosen = choose(db, { ...change, ids: [change.id] })
  if (!chosen.ok) return chosen
  const [issue] = chosen.value
  const named = issue === undefined ? [] : foldedGroups(db, issue.id, change)
  if (issue === undefined || named.length === 0) return refuseNoMirror()
  const apart: IssueId[] = []
  const by = 'UPDATE mirrors SET kept_apart_ms = ?, kept_apart_by = ? WHERE group_id = ?'
  for (const groupId of named) {
    const own = releaseMirror(db, groupId, actor.atMs)
    if (own === null) continue
    db.run(by, [Math.floor(actor.atMs), actor.label, groupId])
    const note = { kind: 'kept_apart', atMs: actor.atMs, actor } as const
    const { shortId, title } = chosenIssue(db, own)
    writeActivity(db, issue.id, { ...note, detail: { issue: shortId, title } })
    writeActivity(db, own, { ...note, detail: { issue: issue.shortId, title: issue.title } })
    apart.push(own)
  }
  return ok(apart)
}

/** Returns the named groups, of projects that may be read. */
function foldedGroups(db: Connection, id: IssueId, { projects, groups }: Change): readonly number[] {
  const sql = `SELECT id, project_id AS projectId, lower(hex(hash)) AS hash FROM groups
    WHERE issue_id = ? AND folded_into IS NOT NULL ORDER BY id`
  return db
    .all<{ id: number; projectId: ProjectId; hash: string }>(sql, [id])
    .filter(
      (group) =>
        projects.includes(group.projectId) &&
        (groups === null ||
          groups.some(({ projectId, hash }) => projectId === group.projectId && hash === group.hash)),
    )
    .map((group) => group.id)
}
