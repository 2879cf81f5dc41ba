/** Setting the address that a project's notices are sent to. */
import { ok, type Result, refuse } from '#base/result.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { SeenSettings } from '#ports/projects.ts'

export interface WebhookChange {
  readonly secret: string
  readonly action: 'webhook.created' | 'webhook.changed'
  /** Host for the audit log: an address may carry a secret in its path. */
  readonly detail: { readonly host: string; readonly secretChanged: boolean }
}

/** `before`: what there is; its secret stays where none is given. */
export function webhookChange(
  webhook: {
    readonly url: string
    readonly secret?: string
    /** Its `url`, `null` where there is none. */
    readonly seen?: SeenSettings | undefined
  },
  before: { readonly url: string; readonly secret: string } | null,
): Result<WebhookChange> {
  const unseen = refuseUnseen({ url: before?.url ?? null }, webhook.seen)
  if (unseen !== null) return unseen
  const secret = webhook.secret ?? before?.secret
  if (secret === undefined) return refuse('conflict', 'The webhook was removed meanwhile. Add it again.')
  return ok({
    secret,
    action: before === null ? 'webhook.created' : 'webhook.changed',
    detail: {
      host: new URL(webhook.url).host,
      secretChanged: webhook.secret !== undefined && before !== null,
    },
  })
}
