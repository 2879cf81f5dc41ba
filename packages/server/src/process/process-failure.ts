import type { Seq } from '#base/ids.ts'

/** Our own bug, with the envelope that showed it: the engine tries again, then quarantines it. */
export class ProcessFailure extends Error {
  readonly seq: Seq
  constructor(seq: Seq, cause: unknown) {
    // The message of `cause` may quote the payload: class and place are enough to find the bug.
    super(`processing envelope ${seq} failed: ${describeCause(cause)}`, { cause })
    this.name = 'ProcessFailure'
    this.seq = seq
  }
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause
  const place = /\n\s+at (.{1,200})/.exec(cause.stack ?? '')?.[1] ?? 'unknown place'
  const isOurs = cause.message.startsWith('assertion failed: ') || cause.message.startsWith('unreachable')
  return `${cause.name}${isOurs ? `: ${cause.message.slice(0, 200)}` : ''} at ${place}`
}
