/**
 * Keeps accept's and the process threads' view of projects in step with the store: by project, or whole if
 * too much changed.
 */
import type { Accept } from '#accept/types.ts'
import type { Log } from '#base/log.ts'
import { withChange } from '#ports/directory-change.ts'
import type { DirectoryChange, IngestDirectory, ProjectOptions } from '#ports/projects.ts'
import type { ProcessThread } from './threads/process-thread.ts'
import type { Stores } from './threads/stores.ts'

const DIRECTORY_POLL_MS = 1_000

/** The command line may change projects and keys beside a running server: their version is looked at every second. */
export function pollDirectory({
  projects,
  log,
  refreshDirectory,
  state,
}: {
  readonly projects: Pick<Stores['projects'], 'directoryVersion'>
  readonly log: Log
  readonly refreshDirectory: () => Promise<void>
  readonly state: Pick<DirectoryFollowers['state'], 'directory'>
}): NodeJS.Timeout {
  const poll = async () => {
    if ((await projects.directoryVersion()) !== state.directory.version) await refreshDirectory()
  }
  const failed = (cause: unknown) =>
    log.warn('directory poll failed', { reason: String(cause).slice(0, 200) })
  return setInterval(() => void poll().catch(failed), DIRECTORY_POLL_MS)
}

export interface DirectoryFollowers {
  readonly stores: {
    readonly care: Pick<Stores['care'], 'refresh'>
    readonly projects: Pick<Stores['projects'], 'directoryChange' | 'ingestDirectory'>
  }
  readonly state: {
    readonly directory: IngestDirectory
    /** `keepsMore`: of an issue more payloads may be kept than before. */
    setDirectory(directory: IngestDirectory, keepsMore: boolean): void
  }
  readonly accept: Pick<Accept, 'setDirectory' | 'changeDirectory'>
  readonly acceptThreads: Pick<Accept, 'setDirectory' | 'changeDirectory'> | null
  readonly workers: readonly Pick<ProcessThread, 'setDirectory' | 'changeDirectory'>[]
}

/** Awaited, what was written before the call is known everywhere. One reads at a time: each follows the one before. */
export function directoryRefresher(parts: DirectoryFollowers): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(
      () => follow(parts),
      () => follow(parts),
    )
    return last
  }
}

/** The version is noted last: where one of them fails, the change is read again. */
async function follow({ stores, state, accept, acceptThreads, workers }: DirectoryFollowers): Promise<void> {
  const { version } = state.directory
  const change = version === undefined ? null : await stores.projects.directoryChange(version)
  if (change === null) {
    await stores.care.refresh()
    const directory = await stores.projects.ingestDirectory()
    for (const part of [accept, ...workers]) part.setDirectory(directory)
    state.setDirectory(directory, true)
    acceptThreads?.setDirectory(directory)
    return
  }
  if (change.now.version === version) return
  // Periods are of projects too: what a shorter one hides is hidden when the command answers.
  if (isOther(state.directory, change, ['retentionDays', 'spanRetentionDays', 'attachmentRetentionDays']))
    await stores.care.refresh()
  const directory = withChange(state.directory, change)
  accept.changeDirectory(change)
  acceptThreads?.changeDirectory(change)
  for (const worker of workers) worker.changeDirectory(directory, change)
  state.setDirectory(directory, isOther(state.directory, change, ['payloadsPerIssueHour']))
}

/** Whether one of these is another now, or a project is gone. A new project has nothing that they would be of. */
function isOther(
  before: IngestDirectory,
  { projects, now }: DirectoryChange,
  of: readonly (keyof ProjectOptions)[],
): boolean {
  const ids = new Set<number>(projects)
  return before.projects
    .filter(({ id }) => ids.has(id))
    .some((was) => {
      const is = now.projects.find(({ id }) => id === was.id)
      return is === undefined || of.some((name) => is.options[name] !== was.options[name])
    })
}
