/** Verification over the stores of the threads: files where they are open, the control store on a thread for it alone. */
import type { VerifyControl } from '#store/embedded/care/stores/control.ts'
import {
  type OpenedControl,
  Verification,
  type VerificationParts,
} from '#store/embedded/care/verification/verification.ts'
import type { ThreadStart } from './directory/paths.ts'
import { EngineThread } from './threads/engine-thread.ts'
import type { Stores } from './threads/stores.ts'

export interface VerificationOptions extends Pick<VerificationParts, 'clock' | 'log'> {
  readonly stores: Pick<Stores, 'telemetry' | 'payloads' | 'care'>
  /** Module of the verify thread. */
  readonly url: URL
  readonly start: ThreadStart
}

export function createVerification({ stores, url, start, clock, log }: VerificationOptions): Verification {
  return new Verification({
    ...{ data: start.data, columns: stores.telemetry, payloads: stores.payloads, clock, log },
    missing: () => stores.care.missing(),
    openControl: () => openVerifiedControl({ url, start, log }),
  })
}

/** Begun for each check, so that its memory is given back when it is over. */
async function openVerifiedControl(
  options: Pick<VerificationOptions, 'url' | 'start' | 'log'>,
): Promise<OpenedControl> {
  // Whoever asks it hears of its end; the next round begins it again.
  const thread = await EngineThread.start({ name: 'verify', ...options, whenDead: () => {} })
  return { control: thread.port<VerifyControl>('control', null), close: () => thread.close() }
}
