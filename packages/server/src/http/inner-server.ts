/** The main thread's server behind threads that accept: at a socket file that only the user of this process can open. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '#base/log.ts'
import { closeServer, type GuardOptions, guardedServer, tryListen } from './guarded-server.ts'
import { HOP_HEADER_BYTES, type HopTarget, receiveHop } from './hop.ts'
import { errorAnswer, sendAnswer } from './respond.ts'

export interface InnerServerOptions extends Pick<GuardOptions, 'handle' | 'moving' | 'timeouts'> {
  /** Folder for the socket file, made where it is absent. */
  readonly directory: string
  readonly log: Log
}

export interface InnerServer {
  readonly target: HopTarget
  /** Finishes what is under way, and removes the socket file. */
  close(): Promise<void>
}

export async function startInnerServer(options: InnerServerOptions): Promise<InnerServer> {
  const { handle, directory, log } = options
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  const server = guardedServer({
    ...{ moving: options.moving, timeouts: options.timeouts, addresses: null },
    headerBytesMore: HOP_HEADER_BYTES,
    handle: (request, response) => {
      if (receiveHop(request, secret)) handle(request, response)
      else sendAnswer(request, response, errorAnswer({ code: 'forbidden' }))
    },
  })
  const { socket, remove } = await listenAt(server, directory)
  server.on('error', (cause) => log.error('http: inner server error', { reason: cause.message }))
  return {
    target: { socket, secret },
    async close() {
      await closeServer(server)
      remove()
    },
  }
}

const SECRET_BYTES = 32
const SOCKET = 'main.sock'
/** Longest path of a socket that every system takes. */
const PATH_BYTES_MAX = 103

interface Socket {
  readonly socket: string
  remove(): void
}

/**
 * A data directory that lies too deep for a socket, or on a disk that takes none, has it in a folder of its own among the
 * temporary files. @throws Error with a sentence when neither takes one
 */
async function listenAt(server: Server, directory: string): Promise<Socket> {
  const isShort = Buffer.byteLength(join(directory, SOCKET)) <= PATH_BYTES_MAX
  const failure = isShort ? await tryFolder(server, directory) : null
  if (isShort && failure === null) return socketIn(directory)
  const apart = mkdtempSync(join(tmpdir(), 'errata-'))
  const other = await tryFolder(server, apart)
  if (other === null) return socketIn(apart)
  rmSync(apart, { recursive: true, force: true })
  throw new Error(`cannot listen on a socket file: ${(failure ?? other).message}`, { cause: other })
}

/** Returns why it does not listen there; `null` if it does. */
async function tryFolder(server: Server, folder: string): Promise<Error | null> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const socket = join(folder, SOCKET)
  // What a crash left: the data directory is this process's alone.
  rmSync(socket, { force: true })
  const failure = await tryListen(server, { path: socket })
  if (failure === null) chmodSync(socket, 0o600)
  return failure
}

function socketIn(folder: string): Socket {
  return { socket: join(folder, SOCKET), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
