/** An Errata somewhere, asked with a token: from options, else ERRATA_URL and ERRATA_TOKEN. */
import * as v from 'valibot'
import { isWebAddress, textOption, UsageError } from '../command-line.ts'
import { CallFailed, ServerCalls } from '../upload-build/server-calls.ts'
import { ORGANISATIONS } from './answers.ts'

export interface Address {
  /** Without trailing slash. */
  readonly url: string
  readonly token: string
}

type OptionValues = Parameters<typeof textOption>[0]
type Environment = Readonly<Record<string, string | undefined>>

export const ADDRESS_OPTIONS = { url: { type: 'string' }, token: { type: 'string' } } as const
export const LIST_OPTIONS = {
  ...ADDRESS_OPTIONS,
  org: { type: 'string' },
  project: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
} as const
export const ADDRESS_HELP = `  --url --token    default ERRATA_URL and ERRATA_TOKEN; the token's scope is event:read`
export const LIST_HELP = `${ADDRESS_HELP}
  --org            default: the token's own organisation`

/** @throws UsageError */
export function addressFrom(values: OptionValues, env: Environment): Address {
  const url = textOption(values, 'url') ?? env.ERRATA_URL?.trim()
  const token = textOption(values, 'token') ?? env.ERRATA_TOKEN?.trim()
  if (url === undefined || url === '')
    throw new UsageError('missing: the address of Errata, as --url or ERRATA_URL')
  if (token === undefined || token === '')
    throw new UsageError('missing: a token, as --token or ERRATA_TOKEN. Its scope is event:read.')
  if (!isWebAddress(url))
    throw new UsageError(`--url: "${url}" isn’t an address such as https://errata.example.com`)
  return { url: url.replace(/\/+$/, ''), token }
}

export interface Connection {
  readonly calls: ServerCalls
  /** Slug, as it stands in addresses of the web API. */
  readonly org: string
}

/** @throws UsageError for options, `CallFailed` for a server that refuses. */
export async function connect(values: OptionValues, env: Environment): Promise<Connection> {
  const calls = new ServerCalls(addressFrom(values, env))
  const named = textOption(values, 'org')
  if (named !== undefined) return { calls, org: encodeURIComponent(named) }
  const [own] = await calls.get('/organizations/', ORGANISATIONS)
  if (own === undefined) throw new UsageError('this token sees no organisation: name one with --org')
  return { calls, org: own.slug }
}

/** @throws UsageError */
export function limitFrom(values: OptionValues, fallback: number): number {
  const text = textOption(values, 'limit')
  const limit = Number(text ?? fallback)
  if (!v.is(LIMIT, limit)) throw new UsageError(`--limit: "${text}" isn’t a number from 1 to 100`)
  return limit
}

const LIMIT = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))

/** The server says no more of what a token may not see than that it isn’t there. */
export function explainMissingIssue(ref: string, org: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof CallFailed) || cause.status !== 404) throw cause
    throw new CallFailed(
      `${org} has no issue ${ref}, or the token has no access to its project`,
      cause.status,
      cause,
    )
  }
}
