/** What the HTTP server serves beside ingest and the web API: the web app, handed in by the `errata` package. */

import type { Accept } from '#accept/types.ts'
import type { Access } from '#access/viewer.ts'
import type { Log } from '#base/log.ts'
import type { Settings } from '#base/settings.ts'
import type { Commands } from '#commands/types.ts'
import type { Queries } from '#queries/types.ts'

/** A running engine as http, web and the command line see it. */
export interface Engine {
  readonly settings: Settings
  /** Public address without trailing slash; known once listening. */
  readonly url: string
  readonly log: Log
  readonly access: Access
  readonly queries: Queries
  readonly commands: Commands
  readonly accept: Accept
  /** Records a failure of Errata itself (see `SelfReport`); never throws. */
  readonly report: SelfReport
  /** What /health answers: false while a part is broken. */
  healthy(): { readonly ok: boolean; readonly detail: string }
  /** Stops accepting, drains, closes; within `stopMsMax`. */
  close(): Promise<void>
}

/** A failure of Errata's own server half, on its way into the "Errata" project through `accept`. */
export interface SelfFailure {
  readonly error: unknown
  readonly digest: string
  /** `document`, `page-data`, `action` or `route-handler`. */
  readonly requestKind: string
  readonly method: string
  /** The route pattern such as `/:org/issues/:id`; never the path, the query, a title or a person's text. */
  readonly route: string
  readonly traceId: string
}

export type SelfReport = (failure: SelfFailure) => void

/** The request as the web app gets it: web-standard, with what only the socket knows. */
export interface PageRequest {
  readonly request: Request
  /** Behind trusted proxies; `null` when unknown. */
  readonly clientAddress: string | null
}

/** The web app. Answers every path that is neither ingest, web API, relay nor health. */
export type PageHandler = (page: PageRequest) => Promise<Response>
