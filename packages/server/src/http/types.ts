/**
 * Types of what the HTTP server serves beside ingest and the web API: the web app, passed in by the `errata`
 * package.
 */

import type { SelfFailure, SelfReport } from '#accept/self-report.ts'
import type { SelfRequest, SelfTrace } from '#accept/self-trace.ts'
import type { Accept } from '#accept/types.ts'
import type { Access } from '#access/viewer.ts'
import type { ProjectId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { RequestFacts } from '#commands/asking.ts'
import type { Commands } from '#commands/commands.ts'
import type { Settings } from '#limits/settings.ts'
import type { Queries } from '#queries/queries.ts'
import type { HopTarget } from './hop.ts'
import type { IngestFirst } from './ingest-first.ts'
import type { Metric } from './metrics.ts'
import type { AddressLimiter } from './monitoring.ts'
import type { PacedAnswers } from './paced-answers.ts'
import type { SharedBytes } from './shared-bytes.ts'

/** A running engine as http, web and the command line see it. */
export interface Engine {
  readonly settings: Settings
  /** Certain once listening. */
  readonly publicAddress: PublicAddress
  readonly log: Log
  readonly access: Access
  readonly queries: Queries
  readonly commands: Commands
  readonly accept: Accept
  /** Records a failure of Errata itself (see `SelfReport`); never throws. */
  readonly report: SelfReport
  /** Takes note of a request that the web app answered (see `SelfTrace`); never throws. */
  readonly trace?: SelfTrace['record']
  /**
   * Returns where the browser half of Errata reports to; `null` before setup. With `reportDsn` set: that DSN,
   * no relay.
   */
  readonly selfTarget?: () => SelfTarget | null
  /** Returns the metrics for /metrics. */
  metrics(): Promise<readonly Metric[]>
  healthy(): Health
  /** Stops accepting, drains, closes; within `stopMsMax`. */
  close(): Promise<void>
}

/** Target of Errata's own failures, as the browser's SDK is told. */
export interface SelfTarget {
  readonly dsn: string
  /** Same-origin address such as `/monitoring?o=acme&p=errata`; `null` when the DSN names another server. */
  readonly tunnel: string | null
  /** The project that holds them in this installation; `null` when another server does. */
  readonly stored: { readonly organisation: string; readonly projectId: ProjectId } | null
}

export type { SelfFailure, SelfReport, SelfRequest }

/** The request as the web app gets it: web-standard, with what only the socket knows. */
export interface PageRequest {
  readonly request: Request
  /** Behind trusted proxies; `null` when unknown. */
  readonly clientAddress: string | null
  /** Awaited before what keeps the thread busy for milliseconds: envelopes come first. */
  readonly turn?: () => Promise<void>
  /** Runs what needs time but not the thread, such as a password's hash: another page has its turn meanwhile. */
  readonly aside?: RequestFacts['aside']
  /** Returns whose pages a page of the same session waits for; `null` while none waits for its turn. */
  readonly waitsFor?: () => 'own' | 'others' | null
}

/** Answer of /health: codes and names, never a sentence, which may hold paths. */
export interface Health {
  /** False while a vital part is broken. */
  readonly ok: boolean
  readonly status: 'ok' | 'degraded' | 'broken'
  readonly detail: string
  /** Codes of damage if degraded, names of parts if broken. */
  readonly reasons: readonly string[]
}

/** The web app. Answers every path that is neither ingest, web API, relay nor health. */
export type PageHandler = (page: PageRequest) => Promise<Response>

/** Threads that read envelopes at one port, which they share; the rest they pass on to the main thread. */
export interface AcceptThreads {
  /** Bytes of bodies that all threads hold. */
  readonly bodies: SharedBytes
  /** Folder of the socket file. */
  readonly socketDirectory: string
  /** Begins them. @throws Error with a sentence when they cannot have the port */
  listen(at: ListeningThreads): Promise<void>
  /** Takes no more connections, and resolves when what was under way is answered. */
  close(): Promise<void>
}

export interface ListeningThreads {
  readonly port: number
  readonly settings: Pick<Settings, 'host' | 'trustedProxies'> &
    Partial<Pick<Settings, 'clientAddressHeader'>>
  readonly desk: IngestDesk
  readonly hop: HopTarget
  /** Returns the state of the socket file at which they reach the main thread. */
  readonly socket: () => SocketState
  readonly publicAddress: PublicAddress
}

export interface SocketState {
  /** Why nobody can reach it; `null` if everybody can. */
  readonly lost: string | null
  /** How often it was gone and made anew. */
  readonly renewed: number
}

/** Limits and turns that all accept threads share; the main thread keeps them. */
export interface IngestDesk {
  /** Pages wait while it answers. */
  readonly first: Pick<IngestFirst, 'ingest'>
  readonly limiter: Pick<AddressLimiter, 'admit'>
  readonly paced: Pick<PacedAnswers, 'takes'>
}

/** The web API, for every path below `/api/0/`; `null` for one it does not know. */
export type ApiHandler = (
  request: Request,
  context: { readonly clientAddress: string | null; readonly aside?: RequestFacts['aside'] },
) => Promise<Response | null>
