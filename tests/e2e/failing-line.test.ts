/** Issues of every SDK on a phone, and the worst an event can bring: the failing line stands on the first two screens. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ApiEvent, apiGet, issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Captured, capturedPayloads, eventOf } from '../support/captured.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PHONE = { width: 390, height: 844 }
const TWO_SCREENS = 2 * PHONE.height

interface Named {
  readonly name: string
  readonly id: string
  /** Text of the marked line, or of the first frame that is seen. */
  readonly says: RegExp
}

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')

function frame(name: string, more: object = {}) {
  return { function: name, filename: `app/${name}.py`, lineno: 17, in_app: true, ...more }
}

const source = {
  pre_context: Array(5).fill('    count += 1'),
  context_line: '    raise Failed(count)',
  post_context: Array(5).fill('    count -= 1'),
}
const library = { filename: 'site-packages/lib/pool.py', in_app: false, ...source }

function exception(type: string, value: string, frames: readonly object[], more: object = {}) {
  return { type, value, stacktrace: { frames }, ...more }
}

const unlined = Array.from({ length: 40 }, (_, at) => `${at},`).join('\n')
const tags = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`tag-${at}`, words(6)]))
const members = Array.from({ length: 8 }, (_, at) => {
  const mechanism = { type: 'generic', handled: true, exception_id: at + 1, parent_id: 0 }
  return exception('TypeError', words(60), [frame(`member${at}`, source)], { mechanism })
})

/** Events that put as much as they can above the failing line. */
const WORST = [
  {
    name: 'a chain whose outer exceptions passed it on from libraries',
    says: /raise Failed/,
    event: {
      platform: 'python',
      exception: {
        values: [
          exception('KeyError', words(200), [frame('place_order', source)]),
          ...Array.from({ length: 6 }, (_, at) =>
            exception(`Wrapped${at}`, words(200), [frame(`pass${at}`, library)]),
          ),
          exception('OrderFailed', words(400), [frame('respond', library), frame('call', library)]),
        ],
      },
      tags,
    },
  },
  {
    name: 'a message of many short lines',
    says: /raise Failed/,
    event: { exception: { values: [exception('ListError', unlined, [frame('list_all', source)])] }, tags },
  },
  {
    name: 'a message beside its template, and an exception',
    says: /raise Failed/,
    event: {
      logentry: { message: `%s ${words(300)}`, formatted: words(300), params: ['a'] },
      exception: { values: [exception('LogError', words(300), [frame('log_all', source)])] },
    },
  },
  {
    name: 'a group whose members hold the frames',
    says: /raise Failed/,
    event: {
      exception: {
        values: [
          ...members.reverse(),
          exception('ExceptionGroup', words(120), [], {
            mechanism: { type: 'generic', handled: false, exception_id: 0, is_exception_group: true },
          }),
        ],
      },
    },
  },
  {
    name: 'frames without source behind thirty threads',
    says: /Orders\.java:17/,
    event: {
      platform: 'java',
      exception: undefined,
      message: 'the orders thread has ended',
      threads: {
        values: Array.from({ length: 30 }, (_, id) => ({
          ...{ id, name: `pool-${id}`, state: 'TIMED_WAITING', crashed: id === 29 },
          stacktrace: { frames: [frame(`run${id}`, { filename: id === 29 ? 'Orders.java' : 'Pool.java' })] },
        })),
      },
    },
  },
  {
    name: 'compiled code without symbols',
    says: /^0x55d0c1 \/opt\/till/,
    event: {
      platform: 'native',
      exception: {
        values: [
          exception('SIGSEGV', words(100), [
            { instruction_addr: '0x55d0c1', package: '/opt/till/bin/till', in_app: true },
          ]),
        ],
      },
    },
  },
] as const

/** Place of the first marked line that can be seen, else of the first open frame that names its own. */
function failingPlace() {
  const isShown = (element: Element) => element.checkVisibility()
  const line = [...document.querySelectorAll('main .code-line-marked')].find(isShown)
  const summaries = [...document.querySelectorAll('main details[open] > summary')]
  const frames = summaries.filter((one) => one.querySelector('code > span:nth-of-type(2)') !== null)
  const found = line ?? frames.find((one) => isShown(one) && /:\d|0x/.test(one.textContent ?? ''))
  if (found === undefined) return null
  const text = found.querySelector('code')?.textContent ?? ''
  return { text: text.trim(), bottom: Math.round(found.getBoundingClientRect().bottom + scrollY) }
}

describe('the failing line on a phone', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let rosa: Person
  let screen: Screen
  const sent: Named[] = []

  before(async () => {
    running = await startShop()
    shop = running.shop
    for (const payload of capturedPayloads().filter(hasStack)) {
      const own = { event_id: randomUUID().replaceAll('-', ''), timestamp: Date.now() / 1_000 }
      const more = { exception: undefined, ...eventOf(payload), ...own }
      const id = await send(shop.dsn, anEvent({ message: '', more }))
      sent.push({ name: `${payload.name} of ${payload.origin}`, id, says: /./ })
    }
    for (const { name, says, event } of WORST) {
      const more = { fingerprint: [name], ...event }
      sent.push({ name, says, id: await send(shop.dsn, anEvent({ message: 'failed', more })) })
    }
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie, viewport: PHONE, hasTouch: true })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('ends within 1,688 px of the top, for every SDK and the worst of events', async () => {
    assert.ok(sent.length >= WORST.length + 25, `${sent.length} events`)
    const far: string[] = []
    for (const { name, id, says } of sent) {
      const { groupID } = await waitFor(name, () => eventWith(shop, id))
      const issue = (await issues(shop)).find((one) => one.id === groupID)
      await screen.open(`/shop/issues/${issue?.shortId}/events/${id}`)
      const place = await screen.page.evaluate(failingPlace)
      if (place === null || place.bottom > TWO_SCREENS || !says.test(place.text))
        far.push(`${name}: ${JSON.stringify(place)}`)
    }
    assert.deepEqual(far, [])
    screen.assertQuiet()
  })

  it('leaves a long message to be read whole', async () => {
    const { page } = screen
    const list = page.getByRole('region', { name: 'Exception' })
    const { id } = sent.find(({ name }) => name === 'a message of many short lines') ?? assert.fail()
    const { groupID } = (await eventWith(shop, id)) ?? assert.fail()
    await screen.open(`/shop/issues/${groupID}/events/${id}`)
    await list.getByText('39,').waitFor({ state: 'hidden' })
    await list.getByText('Whole message', { exact: true }).click()
    await list.getByText('39,').waitFor()
    assert.ok(((await list.getByRole('heading', { level: 3 }).boundingBox())?.height ?? 0) > 800)
    screen.assertQuiet()
  })
})

/** `null` until it is stored. */
async function eventWith(shop: SetUp, id: string): Promise<ApiEvent | null> {
  const path = `/projects/${shop.organisation}/${shop.project}/events/${id}/`
  const headers = { authorization: `Bearer ${shop.token}` }
  const { status, ok } = await fetch(`${shop.url}/api/0${path}`, { headers })
  assert.ok(ok || status === 404, `${path} answered ${status}`)
  return ok ? apiGet<ApiEvent>(shop, path) : null
}

/** Messages of a log have no line that failed. */
function hasStack(payload: Captured): boolean {
  const { exception, threads, stacktrace } = eventOf(payload)
  return /"frames":\[\{/.test(JSON.stringify([exception, threads, stacktrace]))
}
