/**
 * Counts each group's rows in a file, which reads of events rely on. Commits add to the count; before
 * compaction takes rows from a file it is forgotten, so that a crash leaves it unknown and never wrong, and
 * here it is counted anew.
 */
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import type { RetentionParts } from './types.ts'

type Parts = Pick<RetentionParts, 'telemetry'> & {
  readonly control: Pick<RetentionParts['control'], 'groupsInFile' | 'setContents' | 'appliedSeq'>
}

export function forgetContents(parts: Parts, file: FileName, pause: () => Promise<void>): Promise<void> {
  return writeGroupContents(parts, file, { holds: 'unknown', pause })
}

/** No group names the file any more. */
export function dropContents(
  parts: Pick<Parts, 'control'>,
  file: FileName,
  pause: () => Promise<void>,
): Promise<void> {
  return writeGroupContents(parts, file, { holds: null, pause })
}

async function writeGroupContents(
  { control }: Pick<Parts, 'control'>,
  file: FileName,
  { holds, pause }: { readonly holds: 'unknown' | null; readonly pause: () => Promise<void> },
): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const { groups, last } = await control.groupsInFile(file, after, max('retentionGroupsPerTurn'))
    await control.setContents(
      file,
      groups.map(({ id }) => ({ id, holds })),
    )
    after = last
    await pause()
  }
}

/** Counts a file group by group; leaves the rest unknown when rows come meanwhile, as they do at the end of a day. */
export async function countContents(
  { control, telemetry }: Parts,
  file: FileName,
  pause: () => Promise<void>,
): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const upToSeq = await control.appliedSeq()
    const { groups, last } = await control.groupsInFile(file, after, max('contentsGroupsPerTurn'))
    const isCounted = await telemetry.countGroups(file, { groups, upToSeq }, (contents) =>
      control.setContents(
        file,
        groups.map(({ id }, index) => ({ id, holds: contents[index] ?? null })),
      ),
    )
    if (!isCounted) return
    after = last
    await pause()
  }
}
