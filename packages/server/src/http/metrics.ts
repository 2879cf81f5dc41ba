/** `GET /metrics` in Prometheus' text format; what each means is in docs/operating/metrics.md, which a test compares. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { max } from '#limits/limits.ts'
import { type ClientAddresses, plainAddress } from './client-address.ts'
import type { RequestExchange } from './ingest-request.ts'
import type { PacedAnswers } from './paced-answers.ts'
import { errorAnswer, sendAnswer } from './respond.ts'

/** Number measured in the running engine. */
export interface Metric {
  /** Name such as `errata_journal_backlog_bytes`. */
  readonly name: string
  readonly help: string
  /** Grows for ever, within one run of the process. */
  readonly isCounter: boolean
  readonly values: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}

export interface MetricsOptions {
  readonly read: () => Promise<readonly Metric[]>
  /** Token that `Authorization: Bearer …` must have; `null` if only this machine may ask. */
  readonly token: string | null
  readonly addresses: ClientAddresses
  readonly paced: PacedAnswers
}

/** Answers the route. Numbers of Node itself (memory, event loop, garbage collection) come behind the engine's. */
export function createMetrics({
  read,
  token,
  addresses,
  paced,
}: MetricsOptions): (exchange: RequestExchange) => Promise<void> {
  const ofNode = new Registry()
  collectDefaultMetrics({ register: ofNode })
  return async ({ request, response }) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendAnswer(
        request,
        response,
        errorAnswer({ code: 'method_not_allowed', headers: { allow: 'GET, HEAD' } }),
      )
    }
    const may =
      token === null ? isFromHere(request, addresses) : isBearer(request.headers.authorization, token)
    if (!may) {
      const detail =
        token === null ? 'only this machine may ask; set --metrics-token for others' : 'the token is wrong'
      return paced.send(request, response, errorAnswer({ code: 'forbidden', detail }))
    }
    const text = `${await engineMetricsText(await read())}\n${await ofNode.metrics()}`
    const headers = { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE, 'cache-control': 'no-store' }
    sendAnswer(request, response, { status: 200, headers, body: text })
  }
}

function engineMetricsText(metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry()
  for (const { name, help, isCounter, values } of metrics) {
    const labelNames = Object.keys(values[0]?.labels ?? {})
    const options = { name, help, labelNames, registers: [registry] }
    if (isCounter) {
      const counter = new Counter(options)
      for (const { labels, value } of values) counter.inc({ ...labels }, value)
    } else {
      const gauge = new Gauge(options)
      for (const { labels, value } of values) gauge.set({ ...labels }, value)
    }
  }
  return registry.metrics()
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/

/** A proxy on this machine speaks for somebody who is not. */
function isFromHere(request: IncomingMessage, addresses: ClientAddresses): boolean {
  if (addresses.isPassedOn(request) || !isOwnName(request.headers.host ?? '')) return false
  const ends = [addresses.peer(request), addresses.sender(request)]
  return ends.every((address) => address !== null && LOOPBACK.test(address))
}

/**
 * A page in a browser on this machine may give a name of its own the address of this machine, and read what it is answered
 * here. No page can be at an address itself, at localhost, or at a name without a dot.
 */
function isOwnName(host: string): boolean {
  if (plainAddress(host) !== null) return true
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return !name.includes('.') || name.endsWith('.localhost')
}

/** Compares hashes, so that the time it takes says nothing. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (given === undefined || given.length > max('metricsTokenCharsMax')) return false
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))
}
