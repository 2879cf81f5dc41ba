import type { LocalEngine } from '@errata/server/offline/local'
import type { Result } from '@errata/server/result'

/** The command line has neither address nor browser. */
export const COMMAND_LINE_FACTS = { address: null, userAgent: 'errata command line' } as const

/** Which address the token carries that a command printed. */
export function tokenAddressText({ publicAddress, knowsAddress }: LocalEngine): string {
  const { url, basePath } = publicAddress
  if (knowsAddress)
    return [
      `The token carries ${url}: sentry-cli and other tools go to that address, whatever SENTRY_URL says.`,
      ...(basePath === ''
        ? []
        : ['sentry-cli refuses addresses with a path: upload with "errata upload-build" instead.']),
    ].join('\n')
  return [
    `No server has run here yet, so ${url} is a guess, and the token carries no address: tools need SENTRY_URL.`,
    'For a token that carries one: start "errata serve" first, or give --url (or --port) here.',
  ].join('\n')
}

/** The value, or an error that names each broken rule. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const fields = Object.entries(result.fields ?? {})
  // With fields, the message repeats the first of them.
  const lines = fields.map(([field, rules]) => `  ${field}: ${rules.join(' ')}`)
  throw new Error(fields.length === 0 ? result.message : ['Invalid:', ...lines].join('\n'))
}
