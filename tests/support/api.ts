/** The web API as a script uses it. */
import assert from 'node:assert/strict'
import { holdToDescription } from '../../packages/server/testing/described-answers.ts'
import type { SetUp } from './start-errata.ts'

export interface ApiIssue {
  readonly id: string
  readonly shortId: string
  readonly title: string
  readonly culprit: string
  readonly count: string
  readonly userCount: number
  readonly status: string
  readonly substatus: string
}

export interface ApiEvent {
  readonly eventID: string
  readonly groupID: string
  readonly platform: string
  readonly title: string
  readonly entries: readonly { readonly type: string; readonly data: unknown }[]
  readonly tags: readonly { readonly key: string; readonly value: string }[]
}

/** `GET /api/0/…` with the token; fails unless the answer is 200, and as the API describes it. */
export async function apiGet<T>(shop: SetUp, path: string): Promise<T> {
  const answer = await fetch(`${shop.url}/api/0${path}`, {
    headers: { authorization: `Bearer ${shop.token}` },
  })
  const body = await answer.text()
  assert.equal(answer.status, 200, `GET ${path}: ${answer.status} ${body.slice(0, 300)}`)
  await holdToDescription({ method: 'GET', path: path.split('?')[0] ?? '' }, answer.status, JSON.parse(body))
  return JSON.parse(body) as T // the caller names the shape it goes on to assert
}

/** `POST /api/0/…` with the token; fails unless it was done. */
export async function apiPost(shop: SetUp, path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${shop.url}/api/0${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `POST ${path}: ${answer.status} ${text.slice(0, 300)}`)
  return text === '' ? null : JSON.parse(text)
}

export async function issues(shop: SetUp, query = ''): Promise<readonly ApiIssue[]> {
  return apiGet(
    shop,
    `/organizations/${shop.organisation}/issues/?query=${encodeURIComponent(query)}&statsPeriod=14d&limit=100`,
  )
}

/** Sum of accepted errors, as the outcomes say. */
export async function acceptedErrors(shop: SetUp): Promise<number> {
  const stats = await apiGet<{ groups: { by: Record<string, string>; totals: Record<string, number> }[] }>(
    shop,
    `/organizations/${shop.organisation}/stats_v2/?field=sum(quantity)&groupBy=outcome&groupBy=category&statsPeriod=14d`,
  )
  return stats.groups
    .filter(({ by }) => by.outcome === 'accepted' && by.category === 'error')
    .reduce((sum, { totals }) => sum + (totals['sum(quantity)'] ?? 0), 0)
}

/** Envelopes that are acknowledged and not stored yet, as the metrics say. */
export async function waitingEnvelopes({ url }: Pick<SetUp, 'url'>): Promise<number> {
  const answer = await fetch(`${url}/metrics`)
  const body = await answer.text()
  const found = /^errata_backlog_envelopes (\d+)$/m.exec(body)
  assert.ok(found !== null, `GET /metrics: ${answer.status} ${body.slice(0, 300)}`)
  return Number(found[1])
}
