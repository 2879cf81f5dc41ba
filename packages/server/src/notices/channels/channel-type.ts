/** Type of a service that alerts go to: the fields people fill in, and how a message is put to it. */
import type { AlertMessage } from '#model/alert-message.ts'
import type { ChannelKind, ChannelValues } from '#ports/channels.ts'
import type { AlertWords } from '../alert-words.ts'
import type { Attempt } from './attempt.ts'
import type { CallAnswer } from './guarded-call.ts'

export interface ChannelField {
  readonly name: string
  readonly label: string
  /** Hint: where to find it, or what it does. */
  readonly hint: string
  readonly isSecret: boolean
  readonly isRequired: boolean
  /** A secret that signs or verifies, and is never sent. */
  readonly signs?: boolean
  readonly check: 'url' | 'text' | 'email' | 'template'
  /** Pattern of the value, and the message if it does not match. */
  readonly pattern?: { readonly source: string; readonly rule: string }
}

export interface ChannelSending {
  readonly message: AlertMessage
  readonly words: AlertWords
  readonly values: ChannelValues
  /** The public address of this Errata, without trailing slash. */
  readonly url: string
  /** The same for every try. */
  readonly key: string
  /** Service's id of the first message of the thread; `null` in the first. */
  readonly thread: string | null
  readonly channelId: number
  readonly nowMs: number
}

export interface ChannelCall {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body: unknown
}

export interface ChannelAnswer {
  readonly attempt: Attempt
  /** Service's id of the message, if later ones of the thread need it. */
  readonly thread?: string
}

export interface ChannelType {
  readonly kind: ChannelKind
  readonly label: string
  /** Description in a few words. */
  readonly about: string
  readonly fields: readonly ChannelField[]
  /** `null`: there is nothing to say to this service, such as of a story that it never heard of. */
  call(sending: ChannelSending): ChannelCall | null
  /** Reads the answer, if the status alone does not tell. */
  read?(answer: CallAnswer): ChannelAnswer
}

/** Colours of a bar by level, from each service's own palette. */
export const COLOURS: Readonly<Record<AlertMessage['level'], string>> = {
  critical: '#d3382f',
  warning: '#be800c',
  info: '#d3382f',
  ok: '#2f9258',
}

/** How urgent a message is: 0 to 3. */
export function urgencyOf({ level, moment }: AlertMessage): 0 | 1 | 2 | 3 {
  if (level === 'critical') return 3
  if (level === 'ok' || moment === 'held' || moment === 'test') return 0
  return level === 'warning' ? 2 : 1
}

export const secretField = (name: string, label: string, hint: string): ChannelField => ({
  ...{ name, label, hint, isSecret: true, isRequired: true, check: 'text' },
})

export const urlField = (name: string, label: string, hint: string): ChannelField => ({
  ...{ name, label, hint, isSecret: true, isRequired: true, check: 'url' },
})

/** Field for services with other addresses, such as in the EU, or one's own server. */
export const serverField = (usual: string): ChannelField => ({
  ...{ name: 'server', label: 'Server', isSecret: false, isRequired: false, check: 'url' },
  hint: `Leave empty for ${usual}.`,
})

/** Without trailing slash. */
export function serverOf(values: ChannelValues, usual: string): string {
  const own = values.server ?? ''
  return (own === '' ? usual : own).replace(/\/+$/, '')
}
