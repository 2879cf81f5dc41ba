/** How often one address may try something, and how often it may be tried with one account. In memory, bounded. */
import { isIPv6 } from 'node:net'
import type { Clock } from '#base/clock.ts'
import { type LimitName, max } from '#limits/limits.ts'

type SignInAttempt =
  | {
      readonly ok: true
      /** Forgets the attempt: it was the right password. */
      succeeded(): void
    }
  | { readonly ok: false; readonly retryAfterSeconds: number }

export interface SignInLimits {
  /** Counts an attempt before the password is looked at, so that parallel ones cannot slip through. */
  attempt(address: string | null, account: string): SignInAttempt
}

interface Now {
  readonly nowMs: number
  readonly windowMs: number
}

interface Window {
  startMs: number
  count: number
}

interface WindowLimits {
  readonly perAddress: LimitName
  readonly perAccount: LimitName
  readonly window: LimitName
}

const OF_SIGN_IN: WindowLimits = {
  perAddress: 'signInTriesPerAddress',
  perAccount: 'signInTriesPerAccount',
  window: 'signInWindowMs',
}

/** `account` is the email as typed, or another name of what is tried (`setup`). */
export function createSignInLimits({
  clock,
  limits = OF_SIGN_IN,
}: {
  readonly clock: Clock
  readonly limits?: WindowLimits
}): SignInLimits {
  const windowMs = max(limits.window)
  const addresses = new Map<string, Window>()
  const accounts = new Map<string, Window>()
  return {
    attempt(address, account) {
      const nowMs = clock.elapsed()
      const byAddress = touch(addresses, addressKey(address), { nowMs, windowMs })
      const byAccount = touch(accounts, account.trim().toLowerCase().slice(0, 254), { nowMs, windowMs })
      const waitMs = Math.max(
        waitOf(byAddress, max(limits.perAddress), { nowMs, windowMs }),
        waitOf(byAccount, max(limits.perAccount), { nowMs, windowMs }),
      )
      if (waitMs > 0) return { ok: false, retryAfterSeconds: Math.ceil(waitMs / 1000) }
      byAddress.count += 1
      byAccount.count += 1
      return {
        ok: true,
        succeeded() {
          byAddress.count -= 1
          byAccount.count = 0
        },
      }
    },
  }
}

/** The window of a key, moved to the newest end of the map; the oldest goes when the map is full. */
function touch(windows: Map<string, Window>, key: string, { nowMs, windowMs }: Now): Window {
  const known = windows.get(key)
  const isOver = known === undefined || nowMs - known.startMs >= windowMs
  const window = isOver ? { startMs: nowMs, count: 0 } : known
  windows.delete(key)
  windows.set(key, window)
  if (windows.size > max('signInKeysMax')) {
    const oldest = windows.keys().next().value
    if (oldest !== undefined) windows.delete(oldest)
  }
  return window
}

function waitOf(window: Window, triesMax: number, { nowMs, windowMs }: Now): number {
  return window.count < triesMax ? 0 : window.startMs + windowMs - nowMs
}

/** One household or server is given a whole /64 of IPv6: it counts as one address. */
export function addressKey(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? 'unknown'
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const left = head.split(':').filter((part) => part !== '')
  const right = tail.split(':').filter((part) => part !== '')
  const gap = address.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0
  return [...left, ...Array<string>(gap).fill('0'), ...right].slice(0, 4).join(':')
}
