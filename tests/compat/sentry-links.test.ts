/** Links as Sentry spells them lead to the same thing here; variables that are no setting are told. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { apiGet } from '../support/api.ts'
import { type Person, person, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

describe('links as Sentry spells them', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let rosa: Person
  let event = ''
  let issue = ''
  before(async () => {
    running = await startShop({ env: { ERRATA_PROT: '9000' } })
    rosa = await signIn(running.url, OWNER)
    event = await send(running.shop.dsn, anEvent({ message: 'boom' }))
    await waitFor('the issue', async () => {
      const list = await apiGet<readonly { id: string }[]>(
        running.shop,
        '/organizations/shop/issues/?limit=1',
      )
      issue = list[0]?.id ?? ''
      return issue !== ''
    })
  })
  after(() => running?.[Symbol.asyncDispose]())

  it('lead to the page of the same thing', async () => {
    for (const [from, to] of [
      [`/organizations/shop/issues/${issue}/`, `/shop/issues/${issue}`],
      [`/organizations/shop/issues/${issue}/events/${event}/`, `/shop/issues/${issue}/events/${event}`],
      [
        '/organizations/shop/issues/?query=is%3Aunresolved&statsPeriod=14d',
        '/shop/issues?query=is%3Aunresolved&range=14d',
      ],
      [`/shop/web/issues/${issue}/`, `/shop/issues/${issue}`],
      [`/shop/web/issues/${issue}/events/${event}/`, `/shop/issues/${issue}/events/${event}`],
      ['/organizations/shop/alerts/rules/web/7/details/', '/shop/alerts'],
      ['/organizations/shop/alerts/rules/details/7/', '/shop/alerts'],
      [
        '/organizations/shop/performance/summary/?transaction=GET+%2Fcart&project=1',
        '/shop/performance?text=%2Fcart',
      ],
      ['/settings/account/api/auth-tokens/', '/account'],
      ['/organizations/shop/releases/shop%401.0.0/', '/shop/releases/shop%401.0.0'],
      ['/organizations/shop/projects/web/', '/shop/issues?project=web'],
      ['/settings/shop/projects/web/keys/', '/shop/projects/web/settings/keys'],
      ['/settings/shop/auth-tokens/', '/shop/settings/tokens'],
      [`/issues/${issue}/`, `/shop/issues/${issue}`],
      [`/issues/${issue}/events/${event}/`, `/shop/issues/${issue}/events/${event}`],
      ['/organizations/shop/discover/results/?query=boom', '/shop/issues?query=boom'],
      ['/organizations/shop/explore/traces/', '/shop/traces'],
      ['/organizations/shop/insights/backend/', '/shop/performance'],
      ['/organizations/shop/projects/new/', '/shop/projects/new'],
      ['/settings/shop/projects/web/filters/data-filters/', '/shop/projects/web/settings/filters'],
      ['/settings/shop/projects/web/issue-grouping/', '/shop/projects/web/settings/grouping'],
      ['/settings/shop/integrations/slack/', '/shop/alerts/channels'],
      ['/settings/account/security/', '/account/security'],
      ['/orgredirect/organizations/:orgslug/settings/auth-tokens/', '/shop/settings/tokens'],
    ] as const) {
      const answer = await rosa.document(from)
      assert.deepEqual([answer.status, answer.headers.get('location')], [302, to], from)
      assert.equal((await rosa.document(to)).status, 200, to)
    }
    assert.equal((await rosa.document('/organizations/shop/nothing/')).status, 404)
    const gone = await rosa.document('/issues/987654/')
    assert.equal(gone.headers.get('location'), '/shop/issues/987654')
    const stranger = await person(running.url, null).document(`/issues/${issue}/`)
    assert.equal(stranger.headers.get('location'), `/sign-in?next=${encodeURIComponent(`/issues/${issue}/`)}`)
    const trace = '9ec79c33ec9942ab8353589fcb2e04dc'
    for (const from of ['discover/trace', 'explore/traces/trace', 'performance/trace', 'issues/trace']) {
      const answer = await rosa.document(`/organizations/shop/${from}/${trace}/`)
      assert.equal(answer.headers.get('location'), `/shop/traces/${trace}`, from)
    }
  })

  it('have the call behind Sentry’s “Unminify code”: what a frame lacks to be resolved', async () => {
    const frames = [
      { filename: 'https://shop.example/late.js', function: 'go', lineno: 1, colno: 9, in_app: true },
    ]
    const values = [{ type: 'TypeError', value: 'no', stacktrace: { frames } }]
    const id = await send(
      running.shop.dsn,
      anEvent({ message: 'no', more: { platform: 'javascript', release: undefined, exception: { values } } }),
    )
    const path = `/projects/shop/web/events/${id}/source-map-debug/`
    type Found = { readonly errors: readonly { readonly type: string }[] }
    const of = async (query: string) => apiGet<Found>(running.shop, `${path}${query}`)
    await waitFor('the event', async () => (await rosa.api('GET', path)).status === 200)
    assert.deepEqual(
      (await of('?exception_idx=0&frame_idx=0')).errors.map(({ type }) => type),
      ['no_release_on_event'],
    )
    assert.deepEqual(await of('?frame_idx=7'), { errors: [] })
    assert.equal((await rosa.api('GET', `${path}?frame_idx=x`)).status, 400)
  })

  it('tells of variables that are no setting', () => {
    assert.match(running.output(), /Unknown settings, ignored: ERRATA_PROT$/m)
  })
})
