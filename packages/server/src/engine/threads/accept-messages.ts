/**
 * Messages between the main thread and one that accepts: one a turn of the loop, each way. What is asked is one text of
 * JSON and one buffer with all bodies, since a message of many objects and buffers costs the main thread several times that.
 */
import type { WorkSender } from '#accept/sender-work.ts'
import type { TakenBody } from '#accept/taken.ts'
import type { AcceptAnswer, AcceptRequest, RefusedBody } from '#accept/types.ts'
import type { DescribedClock } from '#base/clock.ts'
import type { LogLevel } from '#base/log.ts'
import type { HopTarget } from '#http/hop.ts'
import type { ListeningThreads } from '#http/types.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'

/** Data that such a thread begins with. */
export interface AcceptStart {
  readonly logLevel: LogLevel
  readonly clock: DescribedClock | null
  readonly port: number
  readonly settings: ListeningThreads['settings']
  /** Number of this thread, from 0, and how many there are. */
  readonly own: number
  readonly parts: number
  readonly hop: HopTarget
  readonly publicUrl: string
  readonly isUrlFixed: boolean
  readonly shared: SharedState
}

/** Memory that all of them see. */
export interface SharedState {
  /** How many notes the main thread has sent, and why nobody may come in. */
  readonly state: Int32Array<SharedArrayBuffer>
  /** Bytes of bodies by thread; the main thread's last. */
  readonly bodies: Int32Array<SharedArrayBuffer>
  /** Beats by thread, one each `acceptBeatMs` while its loop turns. */
  readonly beats: Int32Array<SharedArrayBuffer>
}

export const NOTE_NAMES = 0
export const CLOSED_BY = 1

/** News from the main thread for all others: numbered, so that each can tell whether it knows all. */
export type Note =
  | { readonly type: 'directory'; readonly directory: IngestDirectory }
  | { readonly type: 'change'; readonly change: DirectoryChange }
  | { readonly type: 'held'; readonly name: WorkSender }
  | { readonly type: 'address'; readonly url: string }

export type ToAccept =
  | { readonly type: 'note'; readonly number: number; readonly note: Note }
  | Answers
  /** Everything counted so far is to be told; answered by `settled`. */
  | { readonly type: 'settle' }
  | { readonly type: 'close' }

export interface Answers {
  readonly type: 'answers'
  /** Numbers of what was asked and is stored, with nothing more to say. */
  readonly stored: readonly number[]
  readonly others: readonly (readonly [number, AcceptAnswer | number | boolean | null])[]
  readonly failed: readonly number[]
}

export type FromAccept =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'turn'; readonly asks: string; readonly bodies: Uint8Array }
  | { readonly type: 'settled' }
  | { readonly type: 'closed' }

/** A body as the place of its bytes in the buffer. */
type Place = readonly [start: number, end: number]

export type Ask =
  | readonly [
      'admit',
      number,
      Place,
      publicKey: string,
      client: string | null,
      AskedBy: readonly [clientAddress: string | null, userAgent: string | null],
      Omit<TakenBody, 'body' | 'attachments'>,
    ]
  | readonly ['accept', number, Place, Omit<AcceptRequest, 'body' | 'query'>, search: string]
  | readonly ['relay', number, address: string]
  | readonly ['pace', number, address: string]
  | readonly ['count', Omit<CountedOutcome, 'atMs'>]
  | readonly ['refusal', Place | null, Omit<RefusedBody, 'begun'>]
