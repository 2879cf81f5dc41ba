/** The thread of artifacts tells the main one that maps can be used now which could not before. */
import type { MessagePort } from 'node:worker_threads'

interface MapsReadyMessage {
  readonly mapsReady: true
}

export function tellMapsReady(port: Pick<MessagePort, 'postMessage'>): void {
  port.postMessage({ mapsReady: true } satisfies MapsReadyMessage)
}

export function isMapsReady(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'mapsReady' in message
}
