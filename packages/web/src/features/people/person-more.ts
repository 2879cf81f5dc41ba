/** Whether there is more of a person than somebody confirmed to delete. Pure. */

/** Allowance for what arrives while somebody reads the question: a share of what was counted, or a few. */
const MORE_SHARE = 0.1
const MORE_MIN = 10

interface Counted<Project> {
  readonly events: number
  readonly traces: number
  /** Rows of other datasets. */
  readonly others: number
  readonly projects: readonly Project[]
}

/** True if any count grew by more than may arrive meanwhile, or a project came that was not among those counted. */
export function isMoreThanCounted(
  now: Counted<{ readonly projectId: number }>,
  counted: Counted<number>,
): boolean {
  const known = new Set(counted.projects)
  return (
    isManyMore(now.events, counted.events) ||
    isManyMore(now.traces, counted.traces) ||
    isManyMore(now.others, counted.others) ||
    now.projects.some(({ projectId }) => !known.has(projectId))
  )
}

function isManyMore(now: number, counted: number): boolean {
  return !(now <= counted + Math.max(MORE_MIN, counted * MORE_SHARE))
}
