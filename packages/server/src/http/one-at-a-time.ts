/**
 * Requests of one connection, one at a time. HTTP/1.1 answers them in order anyway; handled side by side they would be
 * work, and answers in memory, for a client that reads none of them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { max } from '#limits/limits.ts'

type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Each request is handled once the answers before it have left. Who sends more than `pipelinedRequestsMax` ahead of
 * them is disconnected: what was not answered was not done.
 */
export function oneAtATime(
  waitingMax = max('pipelinedRequestsMax'),
): (handle: AnswerRequest, request: IncomingMessage, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, number>()
  return (handle, request, response) => {
    // Without pipelining, which is nearly always, the connection is free.
    if (response.socket !== null) {
      handle(request, response)
      return
    }
    const { socket } = request
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > waitingMax) {
      socket.destroy()
      return
    }
    waiting.set(socket, count)
    // The connection goes to an answer when those before it have left; Node is not done with that when it says so.
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      process.nextTick(handle, request, response)
    })
  }
}
