/** What Errata knows of a service that alerts go to: the fields people fill in, and how a message is put to it. */
import type { AlertMessage } from '#model/alert-message.ts'
import type { ChannelKind, ChannelValues } from '#ports/channels.ts'
import type { AlertWords } from '../alert-words.ts'
import type { Attempt } from './attempt.ts'
import type { CallAnswer } from './guarded-call.ts'

export interface ChannelField {
  readonly name: string
  readonly label: string
  /** Where to find it, or what it does. */
  readonly hint: string
  readonly isSecret: boolean
  readonly isRequired: boolean
  /** A secret that signs or verifies, and is never sent. */
  readonly signs?: boolean
  readonly check: 'url' | 'text' | 'email' | 'template'
  /** What a value must look like beyond that, and what is said when it does not. */
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
  /** What the service called the first message of the story; `null` in the first. */
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
  /** What the service calls the message, where later ones of the story need it. */
  readonly thread?: string
}

export interface ChannelType {
  readonly kind: ChannelKind
  readonly label: string
  /** What it is, in a few words. */
  readonly about: string
  readonly fields: readonly ChannelField[]
  /** `null`: there is nothing to say to this service, such as of a story that it never heard of. */
  call(sending: ChannelSending): ChannelCall | null
  /** Where the status alone does not tell. */
  read?(answer: CallAnswer): ChannelAnswer
}

/** Of a level: the colour of a bar, as each service's own palette has it. */
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

/** Where a service has other addresses, such as in the EU, or one's own server. */
export const serverField = (usual: string): ChannelField => ({
  ...{ name: 'server', label: 'Server', isSecret: false, isRequired: false, check: 'url' },
  hint: `Leave empty for ${usual}.`,
})

/** Without trailing slash. */
export function serverOf(values: ChannelValues, usual: string): string {
  const own = values.server ?? ''
  return (own === '' ? usual : own).replace(/\/+$/, '')
}
