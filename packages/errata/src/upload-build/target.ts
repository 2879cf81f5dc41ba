/**
 * Finds where a build is uploaded to: from options, else the variables that other tools read, else the token
 * itself.
 */
import * as v from 'valibot'
import { isWebAddress, textOption, UsageError } from '../command-line.ts'

export interface Target {
  /** Without trailing slash. */
  readonly url: string
  readonly token: string
  readonly org: string
  /** Slug or id. */
  readonly project: string
}

/** Release and dist of a build; both `null` if files are found by debug id only. */
export interface BuildName {
  readonly release: string | null
  readonly dist: string | null
}

type OptionValues = Parameters<typeof textOption>[0]
type Environment = Readonly<Record<string, string | undefined>>

const CARRIED = v.object({
  url: v.optional(v.nullable(v.string())),
  org: v.optional(v.nullable(v.string())),
})

/** @throws UsageError */
export function targetFrom(values: OptionValues, env: Environment): Target {
  const given = (option: string, variable: string) => textOption(values, option) ?? nonEmpty(env[variable])
  const token = given('token', 'SENTRY_AUTH_TOKEN')
  if (token === undefined)
    throw new UsageError('missing: a token, as --token or SENTRY_AUTH_TOKEN. Its scope is org:ci.')
  const carried = carriedBy(token)
  const url = given('url', 'SENTRY_URL') ?? carried.url
  const org = given('org', 'SENTRY_ORG') ?? carried.org
  const project = given('project', 'SENTRY_PROJECT')
  if (url === undefined)
    throw new UsageError(
      'missing: the address of Errata, as --url or SENTRY_URL. This token doesn’t carry it.',
    )
  if (org === undefined)
    throw new UsageError('missing: the organisation, as --org or SENTRY_ORG. This token doesn’t carry it.')
  if (project === undefined) throw new UsageError('missing: the project, as --project or SENTRY_PROJECT')
  if (!isWebAddress(url))
    throw new UsageError(`--url: "${url}" isn’t an address such as https://errata.example.com`)
  return { url: url.replace(/\/+$/, ''), token, org, project }
}

/** @throws UsageError */
export function buildNameFrom(values: OptionValues, env: Environment): BuildName {
  const release = textOption(values, 'release') ?? nonEmpty(env.SENTRY_RELEASE) ?? null
  const dist = textOption(values, 'dist') ?? nonEmpty(env.SENTRY_DIST) ?? null
  if (dist !== null && release === null) throw new UsageError('--dist needs --release')
  return { release, dist }
}

/** Tokens of an organisation say where they are from: `sntrys_`, base64 of JSON, `_`, a secret. */
function carriedBy(token: string): { readonly url?: string; readonly org?: string } {
  const [, payload] = /^sntrys_([A-Za-z0-9+/=]+)_/.exec(token) ?? []
  if (payload === undefined) return {}
  try {
    const { url, org } = v.parse(CARRIED, JSON.parse(Buffer.from(payload, 'base64').toString('utf8')))
    return { ...(url ? { url } : {}), ...(org ? { org } : {}) }
  } catch {
    return {} // a token that carries nothing readable may be good all the same: the server decides
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim()
}
