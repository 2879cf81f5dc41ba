/** How often one address may try something, and how often it may be tried with one account. In memory, bounded. */
import { addressKey } from '#base/address-key.ts'
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
      const now = { nowMs: clock.elapsed(), windowMs }
      const addressName = addressKey(address)
      const accountName = account.trim().toLowerCase().slice(0, 254)
      const waitMs = Math.max(
        waitOf(addresses.get(addressName), max(limits.perAddress), now),
        waitOf(accounts.get(accountName), max(limits.perAccount), now),
      )
      // Nothing is remembered of what is refused: it would push out what is.
      if (waitMs > 0) return { ok: false, retryAfterSeconds: Math.ceil(waitMs / 1000) }
      const byAddress = touch(addresses, addressName, now)
      const byAccount = touch(accounts, accountName, now)
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

/** The window of a key, moved to the newest end of the map; when that is full, another goes. */
function touch(windows: Map<string, Window>, key: string, now: Now): Window {
  const known = windows.get(key)
  const window = known === undefined || isOver(known, now) ? { startMs: now.nowMs, count: 0 } : known
  windows.delete(key)
  windows.set(key, window)
  if (windows.size > max('signInKeysMax')) forgetOne(windows, now)
  return window
}

/**
 * Of the oldest, one that is over, else the one with the fewest tries: whoever makes up accounts to be forgotten for
 * them would have to try each as often.
 */
function forgetOne(windows: Map<string, Window>, now: Now): void {
  let forgotten: string | null = null
  let fewest = Number.POSITIVE_INFINITY
  let looked = 0
  for (const [key, window] of windows) {
    const count = isOver(window, now) ? -1 : window.count
    if (count < fewest) [forgotten, fewest] = [key, count]
    looked += 1
    if (count < 0 || looked >= max('signInKeysWeighed')) break
  }
  if (forgotten !== null) windows.delete(forgotten)
}

function isOver({ startMs }: Window, { nowMs, windowMs }: Now): boolean {
  return nowMs - startMs >= windowMs
}

function waitOf(window: Window | undefined, triesMax: number, now: Now): number {
  if (window === undefined || isOver(window, now) || window.count < triesMax) return 0
  return window.startMs + now.windowMs - now.nowMs
}
