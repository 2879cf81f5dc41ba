/** The texts of the error page, letter for letter as docs/specification.md gives them. */
const CLIENT_SIDE = 'Application error: a client-side exception has occurred'
const SERVER_SIDE = 'Application error: a server-side exception has occurred'

/** The sentence for a failure; with a digest it happened on the server. */
export function errorSentence(digest: string | null): string {
  return digest === null ? CLIENT_SIDE : SERVER_SIDE
}

export const DIGEST_LABEL = 'Digest:'
export const LINKS = {
  reload: 'Reload',
  back: 'Back',
  recorded: 'What was recorded',
  address: 'Open it there',
} as const
