/**
 * Requests of one connection, one at a time. HTTP/1.1 answers them in order anyway; handled side by side they would be
 * work, and answers in memory, for a client that reads none of them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { max } from '#limits/limits.ts'

type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => void

export interface PipelineBounds {
  /** Requests of one connection; with so many, nothing more is read of it until half are answered. */
  readonly waiting: number
  /** Requests of one connection, with those that arrived in the same read. */
  readonly waitingAtOnce: number
  /** Requests of all connections that have more than `waiting`. */
  readonly allWaiting: number
}

interface Line {
  waiting: number
  isPaused: boolean
}

/**
 * Each request is handled once the answers before it have left. Who sends many ahead of them is not read any further
 * until there is room. What one read brings is held, within bounds; whoever goes beyond those means it, and is
 * disconnected: what was not answered was not done.
 */
export function oneAtATime(
  bounds: PipelineBounds = pipelineBounds(),
): (handle: AnswerRequest, request: IncomingMessage, response: ServerResponse) => void {
  const lines = new WeakMap<Socket, Line>()
  let beyond = 0
  const enter = (socket: Socket, line: Line): boolean => {
    if (line.waiting >= bounds.waiting) {
      if (line.waiting >= bounds.waitingAtOnce || beyond >= bounds.allWaiting) return false
      beyond += 1
      pause(socket, line)
    }
    line.waiting += 1
    return true
  }
  const leave = (socket: Socket, line: Line): void => {
    line.waiting -= 1
    if (line.waiting >= bounds.waiting) beyond -= 1
    if (!line.isPaused || line.waiting > bounds.waiting / 2) return
    line.isPaused = false
    socket.resume()
  }
  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line: Line = { waiting: 0, isPaused: false }
    lines.set(socket, line)
    // Whoever reads a body has the connection read on; those that wait here have theirs already.
    socket.on('resume', () => line.isPaused && socket.pause())
    socket.once('close', () => {
      beyond -= Math.max(0, line.waiting - bounds.waiting)
      line.waiting = 0
    })
    return line
  }
  return (handle, request, response) => {
    // Without pipelining, which is nearly always, the connection is free.
    if (response.socket !== null) {
      handle(request, response)
      return
    }
    const { socket } = request
    const line = lineOf(socket)
    if (socket.destroyed) return
    if (!enter(socket, line)) {
      socket.destroy()
      return
    }
    // The connection goes to an answer when those before it have left; Node is not done with that when it says so.
    response.once('socket', () => {
      if (line.waiting > 0) leave(socket, line)
      process.nextTick(handle, request, response)
    })
  }
}

function pause(socket: Socket, line: Line): void {
  if (line.isPaused) return
  line.isPaused = true
  socket.pause()
}

/** Bounds of one of `parts` servers that share a port. */
export function pipelineBounds(parts = 1): PipelineBounds {
  return {
    waiting: max('pipelinedRequestsMax'),
    waitingAtOnce: max('pipelinedRequestsAtOnceMax'),
    allWaiting: Math.ceil(max('pipelinedRequestsOfAllMax') / parts),
  }
}
