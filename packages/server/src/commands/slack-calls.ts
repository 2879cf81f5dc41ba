/** Calls of Slack: whether they are, and what was pressed. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '#base/durations.ts'
import { isObject, parseJsonOrNull } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { serverOf } from '#notices/channels/channel-type.ts'
import { SLACK_API } from '#notices/channels/kinds/slack-bot.ts'
import type { ChannelValues } from '#ports/channels.ts'

export interface SignedBody {
  readonly signature: string
  /** Seconds since 1970, as Slack sends it. */
  readonly timestamp: string
  readonly body: string
}

/** A call that is older may be somebody's copy. */
const AGE_MS_MAX = 5 * MINUTE_MS

export function isSigned(
  { signature, timestamp, body }: SignedBody,
  { secret, nowMs }: { readonly secret: string; readonly nowMs: number },
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs - Number(timestamp) * 1_000) > AGE_MS_MAX) return false
  const own = Buffer.from(
    `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
  )
  const theirs = Buffer.from(signature)
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}

export interface Pressed {
  readonly action: 'resolve' | 'archive' | 'assign'
  readonly shortId: string
  /** Slack's id of the person. */
  readonly user: string
  /** Name for people. */
  readonly name: string
  /** Address for the answer to the person who pressed. */
  readonly responseUrl: string | null
}

/** `payload=JSON` in a form. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export function readPressed(body: string): Pressed | null {
  const payload = parseJsonOrNull(new URLSearchParams(body).get('payload') ?? '')
  if (!isObject(payload) || payload.type !== 'block_actions' || !isObject(payload.user)) return null
  const pressed: unknown = Array.isArray(payload.actions) ? payload.actions[0] : null
  const { id, name, username } = payload.user
  if (!isObject(pressed) || typeof id !== 'string' || typeof pressed.value !== 'string') return null
  const action = (['resolve', 'archive', 'assign'] as const).find((each) => each === pressed.action_id)
  if (action === undefined || !/^[\w-]{1,100}$/.test(pressed.value) || !/^\w{1,40}$/.test(id)) return null
  const called = [name, username].find((each) => typeof each === 'string' && each !== '')
  const responseUrl = typeof payload.response_url === 'string' ? payload.response_url : null
  return { action, shortId: pressed.value, user: id, name: slackName(called) ?? id, responseUrl }
}

/** Nothing that is not seen, or that turns the reading round. */
function slackName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return plain === '' ? null : [...plain].slice(0, max('slackNameCharsMax')).join('')
}

/** At Slack itself, or at the server that the channel is sent to. */
export function mayAnswerAt(url: string, values: ChannelValues): boolean {
  if (!URL.canParse(url)) return false
  const { origin } = new URL(url)
  return origin === 'https://hooks.slack.com' || origin === new URL(serverOf(values, SLACK_API)).origin
}
