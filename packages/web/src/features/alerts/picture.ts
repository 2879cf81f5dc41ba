/**
 * Picture of a message as its service shows it, apart from colours: made of the very body that is delivered.
 */

export interface Run {
  readonly text: string
  readonly as: 'text' | 'bold' | 'code' | 'link'
}

export type PicturePart =
  | { readonly is: 'lead' | 'title' | 'text' | 'foot'; readonly runs: readonly Run[] }
  | {
      readonly is: 'facts'
      readonly facts: readonly { readonly label: string; readonly value: readonly Run[] }[]
    }
  | {
      readonly is: 'buttons'
      readonly buttons: readonly { readonly label: string; readonly isMain: boolean }[]
    }

/** Services whose apps lay messages out alike share a look. */
export type PictureLook =
  | 'slack'
  | 'discord'
  | 'teams'
  | 'google-chat'
  | 'mattermost'
  | 'telegram'
  | 'phone'
  | 'pager'
  | 'mail'
  | 'json'

export interface Picture {
  readonly look: PictureLook
  /** Colour of the bar beside the message, if the body states one. */
  readonly bar: string | null
  /** Before the card. */
  readonly above: readonly PicturePart[]
  readonly parts: readonly PicturePart[]
}

/** The same without looks: to copy. */
export function pictureText({ above, parts }: Picture): string {
  return [...above, ...parts].map(partText).join('\n')
}

function partText(part: PicturePart): string {
  switch (part.is) {
    case 'facts':
      return part.facts.map(({ label, value }) => `${label}: ${runsText(value)}`).join('\n')
    case 'buttons':
      return part.buttons.map(({ label }) => `[${label}]`).join(' ')
    default:
      return runsText(part.runs)
  }
}

export function runsText(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('')
}
