/** Errors beside spans: in which files they may be, and how they are read. */
import type { Day } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventConditions, EventReads } from '#ports/telemetry.ts'

export type ErrorReads = Pick<EventReads<EventRow>, 'events' | 'groupsMatching'>

/** Files of a kind of these days, and of the days before and after them: parts of a trace come apart. */
export function filesNear(
  files: readonly FileName[],
  kind: string,
  days: readonly Day[],
): readonly FileName[] {
  return files.filter((file) => file.kind === kind && days.some((day) => Math.abs(file.day - day) <= 1))
}

/** The newest that meet the conditions, the newest first, at most `traceErrorsMax`. */
export async function newestErrors(
  telemetry: ErrorReads,
  scope: ReadScope,
  asked: EventConditions & { readonly files: readonly FileName[] },
): Promise<readonly EventRow[]> {
  const limit = max('traceErrorsMax')
  const groups = await telemetry.groupsMatching(scope, asked, limit)
  if (groups.length === 0) return []
  return (await telemetry.events(scope, { ...asked, groups }, { limit, cursor: null })).rows
}
