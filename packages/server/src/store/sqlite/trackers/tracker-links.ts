/** Links of issues to those of trackers, and what trackers say of them. */
import type { TrackerKind, TrackerLink, TrackersRead } from '#ports/trackers.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

interface LinkRow extends Omit<TrackerLink, 'tracker'> {
  readonly trackerId: number
  readonly kind: TrackerKind
  readonly name: string
}

export function trackerLinksRead(db: Connection): Pick<TrackersRead, 'trackerLinks'> {
  return {
    trackerLinks: async (scope, issue) => {
      // tracker_links' unique key begins with the issue
      const sql = `${READABLE} SELECT l.id, l.issue_id AS issueId, l.ref, l.url, l.title, l.state,
          l.checked_ms AS checkedMs, l.created_by AS createdBy, l.created_ms AS createdMs, t.id AS trackerId, t.kind,
          t.name
        FROM tracker_links l JOIN trackers t ON t.id = l.tracker_id JOIN issues i ON i.id = l.issue_id
        WHERE l.issue_id = :issue AND i.project_id IN (SELECT id FROM readable) ORDER BY l.id`
      return db
        .all<LinkRow>(sql, { ...readableParams(scope), issue })
        .map(({ trackerId, kind, name, ...link }) => ({ ...link, tracker: { id: trackerId, kind, name } }))
    },
  }
}
