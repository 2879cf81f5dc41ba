/** Damage on its way from the thread that met it to the main thread, where it stays told. */
import type { MessagePort } from 'node:worker_threads'
import type { Log } from '#base/log.ts'
import type { Damage } from '#model/damage.ts'

interface DamageMessage {
  readonly damage: string
}

/** Tells the other end of `port`, and the log, of the first damage that a thread meets: a file does not mend itself. */
export function tellDamage(port: Pick<MessagePort, 'postMessage'>, log: Log): (sentence: string) => void {
  let isTold = false
  return (sentence) => {
    if (isTold) return
    isTold = true
    log.error('a store met damage in its file: stop, run "errata check"', { reason: sentence })
    port.postMessage({ damage: sentence } satisfies DamageMessage)
  }
}

/** The sentence of a message that `tellDamage` sent; `null` for any other. */
export function toldDamage(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || !('damage' in message)) return null
  return typeof message.damage === 'string' ? message.damage : null
}

interface FileDamageMessage {
  readonly fileDamage: Damage
}

/** Tells the other end of `port` of a file in which a read met damage. */
export function tellFileDamage(port: Pick<MessagePort, 'postMessage'>): (damage: Damage) => void {
  return (fileDamage) => port.postMessage({ fileDamage } satisfies FileDamageMessage)
}

/** Reads a message of `tellFileDamage`; `null` for any other. */
export function toldFileDamage(message: unknown): Damage | null {
  return isFileDamage(message) ? message.fileDamage : null
}

/** `tellFileDamage` alone sends such messages. */
function isFileDamage(message: unknown): message is FileDamageMessage {
  return typeof message === 'object' && message !== null && 'fileDamage' in message
}
