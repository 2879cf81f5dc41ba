/** The palette: everything with a name is found by typing, by who may read it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { acceptedErrors } from '../support/api.ts'
import { type Person, resultOf, signIn } from '../support/person.ts'
import { sendRequests } from '../support/requests.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

interface Found {
  readonly targets: readonly { readonly path: string }[]
  readonly groups: readonly {
    readonly name: string
    readonly entries: readonly { readonly text: string; readonly path: string }[]
  }[]
  readonly creations: readonly { readonly text: string }[]
  readonly pages: readonly { readonly path: string }[]
  readonly assignees: readonly { readonly to: string; readonly name: string; readonly why: string }[]
}

const FILE = 'src/components/OrderTable.tsx'
const FRAME = { filename: FILE, abs_path: `/app/${FILE}`, function: 'OrderTable', lineno: 7, in_app: true }
const OVER_100 = new URLSearchParams({ query: 'is:unresolved users:>100' })
const IN_FILE = new URLSearchParams({ query: `stack.filename:${FILE}` })
/** More than are suggested at once. */
const OTHER_ROUTES = 25

describe('the palette', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let rosa: Person
  before(async () => {
    running = await startShop()
    rosa = await signIn(running.url, OWNER)
    await rosa.act('team.create', '/shop/settings/teams', { name: 'Night shift' })
    const more = { release: 'shop@4.7.1', user: { email: 'zoe@visitor.example' } }
    const stack = { type: 'NamedError', value: 'found by name', stacktrace: { frames: [FRAME] } }
    const mine = { name: 'Über 100 people', query: 'is:unresolved users:>100', sort: 'date' }
    await resultOf(await rosa.act('search.save', '/shop/issues', mine))
    await send(
      running.shop.dsn,
      anEvent({ message: stack.value, more: { ...more, exception: { values: [stack] } } }),
    )
    const oftener = Array.from({ length: 2 * OTHER_ROUTES }, (_, at) => `/part-${at % OTHER_ROUTES}`)
    await sendRequests(
      running.shop.dsn,
      [...oftener, '/checkout'].map((route) => ({ route, ms: 20 })),
    )
    await waitFor('the event', async () => (await acceptedErrors(running.shop)) === 1)
  })
  after(() => running?.[Symbol.asyncDispose]())

  const ask = async (text: string, more: Readonly<Record<string, string>> = {}): Promise<Found> => {
    const answer = await rosa.script(`/palette?${new URLSearchParams({ org: 'shop', q: text, ...more })}`)
    assert.equal(answer.status, 200)
    return answer.json()
  }
  const inGroup = ({ groups }: Found, name: string) =>
    groups.find((group) => group.name === name)?.entries ?? []

  for (const [text, group, entry, path] of [
    ['4.7', 'Releases', 'shop@4.7.1', '/shop/releases/shop%404.7.1'],
    ['zoe@', 'Affected users', 'zoe@visitor.example', '/shop/people/email%3Azoe%40visitor.example'],
    ['night', 'Teams', 'Night shift', '/shop/settings/teams?query=night-shift'],
    ['named found', 'Issues', 'NamedError: found by name', '/shop/issues/WEB-1'],
    ['sample rate', 'Settings', 'Sample rate: web', '/shop/projects/web/settings/retention'],
    ['openid', 'Settings', 'OpenID Connect: organisation', '/shop/settings/sign-in'],
    ['sso', 'Settings', 'OpenID Connect: organisation', '/shop/settings/sign-in'],
    ['dark mode', 'Settings', 'Theme: account', '/account/theme'],
    ['2fa', 'Settings', 'Two-factor authentication: account', '/account/security'],
    ['time zone', 'Settings', 'Quiet hours: time zone: account', '/account/alerts'],
    ['source maps', 'Settings', 'Uploads: web', '/shop/projects/web/settings/source-maps'],
    ['uber 100', 'Saved searches', 'Über 100 people', `/shop/issues?${OVER_100}`],
    ['prod', 'Environments', 'production', '/shop/issues?environment=production'],
    ['NIGTH', 'Teams', 'Night shift', '/shop/settings/teams?query=night-shift'],
    ['qiuet hours', 'Settings', 'Quiet hours: account', '/account/alerts'],
    ['web setitngs', 'Projects', 'web: settings', '/shop/projects/web/settings'],
    ['rétention of spans', 'Settings', 'Retention of spans: web', '/shop/projects/web/settings/retention'],
    ['alert on night', 'Teams', 'Night shift', '/shop/settings/teams?query=night-shift'],
    ['eckou', 'Routes', '/checkout', '/shop/performance?text=%2Fcheckout'],
    ['/chekcout', 'Routes', '/checkout', '/shop/performance?text=%2Fcheckout'],
    ['ordertable', 'Files in stacks', 'src/components/OrderTable.tsx', `/shop/issues?${IN_FILE}`],
  ] as const)
    it(`finds ${entry} by “${text}”`, async () => {
      const found = await waitFor(entry, async () => {
        const entries = inGroup(await ask(text), group)
        return entries.find((each) => each.text === entry)
      })
      assert.equal(found?.path, path)
    })

  it('says what can be made, and whom an issue may be assigned to', async () => {
    const { creations } = await ask('new rule')
    assert.deepEqual(
      creations.map(({ text }) => text),
      ['New alert rule on issues', 'New alert rule on a metric'],
    )
    const { assignees } = await ask('assign to rosa')
    assert.equal(assignees.length, 1)
    assert.match(assignees[0]?.name ?? '', /rosa/i)
    assert.deepEqual((await ask('rosa')).assignees, [], 'a name alone leads to who it is')
    assert.deepEqual((await ask('assign to nobody at all')).assignees, [])
  })

  it('offers everybody behind “assign” alone, and who is likely first for the open issue', async () => {
    const rules = `path:*OrderTable.tsx ${OWNER.email}`
    await resultOf(
      await rosa.act('project.ownership', '/shop/projects/web/settings/ownership', { rules, codeOwners: '' }),
    )
    for (const text of ['assign', 'assign to', 'Assign to '])
      assert.deepEqual(
        (await ask(text)).assignees.map(({ to, why }) => [to.startsWith('team-'), why]),
        [
          [false, ''],
          [true, ''],
        ],
        text,
      )
    const { assignees: open } = await ask('assign', { issue: 'WEB-1' })
    assert.deepEqual(
      open.map(({ name, why }) => [name, why]),
      [
        [OWNER.email, 'owner'],
        ['Shop', ''],
      ],
      'once, the likely one first, then teams of the project',
    )
    assert.deepEqual((await ask('assign to night', { issue: 'WEB-1' })).assignees, [])
  })

  it('names pages that are no places', async () => {
    assert.deepEqual(
      (await ask('lcp')).pages.map(({ path }) => path),
      ['/shop/performance/vitals'],
    )
    assert.deepEqual((await ask('')).pages, [])
  })

  it('names places that are nearly what was typed, and none beside what has the text itself', async () => {
    const pathsFor = async (text: string) => (await ask(text)).pages.map(({ path }) => path)
    assert.deepEqual(await pathsFor('relaeses'), ['/shop/releases'])
    assert.deepEqual(await pathsFor('releases'), [], 'the browser has it itself')
    assert.deepEqual(await pathsFor('night'), [])
    const [most, more] = [`${'relaeses '.repeat(11)}r`, `${'relaeses '.repeat(11)}re`]
    assert.deepEqual([most.length, await pathsFor(most)], [100, ['/shop/releases']])
    assert.deepEqual([more.length, await pathsFor(more)], [101, []], 'that is pasted, not typed')
  })

  for (const text of [
    'erase zoe@',
    'forget zoe@',
    'remove data of zoe@',
    'export zoe@',
    'delete all data of zoe@',
  ])
    it(`offers the deletion of a person first by “${text}”`, async () => {
      const [first] = inGroup(await ask(text), 'Affected users')
      assert.equal(first?.text, 'Export or delete data of zoe@visitor.example…')
    })

  it('leads to what a release made worse, however it is asked for', async () => {
    for (const text of ['what got slower', 'regressions', 'slower since yesterday'])
      assert.deepEqual(
        (await ask(text)).pages.map(({ path }) => path),
        ['/shop/releases'],
        text,
      )
  })

  it('takes the address of a page, and ids that were torn apart', async () => {
    const [event] = (await (await rosa.api('GET', '/projects/shop/web/events/')).json()) as [
      { eventID: string },
    ]
    const torn = event.eventID.replace(/(.{8})/g, '$1 ')
    for (const [text, expected] of [
      [
        `${running.url}/shop/issues/WEB-1?tab=1#trend`,
        ['/shop/issues/WEB-1?tab=1#trend', '/shop/issues/WEB-1'],
      ],
      ['https://sentry.example/organizations/shop/issues/WEB-1/', ['/shop/issues/WEB-1']],
      [`${running.url}/shop/performance`, ['/shop/performance']],
      ['https://elsewhere.example/shop/performance', []],
      [`${running.url}//elsewhere.example/shop`, []],
      [`${running.url}/\\\\elsewhere.example/shop`, []],
      [`${running.url}/shop//issues`, ['/shop//issues']],
      [`https://sentry.example/${'no-1/'.repeat(3)}WEB-1/`, ['/shop/issues/WEB-1']],
      [`https://sentry.example/${'no-1/'.repeat(4)}WEB-1/`, []],
      [torn, [`/shop/issues/WEB-1/events/${event.eventID}`]],
      [`  ${event.eventID}  `, [`/shop/issues/WEB-1/events/${event.eventID}`]],
    ] as const)
      assert.deepEqual(
        (await ask(text)).targets.map(({ path }) => path),
        expected,
        text,
      )
  })

  it('takes any text for a text', async () => {
    for (const text of ['"', '%', '\\', '*', 'a'.repeat(3_000), "x' OR 1=1", '<b>', 'kind:*', '\u0000'])
      await ask(text)
  })
})
