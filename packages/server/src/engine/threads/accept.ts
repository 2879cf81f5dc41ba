/**
 * Entry of an accept thread: reads envelopes at the port that all of them share, and asks the main thread what is let
 * in.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { createAcceptApart, HeldSenders } from '#accept/accept-apart.ts'
import { OVERLOAD_REASONS } from '#accept/overload.ts'
import { clockOf } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { systemRandom } from '#base/random.ts'
import { type AcceptServer, startAcceptServer } from '#http/accept-server.ts'
import { SharedBytes } from '#http/shared-bytes.ts'
import { max } from '#limits/limits.ts'
import { AcceptDeskCaller } from './accept-desk-caller.ts'
import {
  type AcceptStart,
  CLOSED_BY,
  type FromAccept,
  NOTE_NAMES,
  type Note,
  type ToAccept,
} from './accept-messages.ts'
import { giveMemoryBack } from './idle-memory.ts'

assert(parentPort !== null, 'runs as a thread')
const port = parentPort
const start: AcceptStart = workerData // `AcceptThread` gives nothing else
const log = createLog({ level: start.logLevel, thread: 'accept' })
giveMemoryBack(log)
const clock = clockOf(start.clock)
const tellMain = (message: FromAccept, move: readonly ArrayBuffer[] = []) =>
  port.postMessage(message, [...move])
const desk = new AcceptDeskCaller(tellMain)
const held = new HeldSenders(clock)
const publicAddress = new PublicAddress({ url: start.isUrlFixed ? start.publicUrl : null, port: start.port })
if (!start.isUrlFixed) publicAddress.kept(start.publicUrl)
/** Number of the last note; -1: not even the directory has come. */
let known = -1
let server: AcceptServer | null = null
const accept = createAcceptApart({
  ...{ desk, clock, held, random: systemRandom },
  directory: { organisations: [], projects: [], keys: [] },
  isCurrent: () => Atomics.load(start.shared.state, NOTE_NAMES) === known,
  closedBy: () => OVERLOAD_REASONS[Atomics.load(start.shared.state, CLOSED_BY) - 1] ?? null,
})

port.on('message', (message: ToAccept) => {
  switch (message.type) {
    case 'answers':
      return desk.settle(message)
    case 'note':
      takeNote(message.note)
      known = message.number
      return
    case 'settle':
      desk.flush()
      return tellMain({ type: 'settled' })
    case 'close':
      return void closeThread()
  }
})
// Nobody waits for it: a thread that has nothing else to do may end.
setInterval(() => Atomics.add(start.shared.beats, start.own, 1), max('acceptBeatMs')).unref()
void listen()

function takeNote(note: Note): void {
  if (note.type === 'directory') accept.setDirectory(note.directory)
  else if (note.type === 'change') accept.changeDirectory(note.change)
  else if (note.type === 'held') held.note(note.name)
  else publicAddress.kept(note.url)
}

async function listen(): Promise<void> {
  const { shared, own, settings, parts, hop } = start
  const listening = await startAcceptServer({
    ...{ accept, settings, parts, hop, publicAddress, log, port: start.port },
    bodies: new SharedBytes(shared.bodies, own, max('bodiesInFlightBytesMax')),
    limiter: { admit: (address) => desk.relayWait(address) },
    takesAnswer: (address) => desk.takesAnswer(address),
  })
  if (listening instanceof Error) {
    tellMain({ type: 'refused', message: listening.message })
    return
  }
  server = listening
  tellMain({ type: 'ready' })
}

async function closeThread(): Promise<void> {
  await server?.close()
  desk.flush()
  tellMain({ type: 'closed' })
}
