/** Brings spike protection the past of each project: at the start and at the turn of each hour. */
import {
  SPIKE_CATEGORY,
  type SpikeHistory,
  type SpikeProtection,
  spikeHistoryStart,
} from '#accept/spike-protection.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { IngestDirectory, ProjectsRead } from '#ports/projects.ts'

const CHECK_MS = 10_000

export interface SpikeWatchOptions {
  readonly spikes: SpikeProtection
  readonly projects: Pick<ProjectsRead, 'hourlyVolume'>
  readonly directory: () => IngestDirectory
  readonly clock: Clock
  readonly log: Log
}

/** Begins at once; the answered timer is ended by its owner. */
export function watchSpikes(options: SpikeWatchOptions): NodeJS.Timeout {
  const { clock, log } = options
  let readFor: number | null = null
  let isReading = false
  const check = async (): Promise<void> => {
    const start = spikeHistoryStart(clock.now())
    if (isReading || start === readFor) return
    isReading = true
    try {
      await readHistories(options)
      readFor = start
    } catch (cause) {
      log.warn('spike protection: the past could not be read', { reason: String(cause).slice(0, 200) })
    } finally {
      isReading = false
    }
  }
  void check()
  const timer = setInterval(() => void check(), CHECK_MS)
  timer.unref()
  return timer
}

/** Reads histories one project after the other, so that the read thread answers pages in between. */
async function readHistories({ spikes, projects, directory, clock }: SpikeWatchOptions): Promise<void> {
  const sinceMs = spikeHistoryStart(clock.now())
  const histories: SpikeHistory[] = []
  for (const { id, firstEventMs } of directory().projects) {
    const hours = await projects.hourlyVolume(id, SPIKE_CATEGORY, sinceMs)
    histories.push({ projectId: id, firstEventMs, hours })
  }
  spikes.setHistories(histories)
}
