/** The main thread's server behind threads that accept: at a socket file that only the user of this process can open. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { closeServer, type GuardOptions, guardedServer, tryListen } from './guarded-server.ts'
import { HOP_HEADER_BYTES, type HopTarget, receiveHop } from './hop.ts'
import { errorAnswer, sendAnswer } from './respond.ts'
import type { SocketState } from './types.ts'

export interface InnerServerOptions extends Pick<GuardOptions, 'handle' | 'moving' | 'timeouts'> {
  /** Folder for the socket file, made where it is absent. */
  readonly directory: string
  readonly log: Log
  /** Milliseconds between looks at the socket file; the limits table has the usual one. */
  readonly lookMs?: number
}

export interface InnerServer {
  readonly target: HopTarget
  /** Returns how the socket file is now. */
  socket(): SocketState
  /** Finishes what is under way, and removes the socket file. */
  close(): Promise<void>
}

export async function startInnerServer(options: InnerServerOptions): Promise<InnerServer> {
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  const make = () => makeServer(options, secret)
  const server = make()
  const folder = await listenAt(server, options.directory)
  const kept = new KeptSocket(server, { folder, make, log: options.log, lookMs: options.lookMs })
  return {
    target: { socket: join(folder, SOCKET), secret },
    socket: () => kept.state,
    close: () => kept.close(),
  }
}

function makeServer({ handle, moving, timeouts, log }: InnerServerOptions, secret: string): Server {
  const server = guardedServer({
    ...{ moving, timeouts, addresses: null },
    headerBytesMore: HOP_HEADER_BYTES,
    handle: (request, response) => {
      if (receiveHop(request, secret)) handle(request, response)
      else sendAnswer(request, response, errorAnswer({ code: 'forbidden' }))
    },
  })
  server.on('error', (cause) => log.error('http: inner server error', { reason: cause.message }))
  return server
}

interface KeptSocketParts {
  readonly folder: string
  readonly make: () => Server
  readonly log: Log
  readonly lookMs: number | undefined
}

/**
 * A server at a socket file that comes back. Whoever tidies up may delete the file, and a server at one that is gone
 * answers those alone who are connected already.
 */
class KeptSocket {
  readonly #parts: KeptSocketParts
  readonly #timer: NodeJS.Timeout
  #server: Server
  #file: number
  #lost: string | null = null
  #renewed = 0
  /** Servers of files that are gone: they finish what is under way, however long that takes. */
  readonly #earlier = new Set<Server>()
  #isLooking = false
  #isClosed = false

  constructor(server: Server, parts: KeptSocketParts) {
    this.#server = server
    this.#parts = parts
    this.#file = statSync(join(parts.folder, SOCKET)).ino
    this.#timer = setInterval(() => void this.#lookOnce(), parts.lookMs ?? max('socketLookMs')).unref()
  }

  get state(): SocketState {
    return { lost: this.#lost, renewed: this.#renewed }
  }

  /** Finishes what is under way, and removes the socket file. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all([this.#server, ...this.#earlier].map(closeServer))
    rmSync(this.#parts.folder, { recursive: true, force: true })
  }

  /** A disk that does not answer is not asked twice. */
  async #lookOnce(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#look()
    } finally {
      this.#isLooking = false
    }
  }

  async #look(): Promise<void> {
    const found = await stat(join(this.#parts.folder, SOCKET)).catch((cause: Error) => cause)
    const isThere = this.#lost === null && !(found instanceof Error) && found.ino === this.#file
    if (this.#isClosed || isThere) return
    await this.#renew()
  }

  async #renew(): Promise<void> {
    const { folder, log } = this.#parts
    const earlier = this.#server
    this.#earlier.add(earlier)
    earlier.once('close', () => this.#earlier.delete(earlier))
    // First: closing removes the file of that name, whoever made it.
    earlier.close()
    const failure = await this.#listenAnew().catch((cause: Error) => cause)
    if (this.#isClosed) return
    if (failure !== null) {
      if (this.#lost === null)
        log.error('http: the socket file cannot be made anew', { reason: failure.message })
      this.#lost = failure.message
      return
    }
    this.#lost = null
    this.#renewed += 1
    log.warn('http: the socket file was gone and is made anew', { folder })
  }

  /** Returns why it does not listen; `null` if it does. @throws Error also when the file is gone again already */
  async #listenAnew(): Promise<Error | null> {
    const { folder, make } = this.#parts
    this.#server = make()
    const failure = await tryFolder(this.#server, folder)
    if (failure === null) this.#file = statSync(join(folder, SOCKET)).ino
    return failure
  }
}

const SECRET_BYTES = 32
const SOCKET = 'main.sock'
/** Longest path of a socket that every system takes. */
const PATH_BYTES_MAX = 103

/**
 * Returns the folder. A data directory that lies too deep for a socket, or on a disk that takes none, has it in a folder
 * of its own among the temporary files. @throws Error with a sentence when neither takes one
 */
async function listenAt(server: Server, directory: string): Promise<string> {
  const isShort = Buffer.byteLength(join(directory, SOCKET)) <= PATH_BYTES_MAX
  const failure = isShort ? await tryFolder(server, directory) : null
  if (isShort && failure === null) return directory
  const apart = mkdtempSync(join(tmpdir(), 'errata-'))
  const other = await tryFolder(server, apart)
  if (other === null) return apart
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
