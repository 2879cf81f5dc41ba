/** Rows of projects within a transaction: statements, which decide nothing. */
import { EVERYTHING } from '#model/project-rules.ts'
import type { ProjectRows } from '#ports/project-rows.ts'
import type { Project } from '#ports/projects.ts'
import type { Connection } from '../connection.ts'
import { forgetWords } from '../ingest/facet-words.ts'
import { recountIssue } from '../issues/issue-merge.ts'
import { releaseOfProject } from '../issues/mirror-folding.ts'
import { removeBareReleases } from '../releases/release-rows.ts'
import { countOf } from '../rows/account-rows.ts'
import { forgetTexts } from '../rows/issue-texts.ts'
import { KEY_COLUMNS, type KeyRow, projectById, readProjectKey } from '../rows/project-rows.ts'
import type { Statements } from '../statements.ts'
import { forgetPerson } from '../upkeep/person-deletion.ts'

export function projectStatements(db: Connection): Statements<ProjectRows> {
  return {
    one: (org, id) => projectById(db, org, id),
    key(org, project, id) {
      const sql = `SELECT ${KEY_COLUMNS} FROM project_keys k JOIN projects p ON p.id = k.project_id
        WHERE k.id = ? AND k.project_id = ? AND p.org_id = ?`
      const row = db.get<KeyRow>(sql, [id, project, org])
      return row === undefined ? null : readProjectKey(row)
    },
    remove: (project, atMs) => removeProject(db, project, atMs),
    forgetPerson: (deletion) => forgetPerson(db, deletion),
  }
}

function removeProject(db: Connection, project: Project, atMs: number): void {
  const { id, orgId } = project
  const losing = releaseOfProject(db, id, atMs)
  keepLastNumbers(db, project)
  forgetTexts(db, id)
  forgetWords(db, { where: 'g.project_id = ?', param: id })
  db.run('DELETE FROM issue_redirects WHERE project_id = ?', [id])
  db.run('DELETE FROM outcomes WHERE project_id = ?', [id])
  db.run('DELETE FROM quarantined WHERE project_id = ?', [id])
  // Keys, team links, issues, groups and everything below them follow by their foreign keys.
  db.run('DELETE FROM projects WHERE id = ?', [id])
  for (const issue of losing) recountIssue(db, issue)
  removeBareReleases(db, orgId)
  db.run('DELETE FROM tombstones WHERE project_id = ?', [id])
  db.run('DELETE FROM person_tombstones WHERE project_id = ?', [id])
  const bury = 'INSERT INTO tombstones (project_id, hash, up_to_seq, created_ms) VALUES (?, NULL, ?, ?)'
  db.run(bury, [id, EVERYTHING, Math.floor(atMs)])
}

/** Keeps how far a project that goes has counted, by each of its slugs. */
function keepLastNumbers(db: Connection, { orgId, id, slug, formerSlugs }: Project): void {
  const last = countOf(db, 'SELECT issue_counter AS count FROM projects WHERE id = ?', [id])
  const sql = `INSERT INTO former_slugs (org_id, slug, project_id, last_number) VALUES (:org, :each, NULL, :last)
    ON CONFLICT (org_id, slug) DO UPDATE SET project_id = NULL, last_number = max(last_number, :last)`
  for (const each of [slug, ...formerSlugs]) db.run(sql, { org: orgId, each, last })
}
