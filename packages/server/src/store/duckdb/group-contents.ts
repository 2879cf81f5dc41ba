/** Reads what one file holds of groups, whoever may see it. */

import { isGrouped } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { FileContents } from '#ports/telemetry.ts'
import type { GroupInFile } from '#store/embedded/care/stores/control.ts'
import type { ColumnFiles } from './column-files.ts'
import type { RunQuery } from './query-slots.ts'
import { ROWS } from './table-sql.ts'

/** Returns contents in the order of the groups; `null` for none. */
export async function groupContents(
  { files, query }: { readonly files: ColumnFiles; readonly query: RunQuery },
  file: FileName,
  groups: readonly GroupInFile[],
): Promise<readonly (FileContents | null)[]> {
  const contents: (FileContents | null)[] = groups.map(() => null)
  if (groups.length === 0) return contents
  const counted = await files.read(file, [], async ({ alias, table }) => {
    if (!isGrouped(table)) return []
    return query(
      'SELECT g.place::DOUBLE, count(*)::DOUBLE, floor(min(e.timestamp_ms)), floor(max(e.timestamp_ms)) ' +
        `FROM ${alias}.${ROWS} e JOIN (SELECT unnest($1::BIGINT[]) AS project_id, ` +
        'unnest($2::VARCHAR[]) AS group_hash, unnest($3::BIGINT[]) AS place) g ' +
        'ON g.project_id = e.project_id AND g.group_hash = e.group_hash GROUP BY g.place',
      [groups.map(({ projectId }) => projectId), groups.map(({ hash }) => hash), [...groups.keys()]],
    )
  })
  for (const row of counted) {
    const [place = 0, events = 0, firstMs = 0, lastMs = 0] = row.map(Number)
    contents[place] = { events, firstMs, lastMs }
  }
  return contents
}
