import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { PageAnswer } from './answers.ts'
import { BrowserRouter } from './browser-router.ts'
import { PageRefusal, ServerFailure, UNREACHABLE } from './failures.ts'
import { FRAME } from './names.ts'
import { pageRoute } from './route.ts'

const ORIGIN = 'http://errata.test'
const view = (name: string) => Object.assign(() => null, { displayName: name })
const VIEWS = { list: view('list'), issue: view('issue'), missing: view('missing') }
const page = (id: keyof typeof VIEWS, path: string) =>
  pageRoute({ id, docs: '', path, access: 'anyone', file: 'x.tsx', view: async () => VIEWS[id] })
const LIST = page('list', '/:org/issues')
const pages = [LIST, page('issue', '/:org/issues/:id'), page('missing', '*')]

/** A tab: its address, its history, and what the server answers. */
class Tab {
  readonly entries: { href: string; state: unknown }[] = [{ href: `${ORIGIN}/acme/issues`, state: null }]
  at = 0
  left: string[] = []
  asked: string[] = []
  /** Documents that were loaded for want of a script. */
  reloads = 0
  answers = new Map<string, PageAnswer | Promise<PageAnswer>>()
  #popped = () => {}

  get window() {
    const tab = this
    const location = {
      get href() {
        return tab.entries[tab.at]?.href ?? ''
      },
      get pathname() {
        return new URL(this.href).pathname
      },
      get search() {
        return new URL(this.href).search
      },
      get hash() {
        return new URL(this.href).hash
      },
      origin: ORIGIN,
      assign: (href: string) => void tab.left.push(href),
    }
    const history = {
      get state() {
        return tab.entries[tab.at]?.state
      },
      pushState(state: unknown, _: string, href: string) {
        tab.entries.splice(++tab.at, Number.POSITIVE_INFINITY, { href: new URL(href, ORIGIN).href, state })
      },
      replaceState(state: unknown, _: string, href: string) {
        tab.entries[tab.at] = { href: new URL(href, ORIGIN).href, state }
      },
    }
    const addEventListener = (_: string, listener: () => void) => {
      tab.#popped = listener
    }
    return { location, history, addEventListener } as unknown as Window // the parts of it that a router asks for
  }

  back(): void {
    this.at -= 1
    this.#popped()
  }
}

let tab: Tab
let router: BrowserRouter
const paths = () => tab.entries.map(({ href }) => href.slice(ORIGIN.length))
const shownPath = () => `${router.state.shown.location.pathname}${router.state.shown.location.search}`

beforeEach(() => {
  tab = new Tab()
  router = new BrowserRouter({
    pages,
    state: {
      ...{ build: 'b', form: null, report: null, error: null, traceId: '0'.repeat(32) },
      data: { [FRAME]: 'frame', list: 'first' },
    },
    first: { page: LIST, View: VIEWS.list },
    loadView: (route) => route.view(),
    client: {
      page: async (path, signal) => {
        tab.asked.push(path)
        const answer = await (tab.answers.get(path) ?? {
          data: { [FRAME]: 'newer', list: path, issue: path },
        })
        signal.throwIfAborted()
        return answer
      },
      reloadWithoutScript: () => ++tab.reloads === 1,
    },
    window: tab.window,
  })
})

describe('the router in a browser', () => {
  it('shows the next page when all of it is there, and writes the history then', async () => {
    const states: (string | null)[] = []
    router.subscribe(({ shown, goingTo }) => states.push(`${shown.page.id} > ${goingTo?.pathname ?? '-'}`))
    await router.navigate('/acme/issues/7?tab=1')
    assert.deepEqual(states, ['list > /acme/issues/7', 'issue > -'])
    const { View, data, refusal, failure } = router.state.shown
    assert.deepEqual([View, data.issue, data[FRAME]], [VIEWS.issue, '/acme/issues/7?tab=1', 'newer'])
    assert.deepEqual([refusal, failure], [null, null])
    assert.deepEqual(paths(), ['/acme/issues', '/acme/issues/7?tab=1'])
    await router.navigate('?tab=2', { replace: true })
    assert.deepEqual(paths(), ['/acme/issues', '/acme/issues/7?tab=2'])
  })

  it('keeps of the page what an action did not change', async () => {
    const whole = { rows: [1], searches: ['old'], problem: 'one' }
    tab.answers.set('/acme/issues', { data: { [FRAME]: 'frame', list: whole, unread: 'some' } })
    await router.revalidate()
    tab.answers.set('/acme/issues', {
      data: { [FRAME]: 'newer' },
      part: { searches: ['new'], problem: null },
    })
    await router.revalidate()
    const { data } = router.state.shown
    assert.deepEqual(data, {
      ...{ [FRAME]: 'newer', unread: 'some' },
      list: { rows: [1], searches: ['new'], problem: null },
    })
    tab.answers.set('/acme/issues', { data: { [FRAME]: 'newest', list: 'other' } })
    await router.revalidate()
    assert.deepEqual(router.state.shown.data, { [FRAME]: 'newest', list: 'other' })
  })

  it('asks for the whole page where a part comes while another page or a reload is under way', async () => {
    const part: PageAnswer = { data: {}, part: { searches: ['new'] } }
    const answering = (...answers: (PageAnswer | Promise<PageAnswer>)[]) => {
      tab.answers.get = (path) => (path === '/acme/issues' ? answers.shift() : undefined)
    }
    await router.navigate('/acme/issues/7')
    answering(new Promise(() => {}), part, { data: { list: 'whole' } })
    tab.back()
    await router.revalidate()
    assert.deepEqual([router.state.shown.page.id, router.state.shown.data.list], ['list', 'whole'])
    answering(new Promise(() => {}), part, { data: { list: 'fresh' } })
    void router.revalidate()
    await router.revalidate()
    assert.equal(router.state.shown.data.list, 'fresh')
  })

  it('goes back to the entry that the browser went to, under its own key', async () => {
    const first = router.state.shown.location.key
    await router.navigate('/acme/issues/7')
    assert.notEqual(router.state.shown.location.key, first)
    const left: string[] = []
    router.onLeave(({ pathname }) => left.push(pathname))
    const back = shows('/acme/issues')
    tab.back()
    await back
    assert.equal(router.state.shown.location.key, first)
    assert.deepEqual(left, ['/acme/issues/7'])
    assert.equal(paths().length, 2)
  })

  it('gives a navigation up for the next one', async () => {
    const slow = Promise.withResolvers<PageAnswer>()
    tab.answers.set('/acme/issues/1', slow.promise)
    const first = router.navigate('/acme/issues/1')
    await router.navigate('/acme/issues/2')
    slow.resolve({ data: { issue: 'late' } })
    await first
    assert.equal(shownPath(), '/acme/issues/2')
    assert.deepEqual(paths(), ['/acme/issues', '/acme/issues/2'])
  })

  it('asks anew for what is shown, and for what is being opened where something is', async () => {
    const states: boolean[] = []
    const stop = router.subscribe(({ isRevalidating }) => states.push(isRevalidating))
    await router.revalidate()
    stop()
    assert.deepEqual(states, [true, false])
    assert.deepEqual([tab.asked, paths()], [['/acme/issues'], ['/acme/issues']])
    const going = router.navigate('/acme/issues/1')
    await router.revalidate()
    await going
    assert.equal(shownPath(), '/acme/issues/1')
    assert.deepEqual(paths(), ['/acme/issues', '/acme/issues/1'])
  })

  it('asks nothing for another place on the same page', async () => {
    await router.navigate('#frames')
    assert.deepEqual([tab.asked, paths()], [[], ['/acme/issues', '/acme/issues#frames']])
    assert.equal(router.state.shown.data.list, 'first')
  })

  it('follows redirects, in the place of the page that redirected', async () => {
    tab.answers.set('/old', { redirect: '/acme/issues/3' })
    await router.navigate('/old')
    assert.deepEqual(paths(), ['/acme/issues', '/acme/issues/3'])
    await router.navigate('/old', { replace: true })
    assert.deepEqual(paths(), ['/acme/issues', '/acme/issues/3'])
  })

  it('leaves redirects to another site, and those without end, to the browser', async () => {
    tab.answers.set('/out', { redirect: 'https://else.test/x' })
    await router.navigate('/out')
    assert.deepEqual(tab.left, ['https://else.test/x'])
    tab.answers.set('/loop', { redirect: '/loop' })
    await router.navigate('/loop')
    assert.deepEqual(tab.left.slice(1), [`${ORIGIN}/loop`])
    assert.ok(tab.asked.length < 30)
  })

  it('shows a refusal inside the frame, which keeps its data, and a failure in place of everything', async () => {
    await router.navigate('/acme/issues/1')
    tab.answers.set('/acme/issues/2', { error: { code: 'not_found', message: 'There is no such issue.' } })
    await router.navigate('/acme/issues/2')
    const refused = router.state.shown
    assert.ok(refused.refusal?.error instanceof PageRefusal)
    assert.deepEqual([refused.failure, refused.data[FRAME], shownPath()], [null, 'newer', '/acme/issues/2'])
    tab.answers.set('/acme/issues/3', { error: { code: 'internal', message: 'It failed.', digest: '1' } })
    await router.navigate('/acme/issues/3')
    assert.ok(router.state.shown.failure?.error instanceof ServerFailure)
    await router.navigate('/acme/issues/1')
    assert.deepEqual([router.state.shown.refusal, router.state.shown.failure], [null, null])
  })

  describe('without the script of a page', () => {
    const lost = new Error('the script is gone')
    const broken = { ...page('issue', '/:org/broken'), view: async () => Promise.reject(lost) }
    beforeEach(() => void pages.push(broken))
    afterEach(() => void pages.pop())

    it('loads the document anew, and shows what kept the script away where that did not help', async () => {
      await router.navigate('/acme/broken')
      assert.deepEqual([router.state.shown.page, tab.reloads], [LIST, 1])
      await router.navigate('/acme/broken')
      assert.deepEqual([router.state.shown.refusal?.error, tab.reloads], [lost, 2])
    })

    it('says why nothing came where the server cannot be reached either', async () => {
      tab.answers.set('/acme/broken', { error: UNREACHABLE })
      await router.navigate('/acme/broken')
      const error = router.state.shown.refusal?.error
      assert.ok(error instanceof PageRefusal)
      assert.deepEqual([error.message, tab.reloads], [UNREACHABLE.message, 0])
    })
  })
})

/** Resolves when the page at `path` is shown. */
function shows(path: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = router.subscribe(({ shown, goingTo }) => {
      if (goingTo !== null || shown.location.pathname !== path) return
      stop()
      resolve()
    })
  })
}
