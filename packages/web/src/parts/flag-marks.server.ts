/** Changes of feature flags as marks of a chart. */
import type { ProjectId } from '@errata/server/ids'
import type { ChartMark } from '#ui/charts/chart-types.ts'
import { cutText } from '#ui/cut-text.ts'
import type { OrgContext } from '#wire/types.ts'
import { MARKS_MAX, unlessPassing } from './mark-reads.server.ts'

const LABEL_CHARS = 18

/** Returns the newest changes in a stretch of time, oldest first; none for viewers who may not read releases. */
export async function flagMarks(
  { engine, scope, viewer }: OrgContext,
  asked: {
    /** `null`: all. */
    readonly projects: readonly ProjectId[] | null
    readonly startMs: number
    readonly endMs: number
  },
): Promise<readonly ChartMark[]> {
  if (!engine.access.can(viewer, scope, 'release.read', {})) return []
  const { projects, startMs, endMs } = asked
  const question = { projects, startMs, endMs, flag: null, after: null, limit: MARKS_MAX }
  return (await unlessPassing(engine.queries.flagChanges(scope, question))).toReversed().map(markOf)
}

type FlagChange = Awaited<ReturnType<OrgContext['engine']['queries']['flagChanges']>>[number]

const WORDS = { created: 'created', updated: 'changed', deleted: 'deleted' } as const

function markOf({ flag, action, author, atMs }: FlagChange): ChartMark {
  return {
    ...{ atMs, kind: 'flag', label: flag.length > LABEL_CHARS ? `${cutText(flag, LABEL_CHARS)}…` : flag },
    name: `${flag} was ${WORDS[action]}${author === null ? '' : ` by ${author}`}`,
  }
}
