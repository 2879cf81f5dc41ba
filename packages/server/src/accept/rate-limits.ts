/**
 * Rate limits of keys and projects: a fixed window per limit and data category, in memory. A restart forgets them;
 * that errs on the side of keeping events.
 */

import type { ActiveLimit } from '@errata/protocol'
import { byWord } from '#base/by-word.ts'
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import type { RateLimit } from '#ports/projects.ts'
import type { Sender } from './directory-index.ts'
import type { OutlineItem } from './outline.ts'
import { SPIKE_CATEGORY, type SpikeProtection } from './spike-protection.ts'

export interface LimitedItem {
  readonly item: OutlineItem
  readonly reason: 'key_limit' | 'project_limit' | 'spike_protection'
}

export interface Admission {
  readonly limited: readonly LimitedItem[]
  /** Limits that were met, for X-Sentry-Rate-Limits. */
  readonly active: readonly ActiveLimit[]
  /** Items that passed and were counted. */
  readonly counted: readonly Counted[]
}

/** An item as it was counted, so that it can be given back. */
interface Counted {
  readonly windows: readonly Window[]
  readonly isSpikeCounted: boolean
  readonly quantity: number
}

interface Window {
  endsMs: number
  used: number
}

interface Limiter {
  readonly scope: 'key' | 'project'
  readonly id: number
  readonly limit: RateLimit
}

const NONE: Admission = { limited: [], active: [], counted: [] }
/** Client reports are never limited: they are how SDKs say what they left out. */
const UNLIMITED_CATEGORY = 'internal'

export type SpikeCounter = Pick<SpikeProtection, 'admit' | 'giveBack'>

export class RateLimits {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()
  readonly #spikes: SpikeCounter | null

  constructor(clock: Clock, spikes: SpikeCounter | null = null) {
    this.#clock = clock
    this.#spikes = spikes
  }

  /** Decides for each item, and counts those that pass. */
  admit(sender: Sender, items: readonly OutlineItem[]): Admission {
    const limiters = limitersOf(sender)
    const spikes = sender.project.options.spikeProtection ? this.#spikes : null
    if (limiters.length === 0 && spikes === null) return NONE
    const nowMs = this.#clock.elapsed()
    const limited: LimitedItem[] = []
    const active: ActiveLimit[] = []
    const counted: Counted[] = []
    for (const item of items) {
      if (item.category === UNLIMITED_CATEGORY) continue
      const windows = limiters.map((limiter) => this.#window(limiter, item.category, nowMs))
      const full = limiters.findIndex((limiter, index) => (windows[index]?.used ?? 0) >= limiter.limit.count)
      const limiter = limiters[full]
      const window = windows[full]
      if (limiter === undefined || window === undefined) {
        const isSpikeCounted = spikes !== null && item.category === SPIKE_CATEGORY
        const capped = isSpikeCounted ? spikes.admit(sender.project.id, item.quantity) : null
        if (capped === null) {
          for (const open of windows) open.used += item.quantity
          counted.push({ windows, isSpikeCounted, quantity: item.quantity })
        } else {
          limited.push({ item, reason: 'spike_protection' })
          addActive(active, spikeLimit(capped))
        }
        continue
      }
      const reason = limiter.scope === 'key' ? 'key_limit' : 'project_limit'
      limited.push({ item, reason })
      addActive(active, {
        retryAfterSeconds: (window.endsMs - nowMs) / 1_000,
        categories: sdkNames(item.category),
        scope: limiter.scope,
        reason,
      })
    }
    return { limited, active, counted }
  }

  /** Takes back what was counted for an envelope that was refused after all. */
  giveBack({ project }: Sender, { counted }: Admission): void {
    for (const { windows, isSpikeCounted, quantity } of counted) {
      for (const window of windows) window.used -= quantity
      if (isSpikeCounted) this.#spikes?.giveBack(project.id, quantity)
    }
  }

  #window(limiter: Limiter, category: string, nowMs: number): Window {
    const name = `${limiter.scope}:${limiter.id}:${category}`
    const lengthMs = limiter.limit.window * 1_000
    const known = this.#windows.get(name)
    // A window longer than the limit says is left from before the limit was changed.
    if (known !== undefined && known.endsMs > nowMs && known.endsMs - nowMs <= lengthMs) return known
    if (this.#windows.size >= max('rateWindowsMax')) this.#forgetEnded(nowMs)
    const opened = { endsMs: nowMs + lengthMs, used: 0 }
    this.#windows.delete(name)
    this.#windows.set(name, opened)
    return opened
  }

  #forgetEnded(nowMs: number): void {
    for (const [name, window] of this.#windows) if (window.endsMs <= nowMs) this.#windows.delete(name)
    const oldest = this.#windows.keys().next()
    if (this.#windows.size >= max('rateWindowsMax') && !oldest.done) this.#windows.delete(oldest.value)
  }
}

function limitersOf({ key, project }: Sender): readonly Limiter[] {
  const limiters: Limiter[] = []
  if (key.rateLimit !== null) limiters.push({ scope: 'key', id: key.id, limit: key.rateLimit })
  const limit = project.options.rateLimit
  if (limit !== null) limiters.push({ scope: 'project', id: project.id, limit })
  return limiters
}

function spikeLimit(retryAfterSeconds: number): ActiveLimit {
  return {
    retryAfterSeconds,
    categories: sdkNames(SPIKE_CATEGORY),
    scope: 'project',
    reason: 'spike_protection',
  }
}

/** SDKs' names of categories, where they differ from ours. */
const SDK_NAMES: Readonly<Record<string, readonly string[]>> = byWord({
  attachment_item: ['attachment', 'attachment_item'],
  profile_chunk: ['profile_chunk', 'profile'],
  profile_chunk_ui: ['profile_chunk_ui', 'profile'],
})

function sdkNames(category: string): readonly string[] {
  return SDK_NAMES[category] ?? [category]
}

function addActive(active: ActiveLimit[], limit: ActiveLimit): void {
  const isKnown = active.some(
    (other) => other.scope === limit.scope && other.categories.join() === limit.categories.join(),
  )
  if (!isKnown) active.push(limit)
}
