/** The browser's entry: takes over the document that the server sent. */
import '#ui/app.css'
import './frame.css'
import './rail.css'
import { type ComponentType, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { PageState } from '#wire/answers.ts'
import { withBasePath, withoutBase } from '#wire/base-path.ts'
import { BrowserRouter } from '#wire/browser-router.ts'
import { PageClient } from '#wire/client.ts'
import { endEarlyInput } from '#wire/early-input.ts'
import { ROOT_ELEMENT, STATE_ELEMENT } from '#wire/names.ts'
import { matchedPattern, pageAt } from '#wire/page-at.ts'
import { placedWindow } from '#wire/placed-window.ts'
import { startReporter } from '#wire/reporter.ts'
import type { PageRoute } from '#wire/route.ts'
import { RouterView } from '#wire/router.ts'
import { keepScroll } from '#wire/scroll.ts'
import { WireContext } from '#wire/wire-context.ts'
import { frameParts } from './frame-parts.ts'
import { pages } from './pages.ts'

void start()

async function start(): Promise<void> {
  const root = document.getElementById(ROOT_ELEMENT)
  const stateText = document.getElementById(STATE_ELEMENT)?.textContent
  if (root === null || !stateText) return void endEarlyInput() // an error page: nothing to take over
  const state: PageState = JSON.parse(stateText)
  const reporter = startReporter(state, { patternOf: (path) => matchedPattern(pages, withoutBase(path)) })
  const client = new PageClient({
    build: state.build,
    fetch: reporter.noting((input, init) => window.fetch(placedInput(input), init)),
    storage: window.sessionStorage,
    openDocument: (path) => window.location.assign(withBasePath(path)),
    now: () => performance.now(),
    trace: () => reporter.trace(),
  })
  const page = pageAt(pages, withoutBase(window.location.pathname))
  if (page === null) return void endEarlyInput()
  const View = await loadView(page, client)
  const router = new BrowserRouter({
    ...{ pages, state, client, window: placedWindow(window) },
    first: { page, View },
    loadView: (other) => loadView(other, client),
  })
  router.subscribe(({ goingTo }) => reporter.going(goingTo !== null))
  const preloadView = (path: string) => {
    // A script that cannot be loaded now is asked for again, and then missed, by the navigation itself.
    pageAt(pages, new URL(path, window.location.href).pathname)
      ?.view()
      .catch(() => {})
  }
  const wire = {
    client,
    form: state.form,
    preloadView,
    arrived: keepScroll(router, window.sessionStorage),
    reporter,
  }
  // In slices, between which the browser answers: an issue page at once holds up a slow processor for more than a second.
  startTransition(() => {
    hydrateRoot(
      root,
      <WireContext value={wire}>
        <RouterView router={router} frame={frameParts} />
      </WireContext>,
      {
        onCaughtError: (error) => reporter.capture(error),
        onUncaughtError: (error) => reporter.capture(error),
        onRecoverableError: (error) => {
          // React would call `reportError`, which the reporter hears as well.
          console.error(error)
          reporter.capture(error)
        },
      },
    )
  })
}

function placedInput(input: RequestInfo | URL): RequestInfo | URL {
  return typeof input === 'string' ? withBasePath(input) : input
}

/** A script of this build that is gone means that the server has another one: the page is loaded anew, once. */
async function loadView(page: PageRoute, client: PageClient): Promise<ComponentType> {
  try {
    return await page.view()
  } catch (error) {
    const { pathname, search } = window.location
    if (!client.reloadWithoutScript(`${withoutBase(pathname)}${search}`)) throw error
    return new Promise(() => {}) // the document that comes ends this one
  }
}
