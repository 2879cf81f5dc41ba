/** The control store's part in retention and compaction, and what /system shows of it. */

import { dayOf } from '#base/ids.ts'
import { oldestHourKept } from '#issues/issue-sums.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem, isSameFile } from '#model/file-name.ts'
import { isPast } from '#model/hidden.ts'
import type { ControlRetention, Removal, RetentionRead } from '#ports/retention.ts'
import { ascending, byId, descending, inOrder } from '../order.ts'
import { readDeletions } from '../rows/hidden.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { deletePerson } from './person-deletion.ts'

export function retentionRead(of: Tables): RetentionRead {
  return {
    removals: async (limit) =>
      of.removals
        .all()
        .sort(descending(({ id }) => id))
        .slice(0, limit),
    upkeepRuns: async () => of.upkeepRuns.all().sort(ascending(({ kind }) => kind)),
  }
}

export function retentionWrite(to: Tables): ControlRetention {
  return { ...times(to), ...deletionsWrite(to), ...filesWrite(to), ...contentsWrite(to) }
}

function times(to: Tables): Pick<ControlRetention, 'knownTime' | 'setKnownTime'> {
  return {
    knownTime: async () => {
      const [knownMs, doubtedMs] = [to.number('knownMs'), to.number('doubtedMs')]
      return knownMs === null ? null : { knownMs, doubtedMs: doubtedMs ?? 0 }
    },
    setKnownTime: async ({ knownMs, doubtedMs }) =>
      to.transaction(() => {
        to.setNumber('knownMs', Math.floor(knownMs))
        to.setNumber('doubtedMs', Math.floor(doubtedMs))
      }),
  }
}

type DeletionsWrite = Pick<ControlRetention, 'deletions' | 'dropDeletions' | 'forgetDeleted' | 'deletePerson'>

function deletionsWrite(to: Tables): DeletionsWrite {
  return {
    deletions: async () => readDeletions(to),
    dropDeletions: async (deletions) =>
      to.transaction(() => {
        for (const { kind, id } of deletions)
          (kind === 'tombstone' ? to.tombstones : to.personTombstones).delete(id)
      }),
    // A map keeps nothing of what was taken out of it.
    forgetDeleted: async () => {},
    deletePerson: async (deletion, actor) => to.transaction(() => deletePerson(to, deletion, actor)),
  }
}

type FilesWrite = Pick<
  ControlRetention,
  'fileStates' | 'setFileState' | 'beginRemoval' | 'endRemoval' | 'openRemovals' | 'noteRun'
>

function filesWrite(to: Tables): FilesWrite {
  return {
    fileStates: async () => to.fileStates.all(),
    setFileState: async (state) => {
      const compactedMs = Math.floor(state.compactedMs)
      to.transaction(() => to.fileStates.put(fileStem(state.file), { ...state, compactedMs }))
    },
    beginRemoval: async (begun) =>
      to.transaction(() => {
        const id = to.removals.nextId()
        const removal: Removal = { ...begun, begunMs: Math.floor(begun.begunMs), id, endedMs: null }
        to.removals.put(id, removal)
        return removal
      }),
    endRemoval: async ({ id, file }, endedMs) =>
      to.transaction(() => {
        to.removals.change(id, { endedMs: Math.floor(endedMs) })
        to.fileStates.delete(fileStem(file))
        // What /system shows; the rest is of no use to anybody.
        to.removals.deleteWhere((other) => other.id <= id - max('removalsKeptMax') && other.endedMs !== null)
      }),
    openRemovals: async () => to.removals.where(({ endedMs }) => endedMs === null).sort(byId),
    noteRun: async (run) => {
      const [begunMs, endedMs] = [Math.floor(run.begunMs), Math.floor(run.endedMs)]
      to.transaction(() => to.upkeepRuns.put(run.kind, { ...run, begunMs, endedMs }))
    },
  }
}

type ContentsWrite = Pick<ControlRetention, 'uncountedFiles' | 'groupsInFile' | 'setContents' | 'pruneGroups'>

function contentsWrite(to: Tables): ContentsWrite {
  return {
    uncountedFiles: async () => {
      const files = to.groups.all().flatMap((group) => group.files.filter(({ holds }) => holds === null))
      return distinct(files.map(fileNameOf))
    },
    groupsInFile: async (file, after, count) => {
      const { groups, last } = groupsAfter(to, after, count)
      const inside = groups.filter((group) => group.files.some((one) => isSameFile(fileNameOf(one), file)))
      return { groups: inside.map(({ id, projectId, hash }) => ({ id, projectId, hash })), last }
    },
    setContents: async (file, contents) =>
      to.transaction(() => {
        for (const { id, holds } of contents) setContents(to, file, { id, holds })
      }),
    pruneGroups: async (after, count, { nowMs, kept }) =>
      to.transaction(() => {
        const { groups, last } = groupsAfter(to, after, count)
        const today = dayOf(nowMs)
        const isThere = (file: FileName) =>
          !isPast(file.day, file.retentionDays, today) || kept.some((other) => isSameFile(other, file))
        for (const { id, hours, files } of groups) {
          const left = [...hours].filter(([hour]) => hour >= oldestHourKept(nowMs))
          to.groups.change(id, {
            hours: new Map(left),
            files: files.filter((one) => isThere(fileNameOf(one))),
          })
        }
        return last
      }),
  }
}

/** Groups in order of id; `last` is the last one looked at, `null` after the last group. */
export function groupsAfter(of: Tables, after: number, count: number) {
  const groups = of.groups
    .where(({ id }) => id > after)
    .sort(byId)
    .slice(0, count)
  return { groups, last: groups.length < count ? null : (groups.at(-1)?.id ?? null) }
}

function setContents(
  to: Tables,
  file: FileName,
  { id, holds }: Parameters<ControlRetention['setContents']>[1][number],
): void {
  const group = to.groups.get(id)
  if (group === undefined) return
  const files = group.files.flatMap((one) => {
    if (!isSameFile(fileNameOf(one), file)) return [one]
    return holds === null ? [] : [{ ...one, holds: holds === 'unknown' ? null : holds }]
  })
  to.groups.change(id, { files })
}

function distinct(files: readonly FileName[]): readonly FileName[] {
  return [...new Map(files.map((file) => [fileStem(file), file])).values()].sort(
    inOrder(
      ascending(({ day }) => day),
      ascending(({ retentionDays }) => retentionDays),
    ),
  )
}

export function fileNameOf({ kind, day, retentionDays }: GroupRow['files'][number]): FileName {
  return { kind, day, retentionDays }
}
