/** Every tracker against a service that answers as its documentation says, over HTTP. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { isObject } from '#base/json.ts'
import { createGuardedCall } from '#notices/channels/guarded-call.ts'
import { sendNothing } from '#notices/send-nothing.ts'
import { TRACKER_KINDS, type TrackerKind } from '#ports/trackers.ts'
import { openService, SECRET, type Service, TRACKER_TOKEN, webhookOf } from '#testing/trackers/service.ts'
import { askTracker } from '../ask-tracker.ts'
import { jiraMarkup } from './jira-markup.ts'
import { TRACKER_TYPES } from './kinds.ts'

const NOW = Date.parse('2026-11-21T12:20:00Z')
const MARKDOWN = '## Failure\n\n```\nError: {boom} [x]\n```\n\n- Level: error'

/** Calls from the services' documentation: how each proves itself, and what creates and closes an issue. */
const CALLS: Readonly<
  Record<
    TrackerKind,
    {
      readonly authorised: readonly [header: string, value: string]
      readonly created: readonly [method: string, path: string, body: unknown]
      readonly closed: readonly [method: string, path: string, body: unknown]
    }
  >
> = {
  github: {
    authorised: ['authorization', `Bearer ${TRACKER_TOKEN}`],
    created: ['POST', '/api/v3/repos/acme/shop/issues', { title: 'It fails', body: MARKDOWN }],
    closed: ['PATCH', '/api/v3/repos/acme/shop/issues/12', { state: 'closed', state_reason: 'completed' }],
  },
  gitea: {
    authorised: ['authorization', `token ${TRACKER_TOKEN}`],
    created: ['POST', '/api/v1/repos/acme/shop/issues', { title: 'It fails', body: MARKDOWN }],
    closed: ['PATCH', '/api/v1/repos/acme/shop/issues/12', { state: 'closed' }],
  },
  gitlab: {
    authorised: ['private-token', TRACKER_TOKEN],
    created: [
      ...['POST', '/api/v4/projects/acme%2Fweb%2Fshop/issues'],
      { title: 'It fails', description: MARKDOWN },
    ] as const,
    closed: ['PUT', '/api/v4/projects/acme%2Fweb%2Fshop/issues/12', { state_event: 'close' }],
  },
  jira: {
    authorised: [
      'authorization',
      `Basic ${Buffer.from(`bot@acme.test:${TRACKER_TOKEN}`).toString('base64')}`,
    ],
    created: [
      'POST',
      '/rest/api/2/issue',
      {
        fields: {
          ...{ project: { key: 'SHOP' }, issuetype: { name: 'Bug' }, summary: 'It fails' },
          description: 'h2. Failure\n\n{noformat}\nError: {boom} [x]\n{noformat}\n\n* Level: error',
        },
      },
    ],
    closed: ['POST', '/rest/api/2/issue/SHOP-12/transitions', { transition: { id: '31' } }],
  },
  linear: {
    authorised: ['authorization', TRACKER_TOKEN],
    created: [
      'POST',
      '/graphql',
      { input: { teamId: 'team-uuid', title: 'It fails', description: MARKDOWN } },
    ],
    closed: ['POST', '/graphql', { id: 'ENG-12', input: { stateId: 'state-first' } }],
  },
}

/** How the service signs the body of a webhook. */
function signed(kind: TrackerKind, body: string, secret = SECRET): Readonly<Record<string, string>> {
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  return {
    github: { 'x-hub-signature-256': `sha256=${hex}` },
    gitea: { 'x-forgejo-signature': hex, 'x-gitea-signature': hex },
    gitlab: { 'x-gitlab-token': secret },
    jira: { 'x-hub-signature': `sha256=${hex}` },
    linear: { 'linear-signature': hex },
  }[kind] as Readonly<Record<string, string>> // each has its own names
}

for (const kind of TRACKER_KINDS) {
  describe(TRACKER_TYPES[kind].label, () => {
    const type = TRACKER_TYPES[kind]
    const { authorised, created, closed } = CALLS[kind]
    let service: Service
    before(async () => {
      service = await openService(kind)
    })
    after(() => service.hook.close())

    const asked = (privateTargets = true) =>
      askTracker(
        { call: createGuardedCall({ privateTargets }), version: '1.2.3' },
        service,
        new AbortController().signal,
      )
    const lastCall = () => {
      const call = service.hook.calls.at(-1)
      assert.ok(call !== undefined)
      const body: unknown = JSON.parse(call.body)
      const said = kind === 'linear' && isObject(body) ? body.variables : body
      return { headers: call.headers, asked: [call.method, call.url, said] }
    }
    const isSigned = (headers: Readonly<Record<string, string>>, body: string, nowMs = NOW) =>
      type.isSigned({ header: (name) => headers[name] ?? null, body: Buffer.from(body), nowMs }, SECRET)

    it('gets a new issue as its API documents it', async () => {
      const place = service.values.place ?? ''
      const reply = await type.create(asked(), { place, title: 'It fails', markdown: MARKDOWN })
      assert.equal(reply.attempt.outcome, 'sent', reply.attempt.says)
      assert.ok(isObject(reply.remote))
      assert.deepEqual(
        [reply.remote.ref, reply.remote.url, reply.remote.title, reply.remote.state],
        [service.ref, service.url, 'It fails', 'open'],
      )
      const { headers, asked: call } = lastCall()
      assert.deepEqual(call, created)
      assert.equal(headers[authorised[0]], authorised[1])
      assert.equal(headers['user-agent'], 'Errata/1.2.3')
      assert.match(headers['content-type'] ?? '', /^application\/json/)
    })

    it('is asked for an issue by the address that people paste, and says when there is none', async () => {
      const ref = type.refOf(service.values, new URL(service.url))
      assert.equal(ref, service.ref)
      const { remote } = await type.read(asked(), service.ref)
      assert.ok(isObject(remote))
      assert.deepEqual([remote.ref, remote.title, remote.state], [service.ref, 'It fails', 'open'])
      const other = service.ref.replace(/12$/, '13')
      assert.equal((await type.read(asked(), other)).remote, 'missing')
      assert.equal(type.refOf(service.values, new URL('https://example.com/acme/shop/issues/12')), null)
      assert.equal(type.refOf(service.values, new URL('/', service.url)), null)
    })

    it('takes a webhook that it signed, and no other', () => {
      const body = JSON.stringify(webhookOf(kind, service, NOW))
      assert.ok(isSigned(signed(kind, body), body))
      assert.ok(!isSigned(signed(kind, body, 'guessed'), body))
      assert.ok(!isSigned({}, body))
      if (kind !== 'gitlab') assert.ok(!isSigned(signed(kind, body), `${body} `), 'another body')
      if (kind === 'linear') assert.ok(!isSigned(signed(kind, body), body, NOW + 3_600_000), 'an old one')
    })

    it('closes an issue, and tells of it', async () => {
      const { attempt, remote } = await type.close(asked(), service.ref)
      assert.equal(attempt.outcome, 'sent', attempt.says)
      assert.equal(isObject(remote) && remote.state, 'closed')
      assert.deepEqual(lastCall().asked, closed)
      assert.equal(service.issue.state, 'closed')
      const news = type.newsOf(service.values, webhookOf(kind, service, NOW))
      assert.deepEqual(
        [news?.ref, news?.state, news?.title, news?.changedMs],
        [service.ref, 'closed', 'It fails', Date.parse(service.issue.updated)],
      )
      for (const noise of [null, {}, { action: 'ping' }, { issue: {}, repository: {} }, []])
        assert.equal(type.newsOf(service.values, noise), null)
    })

    it('is tried again where waiting may help, and not where it does not', async () => {
      service.failWith = 502
      assert.equal((await type.close(asked(), service.ref)).attempt.outcome, 'failed')
      service.failWith = 401
      const { attempt, remote } = await type.close(asked(), service.ref)
      assert.deepEqual([attempt.outcome, remote], ['refused', undefined])
      service.failWith = 200
      assert.equal((await type.read(asked(), service.ref)).attempt.outcome, 'refused', 'no issue in it')
      service.failWith = null
    })

    it('is not called at a private address where that is not allowed', async () => {
      const before = service.hook.calls.length
      const { attempt } = await type.read(asked(false), service.ref)
      assert.equal(attempt.outcome, 'refused')
      assert.match(attempt.says, /private network/)
      assert.equal(service.hook.calls.length, before)
    })
  })
}

describe('places and refs', () => {
  const fits = (kind: TrackerKind, place: string) => {
    const source = TRACKER_TYPES[kind].fields.find(({ name }) => name === 'place')?.pattern?.source ?? ''
    return new RegExp(`^(?:${source})$`, 's').test(place)
  }

  it('never lead to another call than that of an issue', () => {
    for (const bad of [
      'acme',
      'acme/..',
      '../acme',
      './acme',
      'acme/shop/x',
      'acme/shop?x',
      'acme/shop\n',
      '',
    ])
      assert.ok(!fits('github', bad) && !fits('gitea', bad), bad)
    for (const good of ['acme/shop', 'acme/..shop', 'a.b/c-d_e']) assert.ok(fits('github', good), good)
    assert.ok(fits('gitlab', 'acme/web/shop') && !fits('gitlab', 'acme') && !fits('gitlab', 'a/b?c'))
    assert.ok(
      fits('jira', 'SHOP') && !fits('jira', 'shop') && fits('linear', 'ENG') && !fits('linear', 'E/G'),
    )
    const values = { server: 'https://git.example.com/tea', place: 'a/b' }
    const refOf = (url: string) => TRACKER_TYPES.gitea.refOf(values, new URL(url))
    assert.equal(refOf('https://git.example.com/tea/a/b/issues/3'), 'a/b#3')
    assert.equal(refOf('https://git.example.com/a/b/issues/3'), null)
    assert.equal(refOf('https://git.example.com/tea/a/b/issues/x'), null)
  })

  it('of Jira are found on boards, too', () => {
    const values = { server: 'https://acme.atlassian.net', place: 'SHOP' }
    const board = 'https://acme.atlassian.net/jira/software/projects/SHOP/boards/1?selectedIssue=SHOP-7'
    assert.equal(TRACKER_TYPES.jira.refOf(values, new URL(board)), 'SHOP-7')
  })
})

describe('a token', () => {
  const REFS = {
    github: ['acme/shop', 'acme/secret', (ref: string) => `https://github.com/${ref}/issues/3`, '#3'],
    gitlab: [
      'acme/web/shop',
      'acme/web/secret',
      (ref: string) => `https://gitlab.com/${ref}/-/issues/3`,
      '#3',
    ],
    gitea: ['acme/shop', 'acme/secret', (ref: string) => `https://git.example.com/${ref}/issues/3`, '#3'],
    jira: ['SHOP', 'HR', (ref: string) => `https://git.example.com/browse/${ref}-3`, '-3'],
    linear: ['ENG', 'HR', (ref: string) => `https://linear.app/acme/issue/${ref}-3/title`, '-3'],
  } as const

  for (const kind of TRACKER_KINDS)
    it(`of ${kind} reads and writes only where it was set up for`, async () => {
      const [place, other, urlOf, end] = REFS[kind]
      const calls: string[] = []
      const server = kind === 'gitea' || kind === 'jira' ? { server: 'https://git.example.com' } : {}
      const asking = (values: Readonly<Record<string, string>>) => ({
        values: { token: TRACKER_TOKEN, ...server, place, ...values },
        call: async ({ url }: { readonly url: string }) => {
          calls.push(url)
          return { isAnswered: true as const, status: 200, retryAfterMs: null, body: '{}' }
        },
      })
      const type = TRACKER_TYPES[kind]
      const draft = { place: other, title: 'It fails', markdown: '' }
      for (const values of [{}, { morePlaces: `${other}2` }]) {
        for (const reply of [
          await type.create(asking(values), draft),
          await type.read(asking(values), `${other}${end}`),
          await type.close(asking(values), `${other}${end}`),
        ])
          assert.equal(reply.attempt.outcome, 'refused')
        assert.equal(type.refOf(asking(values).values, new URL(urlOf(other))), null)
        assert.equal(type.refOf(asking(values).values, new URL(urlOf(place))), `${place}${end}`)
      }
      assert.deepEqual(calls, [])
      const more = { morePlaces: `X, ${other}` }
      await type.read(asking(more), `${other}${end}`)
      assert.equal(calls.length, 1)
      assert.equal(type.refOf(asking(more).values, new URL(urlOf(other))), `${other}${end}`)
    })

  it('tells nothing of an issue that was moved elsewhere', async () => {
    const body = JSON.stringify({ key: 'HR-9', fields: { summary: 'Salaries', status: null, updated: null } })
    const calls: string[] = []
    const asked = {
      values: { server: 'https://git.example.com', place: 'SHOP', token: TRACKER_TOKEN },
      call: async ({ method }: { readonly method: string }) => {
        calls.push(method)
        return { isAnswered: true as const, status: 200, retryAfterMs: null, body }
      },
    }
    assert.equal((await TRACKER_TYPES.jira.read(asked, 'SHOP-1')).remote, 'missing')
    assert.equal((await TRACKER_TYPES.jira.close(asked, 'SHOP-1')).remote, 'missing')
    assert.deepEqual(calls, ['GET', 'GET'])
  })
})

describe('a server that calls nobody', () => {
  it('creates and closes nothing, and says so', async () => {
    const asked = askTracker(
      { call: sendNothing(manualClock(NOW)).call, version: '1' },
      { values: { place: 'acme/shop' } },
      new AbortController().signal,
    )
    const { attempt, remote } = await TRACKER_TYPES.github.close(asked, 'acme/shop#1')
    assert.deepEqual([attempt.outcome, remote], ['refused', undefined])
    assert.match(attempt.says, /sends nothing/)
  })

  it('answers for the tracker of the sample itself, whose issues are opened, read and closed', async () => {
    const values = { server: 'https://git.marlowfinch.example', place: 'shop/storefront', token: 'x' }
    const ways = { call: sendNothing(manualClock(NOW)).call, version: '1' }
    const asked = askTracker(ways, { values }, new AbortController().signal)
    const { gitea } = TRACKER_TYPES
    const { remote } = await gitea.create(asked, { place: values.place, title: 'It fails', markdown: '' })
    assert.ok(remote !== undefined && remote !== 'missing')
    assert.deepEqual([remote.title, remote.state], ['It fails', 'open'])
    assert.match(remote.url, /^https:\/\/git\.marlowfinch\.example\/shop\/storefront\/issues\/\d+$/)
    await gitea.close(asked, remote.ref)
    const read = await gitea.read(asked, remote.ref)
    assert.ok(read.remote !== 'missing' && read.remote?.state === 'closed')
    assert.equal((await gitea.read(asked, 'shop/storefront#1')).remote, 'missing')
  })
})

describe('Markdown in Jira', () => {
  it('keeps blocks as they are, and lets nothing in them end the block', () => {
    const text = '````\n{noformat}\n```\n# no heading\n````\n# A `b` [c] {d}!'
    const expected = '{noformat}\n{no format}\n```\n# no heading\n{noformat}\nh1. A b \\[c\\] \\{d\\}\\!'
    assert.equal(jiraMarkup(text), expected)
  })
})
