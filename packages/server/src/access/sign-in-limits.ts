/** How often one address may try something, and how often it may be tried with one account. In memory, bounded. */
import { addressKey, networkKey } from '#base/address-key.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { type LimitName, max } from '#limits/limits.ts'
import type { HashAsker } from './hash-turns.ts'
import { TryWindows } from './try-windows.ts'

interface Allowed {
  readonly ok: true
  /** Forgets the attempt: it was the right password. */
  succeeded(): void
}

interface Forbidden {
  readonly ok: false
  readonly retryAfterSeconds: number
}

export interface SignInLimits {
  /** Counts an attempt before the password is looked at, so that parallel ones cannot slip through. */
  attempt(address: string | null, account: string): Allowed | Forbidden
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
  const addresses = new TryWindows({ triesMax: max(limits.perAddress), windowMs })
  const accounts = new TryWindows({ triesMax: max(limits.perAccount), windowMs })
  return {
    attempt(address, account) {
      const nowMs = clock.elapsed()
      const [from, name] = [addressKey(address), accountName(account)]
      const waitMs = Math.max(addresses.waitMs(from, nowMs), accounts.waitMs(name, nowMs))
      // Nothing is remembered of what is refused: it would push out what is.
      if (waitMs > 0) return refuseFor(waitMs)
      const byAddress = addresses.count(from, nowMs)
      const byAccount = accounts.count(name, nowMs)
      return {
        ok: true,
        succeeded() {
          byAddress.take()
          byAccount.clear()
        },
      }
    },
  }
}

export interface PasswordLimits {
  /**
   * The same where strangers try: they must not keep out whose account it is. `device` names one that signed in to the
   * account before, `null` any other.
   */
  attempt(address: string | null, account: string, device: string | null): AllowedToHash | Forbidden
}

interface AllowedToHash extends Allowed {
  /** Account or stranger who has the password hashed. */
  readonly asker: HashAsker
}

/**
 * An account is tried by network: who tries too often in one is refused there alone. All networks together have far more
 * tries, and then none for a while that grows. A device that signed in to the account before counts for itself.
 */
export function createPasswordLimits({ clock }: { readonly clock: Clock }): PasswordLimits {
  const windowMs = max('signInWindowMs')
  const windows = (triesMax: number) => new TryWindows({ triesMax, windowMs })
  const addresses = windows(max('signInTriesPerAddress'))
  const neighbours = windows(max('signInTriesPerNetwork'))
  const networks = windows(max('signInTriesPerAccount'))
  const devices = windows(max('signInTriesPerDevice'))
  const accounts = new TryWindows({
    triesMax: max('signInTriesPerAccountADay'),
    windowMs: DAY_MS,
  })
  const delay = { firstMs: max('signInDelayMsMin'), mostMs: max('signInDelayMsMax') }
  return {
    attempt(address, account, device) {
      const nowMs = clock.elapsed()
      const name = accountName(account)
      const known = `${name} ${device}`
      if (device !== null && devices.waitMs(known, nowMs) === 0) {
        const byDevice = devices.count(known, nowMs)
        return { ok: true, asker: { is: 'known', account: name }, succeeded: () => byDevice.clear() }
      }
      const [from, near] = [addressKey(address), networkKey(address)]
      const network = `${name} ${near}`
      const waitMs = Math.max(
        addresses.waitMs(from, nowMs),
        neighbours.waitMs(near, nowMs),
        networks.waitMs(network, nowMs),
        accounts.delayMs(name, nowMs, delay),
      )
      if (waitMs > 0) return refuseFor(waitMs)
      const failures = neighbours.triesIn(near, nowMs)
      const byNeighbours = neighbours.count(near, nowMs)
      const byAddress = addresses.count(from, nowMs)
      const byNetwork = networks.count(network, nowMs)
      const byAccount = accounts.count(name, nowMs)
      return {
        ok: true,
        asker: { is: 'stranger', failures },
        succeeded() {
          byNeighbours.take()
          byAddress.take()
          byNetwork.clear()
          byAccount.take()
        },
      }
    },
  }
}

const ACCOUNT_CHARS_MAX = 254

function accountName(account: string): string {
  return account.trim().toLowerCase().slice(0, ACCOUNT_CHARS_MAX)
}

function refuseFor(waitMs: number): Forbidden {
  return { ok: false, retryAfterSeconds: Math.ceil(waitMs / 1_000) }
}
