/** The issue tracker of the sample organisation: Gitea's API for as much as Errata asks of it, within this process. */
import { isObject, parseJsonOrNull } from '#base/json.ts'
import type { CallAnswer, GuardedCall } from './channels/guarded-call.ts'

const SERVER = 'https://git.marlowfinch.example'
const ISSUES = /^\/api\/v1\/repos\/([\w.-]+\/[\w.-]+)\/issues(?:\/(\d{1,9}))?$/
/** Its people wrote issues before Errata came. */
const NUMBER_FIRST = 412

interface SampleIssue {
  readonly repository: string
  readonly number: number
  readonly title: string
  readonly state: 'open' | 'closed'
  readonly updatedMs: number
}

/** Answers what is asked of the sample's tracker; `null`: the call is for somebody else. It forgets with the process. */
export function sampleTracker(nowMs: () => number): (call: GuardedCall) => CallAnswer | null {
  const issues = new Map<number, SampleIssue>()
  return ({ method = 'POST', url, body }) => {
    if (!url.startsWith(`${SERVER}/`)) return null
    const [, repository, number] = ISSUES.exec(new URL(url).pathname) ?? []
    if (repository === undefined) return answerJson(404, { message: 'Not found' })
    const given = fieldsOf(body)
    const known =
      number === undefined ? createdIn(repository, given, issues.size) : issues.get(Number(number))
    if (known === undefined) return answerJson(404, { message: 'The issue does not exist' })
    const state = given.state === 'closed' ? 'closed' : known.state
    const issue = method === 'GET' ? known : { ...known, state, updatedMs: nowMs() }
    issues.set(issue.number, issue)
    return answerJson(number === undefined ? 201 : 200, sampleIssueShape(issue))
  }
}

function createdIn(repository: string, { title }: Fields, count: number): SampleIssue {
  const number = NUMBER_FIRST + count
  return { repository, number, title: typeof title === 'string' ? title : '', state: 'open', updatedMs: 0 }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(body: string): Fields {
  const read = parseJsonOrNull(body)
  return isObject(read) ? read : {}
}

function sampleIssueShape({ repository, number, title, state, updatedMs }: SampleIssue) {
  return {
    ...{ number, title, state, updated_at: new Date(updatedMs).toISOString() },
    html_url: `${SERVER}/${repository}/issues/${number}`,
  }
}

function answerJson(status: number, body: unknown): CallAnswer {
  return { isAnswered: true, status, retryAfterMs: null, body: JSON.stringify(body) }
}
