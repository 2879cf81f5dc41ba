/** Rules shared by trackers that number the issues of a repository: `acme/shop#12`. */
import { secretField, serverOf } from '#notices/channels/channel-type.ts'
import type { RemoteIssue, TrackerValues } from '#ports/trackers.ts'
import {
  foundReply,
  isMissing,
  isReply,
  MISSING,
  numberOf,
  readTitle,
  readTrackerAnswer,
  textOf,
  timeOf,
} from '../replies.ts'
import type { TrackerAsked, TrackerCall, TrackerField, TrackerType } from '../tracker-type.ts'

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

/** Server that numbers the issues of repositories as GitHub does, and is asked the same. */
interface IssueHost {
  /** Server that is meant where none is given. */
  readonly serverUsual: string
  readonly apiOf: (values: TrackerValues) => string
  readonly headersOf: (token: string) => Readonly<Record<string, string>>
  /** Repository and number in the path of an issue's own address. */
  readonly issuePath: RegExp
  /** State of an issue that is closed by us. */
  readonly closed: Readonly<Record<string, string>>
}

/** Calls about single issues, and how they and their addresses are read. */
export function issueCalls({ serverUsual, apiOf, headersOf, issuePath, closed }: IssueHost) {
  const urlOf = (values: TrackerValues, ref: string) => {
    const { repository, number } = readRef(ref)
    return `${apiOf(values)}/repos/${repository}/issues/${number}`
  }
  const refOfPath = (path: string | null) => {
    const [, repository, number] = issuePath.exec(path ?? '') ?? []
    return repository === undefined ? null : `${repository}#${Number(number)}`
  }
  /** Its own address may differ from the one it is called at: only the end counts. */
  const remoteOf = (values: TrackerValues, issue: Readonly<Record<string, unknown>>): RemoteIssue | null => {
    const address = textOf(issue.html_url)
    const ref = URL.canParse(address) ? refOfPath(new URL(address).pathname) : null
    if (ref === null || numberOf(issue.number) === null) return null
    const { repository, number } = readRef(ref)
    return {
      ref,
      url: `${serverOf(values, serverUsual)}/${repository}/issues/${number}`,
      title: readTitle(issue.title),
      state: issue.state === 'closed' ? 'closed' : 'open',
      changedMs: timeOf(issue.updated_at),
    }
  }
  const askIssue = async (
    { values, call }: TrackerAsked,
    asking: Omit<TrackerCall, 'headers'>,
    says: string,
  ) => {
    const answer = await call({ ...asking, headers: headersOf(values.token ?? '') })
    if (asking.method === 'GET' && isMissing(answer)) return MISSING
    const body = readTrackerAnswer(answer)
    return isReply(body) ? body : foundReply(remoteOf(values, body), says)
  }
  const calls: Pick<TrackerType, 'create' | 'read' | 'close' | 'refOf'> = {
    async create(asked, { place, title, markdown }) {
      const url = `${apiOf(asked.values)}/repos/${place}/issues`
      return askIssue(asked, { method: 'POST', url, body: { title, body: markdown } }, 'Created.')
    },
    async read(asked, ref) {
      return askIssue(asked, { method: 'GET', url: urlOf(asked.values, ref) }, 'Read.')
    },
    async close(asked, ref) {
      return askIssue(asked, { method: 'PATCH', url: urlOf(asked.values, ref), body: closed }, 'Closed.')
    },
    refOf: (values, url) => refOfPath(pathBelow(serverOf(values, serverUsual), url)),
  }
  return { ...calls, remoteOf }
}
