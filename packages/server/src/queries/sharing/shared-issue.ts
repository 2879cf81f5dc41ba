/**
 * An issue as whoever has its link sees it: what failed and where in the code, and nothing of the people it happened to.
 * What may be shown is listed here; everything else stays out. Pure.
 */
import type { Breadcrumb, ExceptionValue, Frame } from '#model/event.ts'
import type { SharedCrumb, SharedException, SharedFrame, SharedIssueView } from '../sharing-types.ts'
import type { EventView, IssueView } from '../types.ts'
import { namesOf, withoutPeopleIn } from './without-people.ts'

const FRAMES_SHOWN = 50
const CRUMBS_SHOWN = 50
/** Tags that say what ran, never for whom. */
const TAGS_SHOWN: readonly string[] = [
  ...['level', 'environment', 'release', 'dist', 'browser', 'os', 'runtime', 'device.family'],
  ...['handled', 'mechanism', 'request_kind', 'route'],
]

export async function sharedIssueView(
  { issue, project }: Pick<IssueView, 'issue' | 'project'>,
  event: Pick<EventView, 'event' | 'row'> | null,
  turn: () => Promise<void>,
): Promise<SharedIssueView> {
  const { shortId, level, status, platform, eventCount, firstSeenMs, lastSeenMs, firstRelease, lastRelease } =
    issue
  const shown = {
    ...{ eventCount, firstSeenMs, lastSeenMs, firstRelease, lastRelease },
    project: project.name,
    title: issue.title,
    userCount: issue.users.count,
    route: issue.route,
    exceptions: event?.event.exception?.values.toReversed().map(exceptionOf) ?? [],
    breadcrumbs: event?.event.breadcrumbs?.values.slice(-CRUMBS_SHOWN).map(sharedCrumb) ?? [],
    tags: (event?.row.tags ?? [])
      .filter(([key]) => TAGS_SHOWN.includes(key))
      .map(([key, value]) => [key, value] as const),
  }
  // Of every text that is shown, whatever is added to them.
  const left = await withoutPeopleIn(shown, { names: namesOf(event?.event.user), turn })
  return { ...left, shortId, level, status, platform }
}

function exceptionOf({ type = 'Error', value = '', stacktrace }: ExceptionValue): SharedException {
  const frames = stacktrace?.frames.slice(-FRAMES_SHOWN).toReversed() ?? []
  return { type, value, frames: frames.map(sharedFrame) }
}

function sharedFrame(frame: Frame): SharedFrame {
  const { filename = null, lineno = null, pre_context: before = [], context_line: line } = frame
  const lines = line === undefined || lineno === null ? [] : [...before, line, ...(frame.post_context ?? [])]
  return {
    function: frame.function ?? null,
    filename,
    line: lineno,
    isApp: frame.in_app !== false,
    code: lines.map((text, index) => ({
      number: (lineno ?? 0) - before.length + index,
      text,
    })),
  }
}

/** Returns the kind of step; its message and data may be about anybody. */
function sharedCrumb({ timestamp, level, category, type }: Breadcrumb): SharedCrumb {
  return { atMs: timestamp === undefined ? null : timestamp * 1_000, level, category: category ?? type }
}
