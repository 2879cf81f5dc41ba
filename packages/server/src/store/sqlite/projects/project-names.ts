/** Projects by what people call them, without what is set of each. */
import { wordsAsked } from '#ports/names.ts'
import type { ProjectName, ProjectNamesAsked } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

/** The projects of the scope are looked through: they are thousands at most, and a part of a name is no prefix. */
export function projectNames(
  db: Connection,
  scope: ReadScope,
  { text = '', ids, slugs, hasEvents, offset = 0, limit }: ProjectNamesAsked,
): { readonly rows: readonly ProjectName[]; readonly total: number } {
  const params = {
    ...readableParams(scope, ids ?? null),
    words: JSON.stringify(wordsAsked(text)),
    slugs: slugs === undefined ? null : JSON.stringify(slugs),
    events: hasEvents === true ? 1 : 0,
  }
  const total = db.get<{ total: number }>(`${READABLE} SELECT count(*) AS total ${ASKED}`, params)?.total ?? 0
  if (total === 0 || limit === 0) return { rows: [], total }
  const sql = `${READABLE} SELECT p.id, p.slug, p.name, p.is_self AS isSelf, p.first_event_ms AS firstEventMs
    ${ASKED}
    ORDER BY p.slug = :begins DESC, instr(folded(p.name), :begins) = 1 DESC, p.name COLLATE NOCASE, p.id
    LIMIT :limit OFFSET :offset`
  const begins = wordsAsked(text).join(' ')
  const rows = db
    .all<Row>(sql, { ...params, begins, limit, offset })
    .map((row) => ({ ...row, isSelf: row.isSelf === 1 }))
  return { rows, total }
}

type Row = Omit<ProjectName, 'isSelf'> & { readonly isSelf: number }

const ASKED = `FROM projects p WHERE p.id IN (SELECT id FROM readable)
  AND NOT EXISTS (SELECT 1 FROM json_each(:words) w
    WHERE instr(folded(p.name), w.value) = 0 AND instr(p.slug, w.value) = 0)
  AND (:slugs IS NULL OR p.slug IN (SELECT value FROM json_each(:slugs)))
  AND (:events = 0 OR (p.first_event_ms IS NOT NULL AND p.is_self = 0))`
