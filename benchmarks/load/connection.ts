/**
 * Holds one connection of the load: one request at a time on a raw socket; connects again when the server
 * closes it.
 */
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type ParsedResponse, ResponseParser } from './response-parser.ts'

export interface Target {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

export interface Answer {
  /** 0: the connection broke before an answer. */
  readonly status: number
  readonly retryAfterSeconds: number | null
}
export type OnAnswer = (answer: Answer) => void
const BROKEN: Answer = { status: 0, retryAfterSeconds: null }

const ANSWER_MS = 60_000

export class LoadConnection {
  readonly #target: Target
  #socket: Socket | null = null
  #waiting: OnAnswer | null = null
  reconnects = -1

  constructor(target: Target) {
    this.#target = target
  }

  /** Writes `request`; `onAnswer` is called once, after which the connection takes another. */
  send(request: Buffer, onAnswer: OnAnswer): void {
    if (this.#waiting !== null) throw new Error('one request at a time')
    this.#waiting = onAnswer
    const socket = this.#socket ?? this.#connect()
    socket.write(request)
  }

  /** An answer under way counts as broken off. */
  close(): void {
    this.#socket?.destroy()
    this.#socket = null
    this.#settle(BROKEN)
  }

  #connect(): Socket {
    const { host, port, tls } = this.#target
    const socket = tls ? connectTls({ host, port, servername: host }) : connect({ host, port })
    socket.setNoDelay(true)
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    const parser = new ResponseParser((response) => this.#answered(socket, response))
    socket.on('data', (bytes: Buffer) => {
      try {
        parser.push(bytes)
      } catch {
        socket.destroy() // its close event counts the answer as broken off
      }
    })
    socket.on('end', () => parser.end())
    socket.on('error', () => {
      // The close event that follows settles what waits.
    })
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = null
      this.#settle(BROKEN)
    })
    this.#socket = socket
    this.reconnects++
    return socket
  }

  #answered(socket: Socket, response: ParsedResponse): void {
    if (response.closes && this.#socket === socket) {
      this.#socket = null
      socket.destroy()
    }
    this.#settle(response)
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.(answer)
  }
}
