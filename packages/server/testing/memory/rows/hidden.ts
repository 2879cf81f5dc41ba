/** What queries of the column store leave out. */
import type { Hidden } from '#model/hidden.ts'
import { completeOptions } from '#ports/projects.ts'
import type { ControlRetention } from '#ports/retention.ts'
import { byId } from '../order.ts'
import type { Tables } from '../tables.ts'

export function readHidden(of: Tables): Hidden {
  return {
    tombstones: of.tombstones
      .all()
      .sort(byId)
      .map(({ projectId, hash, upToSeq }) => ({ projectId, hash, upToSeq })),
    people: of.personTombstones
      .all()
      .sort(byId)
      .map(({ projectId, person, upToSeq }) => ({ projectId, person, upToSeq })),
    periods: of.projects.all().flatMap(({ id, options }) => {
      const { retentionDays, spanRetentionDays } = completeOptions(options)
      return [
        { projectId: id, kind: null, days: retentionDays },
        { projectId: id, kind: 'span', days: spanRetentionDays },
      ]
    }),
  }
}

/** One state of the store: whoever removes what `hidden` says has reached `marks`. */
export function readDeletions(of: Tables): Awaited<ReturnType<ControlRetention['deletions']>> {
  return {
    hidden: readHidden(of),
    // Of all that ever were: a dropped one counts too.
    marks: { tombstone: of.tombstones.lastId, person: of.personTombstones.lastId },
    pending: [
      ...of.tombstones.all().map(({ id, createdMs }) => ({ kind: 'tombstone', id, createdMs }) as const),
      ...of.personTombstones.all().map(({ id, createdMs }) => ({ kind: 'person', id, createdMs }) as const),
    ],
  }
}
