/** Rules shared by trackers that number the issues of a repository: `acme/shop#12`. */
import { secretField } from '#notices/channels/channel-type.ts'
import type { TrackerField } from '../tracker-type.ts'

export interface RepositoryRef {
  readonly repository: string
  readonly number: number
}

const REF = /^(.+)#(\d{1,12})$/s

export function readRef(ref: string): RepositoryRef {
  const [, repository = '', number = '0'] = REF.exec(ref) ?? []
  return { repository, number: Number(number) }
}

/** The path below the server's own; `null` for an address elsewhere. */
export function pathBelow(server: string, url: URL): string | null {
  const base = new URL(server)
  const start = base.pathname.replace(/\/+$/, '')
  if (url.origin !== base.origin || !url.pathname.startsWith(`${start}/`)) return null
  return url.pathname.slice(start.length)
}

/** `owner/name`: never a way up, which would call something else. */
export const REPOSITORY_PATTERN = '(?!\\.\\.?/)[\\w.-]{1,100}/(?!\\.\\.?$)[\\w.-]{1,100}'

export function repositoryField(hint: string, source: string): TrackerField {
  return {
    ...{ name: 'place', label: 'Repository', hint, isSecret: false, isRequired: true, check: 'text' },
    pattern: { source, rule: 'Such as acme/shop.' },
  }
}

/** Field of the secret that signs webhooks; without it none is accepted. */
export function signingField(hint: string): TrackerField {
  return { ...secretField('secret', 'Webhook secret', hint), isRequired: false, signs: true }
}
