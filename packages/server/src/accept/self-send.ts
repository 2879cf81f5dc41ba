/** Sends Errata's own events to its own accept step, or to another server. */
import { envelopeUrl, parseDsn } from '@errata/protocol'
import type { Accept } from './types.ts'

export interface SelfSender {
  readonly accept: Pick<Accept, 'accept'>
  /** Project and key of the "Errata" project; `null` until set up. */
  readonly target: () => { readonly projectId: number; readonly publicKey: string } | null
  /** Sends to another server instead. */
  readonly reportDsn: string | null
}

const SEND_MS = 5_000
export const SELF_CLIENT = 'errata.self'

export function sendSelf(body: Uint8Array, options: SelfSender): Promise<void> {
  return options.reportDsn === null ? recordHere(body, options) : sendElsewhere(body, options.reportDsn)
}

async function recordHere(body: Uint8Array, options: SelfSender): Promise<void> {
  const target = options.target()
  if (target === null) return
  const answer = await options.accept.accept({
    projectRef: String(target.projectId),
    format: 'envelope',
    query: new URLSearchParams({ sentry_key: target.publicKey, sentry_client: SELF_CLIENT }),
    sentryAuth: null,
    authorization: null,
    contentEncoding: null,
    contentType: null,
    origin: null,
    referer: null,
    userAgent: null,
    clientAddress: null,
    body,
    relay: null,
  })
  if (answer.status !== 200) throw new Error(`accept answered ${answer.status}`)
}

async function sendElsewhere(body: Uint8Array, reportDsn: string): Promise<void> {
  const dsn = parseDsn(reportDsn)
  if (dsn === null) throw new Error('the report DSN is no DSN')
  const url = `${envelopeUrl(dsn)}?sentry_version=7&sentry_key=${dsn.publicKey}&sentry_client=${SELF_CLIENT}`
  const answer = await fetch(url, {
    method: 'POST',
    body: Buffer.from(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(SEND_MS),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the other server answered ${answer.status}`)
}
