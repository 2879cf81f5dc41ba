/** Rules for a webhook's address, before any name is looked up. */
import { isIP } from 'node:net'
import { max } from '#limits/limits.ts'
import { isPublicAddress } from '../address-guard.ts'
import { urlHost } from '../checked-addresses.ts'

export type WebhookUrl =
  | { readonly ok: true; readonly url: URL }
  /** `rule`: a sentence for the field. */
  | { readonly ok: false; readonly rule: string }

/**
 * Reads the address of a webhook, and says what is wrong with one. `privateTargets`: whether the operator lets
 * webhooks call private networks.
 */
export function readWebhookUrl(text: string, privateTargets: boolean): WebhookUrl {
  const refused = (rule: string): WebhookUrl => ({ ok: false, rule })
  const most = max('webhookUrlCharsMax')
  if (text.length > most) return refused(`At most ${most.toLocaleString('en-US')} characters.`)
  if (!URL.canParse(text)) return refused('An address such as https://hooks.example.com/errata.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('An https or http address.')
  if (url.username !== '' || url.password !== '')
    return refused('No user name or password in the address: check the signature instead.')
  if (url.href.length > most) return refused(`At most ${most.toLocaleString('en-US')} characters.`)
  url.hash = ''
  if (!privateTargets && isPrivateHost(urlHost(url))) return refused(PRIVATE_RULE)
  return { ok: true, url }
}

export const PRIVATE_RULE =
  'It leads to this machine or a private network, which this server does not call (--webhook-private-targets).'

/** Literal addresses, and the names that never leave the machine. Other names are judged by what they resolve to. */
function isPrivateHost(host: string): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return /(?:^|\.)localhost\.?$/i.test(host)
}
