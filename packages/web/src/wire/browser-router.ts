/**
 * The router of the hydrated app: a navigation asks the server once for the page's data, and the page that is shown
 * stays until the next one is complete. Why it is no library: docs/decisions/010-weight.md.
 */
import type { ComponentType } from 'react'
import type { PageAnswer, PageData, PageState } from './answers.ts'
import type { PageClient } from './client.ts'
import { asFailure, ServerFailure } from './failures.ts'
import { FRAME } from './names.ts'
import { pageAt } from './page-at.ts'
import type { PageRoute } from './route.ts'
import type { NavigateOptions, PageLocation, Router, RouterState, Shown } from './router.ts'

/** Part of a window that the router needs. */
export interface Browser {
  readonly location: Pick<Location, 'pathname' | 'search' | 'hash' | 'origin' | 'href'> & {
    assign(address: string): void
  }
  readonly history: {
    readonly state: unknown
    pushState(state: unknown, unused: string, path: string): void
    replaceState(state: unknown, unused: string, path: string): void
  }
  addEventListener(name: 'popstate', listener: () => void): void
}

export interface BrowserRouterParts {
  readonly pages: readonly PageRoute[]
  readonly state: PageState
  /** Page that the state belongs to, and its view. */
  readonly first: { readonly page: PageRoute; readonly View: ComponentType }
  readonly loadView: (page: PageRoute) => Promise<ComponentType>
  readonly client: Pick<PageClient, 'page' | 'reloadWithoutScript'>
  readonly window: Browser
}

interface Target {
  readonly location: PageLocation
  /** Change of the history: `pop` has changed it already, `stay` asks anew for the current page. */
  readonly kind: 'push' | 'replace' | 'pop' | 'stay'
  readonly keepsScroll: boolean
  /** Redirects followed on the way. */
  readonly redirects: number
}

type Loaded = { readonly redirect: string } | Omit<Shown, 'location' | 'keepsScroll'>

/** Redirects followed, as many as browsers follow; beyond it the browser reports them itself. */
const REDIRECTS_MAX = 20

export class BrowserRouter implements Router {
  readonly #parts: BrowserRouterParts
  readonly #listeners = new Set<(state: RouterState) => void>()
  readonly #leaveListeners = new Set<(from: PageLocation) => void>()
  /** The frame's last data stays when an answer brings none. */
  #frameData: unknown
  #state: RouterState
  #going: { readonly target: Target; readonly abort: AbortController } | null = null

  constructor(parts: BrowserRouterParts) {
    this.#parts = parts
    const { state, first, window } = parts
    this.#frameData = state.data[FRAME] ?? null
    this.#state = {
      shown: {
        ...first,
        location: currentLocation(window),
        data: state.data,
        refusal: state.error === null ? null : { error: asFailure(state.error) },
        failure: null,
        keepsScroll: false,
      },
      goingTo: null,
      isRevalidating: false,
    }
    window.addEventListener('popstate', () => {
      void this.#go({ location: currentLocation(window), kind: 'pop', keepsScroll: false, redirects: 0 })
    })
  }

  get state(): RouterState {
    return this.#state
  }

  subscribe(listener: (state: RouterState) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls `listener` before another page takes the place of the one that is shown. */
  onLeave(listener: (from: PageLocation) => void): void {
    this.#leaveListeners.add(listener)
  }

  /** Resolves when the page is shown, or another navigation took over. */
  readonly navigate = (to: string, options: NavigateOptions = {}): Promise<void> => {
    const { replace = false, preventScrollReset = false } = options
    const kind = replace ? 'replace' : 'push'
    return this.#open(to, { kind, keepsScroll: preventScrollReset, redirects: 0 })
  }

  /** Asks anew for what is shown, or for what is being opened. */
  readonly revalidate = (): Promise<void> => {
    const { location } = this.#state.shown
    return this.#go(this.#going?.target ?? { location, kind: 'stay', keepsScroll: true, redirects: 0 })
  }

  #open(to: string, target: Omit<Target, 'location'>): Promise<void> {
    const { window } = this.#parts
    const url = new URL(to, window.location.href)
    if (url.origin !== window.location.origin || target.redirects > REDIRECTS_MAX) {
      window.location.assign(url.href)
      return Promise.resolve()
    }
    const { pathname, search, hash } = url
    return this.#go({ ...target, location: { pathname, search, hash, key: randomKey() } })
  }

  async #go(target: Target): Promise<void> {
    const isAlone = this.#going === null
    this.#going?.abort.abort()
    const abort = new AbortController()
    this.#going = { target, abort }
    const { shown } = this.#state
    const { location, kind } = target
    if (kind !== 'stay') for (const listener of this.#leaveListeners) listener(shown.location)
    if (kind !== 'stay' && isOtherPlaceOnPage(shown.location, location)) return this.#show(target, shown)
    if (kind === 'stay') this.#set({ isRevalidating: true })
    else this.#set({ goingTo: location })
    const loaded = await this.#load(target, isAlone, abort.signal)
    if (loaded === null || abort.signal.aborted) return
    if (!('redirect' in loaded)) return this.#show(target, loaded)
    await this.#open(loaded.redirect, {
      ...target,
      kind: kind === 'replace' ? 'replace' : 'push',
      redirects: target.redirects + 1,
    })
  }

  #show({ location, kind, keepsScroll }: Target, loaded: Omit<Shown, 'location' | 'keepsScroll'>): void {
    if (kind === 'push' || kind === 'replace') this.#write(`${kind}State`, location)
    this.#going = null
    this.#set({ shown: { ...loaded, location, keepsScroll }, goingTo: null, isRevalidating: false })
  }

  #write(change: 'pushState' | 'replaceState', { pathname, search, hash, key }: PageLocation): void {
    this.#parts.window.history[change]({ key }, '', `${pathname}${search}${hash}`)
  }

  /** `null`: given up. A part is enough where it is of what is shown, and nothing else was being asked for. */
  async #load({ location, kind }: Target, isAlone: boolean, signal: AbortSignal): Promise<Loaded | null> {
    const { pages, client, loadView } = this.#parts
    const path = `${location.pathname}${location.search}`
    const { shown } = this.#state
    const isShown = isAlone && kind === 'stay' && location === shown.location
    const ask = async () => {
      const answer = await client.page(path, signal)
      // The part is used up: this asks for the whole page.
      return 'part' in answer && !isShown ? client.page(path, signal) : answer
    }
    const page = pageAt(pages, location.pathname)
    if (page === null) throw new Error('the table of pages has no page for "*"')
    const [answered, view] = await Promise.allSettled([ask(), loadView(page)])
    if (signal.aborted) return null
    if (answered.status === 'rejected') return { ...NOTHING, page, failure: { error: answered.reason } }
    const answer = answered.value
    if ('redirect' in answer) return answer
    const loaded = this.#answered(page, answer)
    if (view.status === 'fulfilled') return { ...loaded, View: view.value }
    // Offline, neither comes: a document would be the browser's own error page.
    if ('error' in answer) return loaded
    // A script of this build that is gone means that the server has another one: the page is loaded anew, once.
    return client.reloadWithoutScript(path) ? null : { ...loaded, refusal: { error: view.reason } }
  }

  /** Failures concern everything; refusals are shown inside the frame. */
  #answered(page: PageRoute, answer: Exclude<PageAnswer, { redirect: string }>) {
    const data: PageData = {
      [FRAME]: this.#frameData,
      ...('part' in answer && withPart(this.#state.shown, answer.part)),
      ...('data' in answer && answer.data),
    }
    this.#frameData = data[FRAME]
    const error = 'error' in answer ? asFailure(answer.error) : null
    const isFailure = error instanceof ServerFailure
    return {
      ...NOTHING,
      page,
      data,
      refusal: error === null || isFailure ? null : { error },
      failure: isFailure ? { error } : null,
    }
  }

  #set(change: Partial<RouterState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener(this.#state)
  }
}

/** Shown data, with what changed of what the page's own loader answered. */
function withPart({ page: { id }, data }: Shown, part: PageData | undefined): PageData {
  return { ...data, [id]: Object.assign({}, data[id], part) }
}

const NOTHING = { View: () => null, data: {}, refusal: null, failure: null } as const

function currentLocation({ location, history }: Browser): PageLocation {
  const state: unknown = history.state
  const key = typeof state === 'object' && state !== null && 'key' in state ? String(state.key) : 'default'
  return { pathname: location.pathname, search: location.search, hash: location.hash, key }
}

/** A mark of the page that is shown, or its top: there is nothing to ask for. */
function isOtherPlaceOnPage(from: PageLocation, to: PageLocation): boolean {
  return from.pathname === to.pathname && from.search === to.search && to.hash !== ''
}

function randomKey(): string {
  return Math.random().toString(36).slice(2, 10)
}
