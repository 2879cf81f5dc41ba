/**
 * Queue for pages. Pages and API calls share the thread that accepts envelopes: a few run at a time, the
 * others wait in a queue that is fair between sessions, and beyond its bounds nobody waits. One that takes long waits
 * for a store, and gives its turn to another meanwhile: else four slow searches would stop everybody's pages.
 */
import { once } from '#base/once.ts'
import { max } from '#limits/limits.ts'

/** Sender of a page request, as far as it can be told without work. */
export interface PageAsker {
  readonly address: string
  /** Any text that stands for the session or token; `null` without one. */
  readonly session: string | null
}

export interface PageQueueBounds {
  readonly running: number
  readonly waiting: number
  readonly perAddress: number
  readonly perSession: number
  /** Pages that go on without a turn. */
  readonly slow: number
  readonly slowPerSession: number
}

/** Place of an admitted request. */
export interface PagePlace {
  /** Resolves when it is their turn; `false` when they left before. */
  readonly began: Promise<boolean>
  /**
   * Gives up the place of a client who went away; does nothing once its turn has begun, since work goes on.
   */
  giveUp(): void
  /** Runs what needs time but no turn of theirs: another begins meanwhile. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>
  /** Must be called when what they began is done; again is nothing. */
  leave(): void
}

export type PageRefusal = 'rate_limited' | 'overloaded'

interface Waiter extends PageAsker {
  readonly lane: string
  /** Its share of the turns: its own, none while it works aside, or none any more. */
  turn: 'held' | 'aside' | 'given'
  begin(hasTurn: boolean): void
}

export interface PageQueueOptions {
  readonly bounds?: PageQueueBounds
  /** Runs after the loop went round. */
  readonly soon?: (run: () => void) => void
  readonly patienceMs?: number
}

export class PageQueue {
  readonly #bounds: PageQueueBounds
  readonly #soon: (run: () => void) => void
  /** Running and waiting, by address and by session. */
  readonly #byAddress = new Map<string, number>()
  readonly #bySession = new Map<string, number>()
  /** Lanes, one per session or address without one, in their turn order. */
  readonly #lanes = new Map<string, Set<Waiter>>()
  /** Pages of each lane that go on without a turn. */
  readonly #slowOf = new Map<string, number>()
  readonly #patienceMs: number
  #slow = 0
  #running = 0
  #waiting = 0
  #isBeginning = false

  constructor({
    bounds = usualBounds(),
    soon = (run) => void setImmediate(run),
    patienceMs = max('pagePatienceMs'),
  }: PageQueueOptions = {}) {
    this.#bounds = bounds
    this.#soon = soon
    this.#patienceMs = patienceMs
  }

  /** A place, or why there is none. */
  enter({ address, session }: PageAsker): PagePlace | PageRefusal {
    const { waiting, perAddress, perSession } = this.#bounds
    if ((this.#byAddress.get(address) ?? 0) >= perAddress) return 'rate_limited'
    if (session !== null && (this.#bySession.get(session) ?? 0) >= perSession) return 'rate_limited'
    if (this.#waiting >= waiting) return 'overloaded'
    addCount(this.#byAddress, address, 1)
    if (session !== null) addCount(this.#bySession, session, 1)
    const place = this.#wait({ address, session })
    this.#beginSoon()
    return place
  }

  /** Returns whose pages a page of theirs waits for; `null` while none waits for its turn. */
  waitOf(asker: PageAsker): 'own' | 'others' | null {
    const lane = laneOf(asker)
    if (!this.#lanes.has(lane)) return null
    return (this.#slowOf.get(lane) ?? 0) >= this.#bounds.slowPerSession ? 'own' : 'others'
  }

  #wait({ address, session }: PageAsker): PagePlace {
    const lane = laneOf({ address, session })
    const { promise: began, resolve: begin } = Promise.withResolvers<boolean>()
    let patience: NodeJS.Timeout | undefined
    const waiter: Waiter = {
      ...{ address, session, lane, turn: 'held' },
      begin: (hasTurn) => {
        begin(hasTurn)
        if (hasTurn) patience = setTimeout(() => this.#goOnSlowly(waiter), this.#patienceMs).unref()
      },
    }
    const waiters = this.#lanes.get(lane)
    if (waiters === undefined) this.#lanes.set(lane, new Set([waiter]))
    else waiters.add(waiter)
    this.#waiting++
    return {
      began,
      giveUp: () => this.#giveUp(waiter),
      aside: (work) => this.#aside(waiter, work),
      leave: once(() => {
        clearTimeout(patience)
        this.#finish(waiter)
      }),
    }
  }

  /** Gives the turn of a page that takes long to another, unless too many go on so. */
  #goOnSlowly(waiter: Waiter): void {
    const { slow, slowPerSession } = this.#bounds
    const { lane, turn } = waiter
    if (turn !== 'held' || this.#slow >= slow || (this.#slowOf.get(lane) ?? 0) >= slowPerSession) return
    waiter.turn = 'given'
    this.#slow++
    addCount(this.#slowOf, lane, 1)
    this.#running--
    this.#beginSoon()
  }

  /** Works outside the place. A request that returns goes on at once: little is left by then. */
  async #aside<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
    if (waiter.turn !== 'held') return work()
    waiter.turn = 'aside'
    this.#running--
    this.#beginSoon()
    try {
      return await work()
    } finally {
      waiter.turn = 'held'
      this.#running++
    }
  }

  #giveUp(waiter: Waiter): void {
    const waiters = this.#lanes.get(waiter.lane)
    if (waiters?.delete(waiter) !== true) return
    if (waiters.size === 0) this.#lanes.delete(waiter.lane)
    this.#waiting--
    this.#forget(waiter)
    waiter.begin(false)
  }

  #finish(waiter: Waiter): void {
    if (waiter.turn === 'given') {
      this.#slow--
      addCount(this.#slowOf, waiter.lane, -1)
    } else {
      this.#running--
    }
    this.#forget(waiter)
    this.#beginSoon()
  }

  #forget({ address, session }: PageAsker): void {
    addCount(this.#byAddress, address, -1)
    if (session !== null) addCount(this.#bySession, session, -1)
  }

  /**
   * Begins one request in each turn of the event loop, so that envelopes come between cheap pages.
   */
  #beginSoon(): void {
    if (this.#isBeginning || this.#waiting === 0 || this.#running >= this.#bounds.running) return
    this.#isBeginning = true
    this.#soon(() => {
      this.#isBeginning = false
      if (this.#beginNext()) this.#beginSoon()
    })
  }

  /** Starts the first waiter of the next lane and moves that lane to the back (round robin); false if none may begin. */
  #beginNext(): boolean {
    for (const [lane, waiters] of this.#lanes) {
      if ((this.#slowOf.get(lane) ?? 0) >= this.#bounds.slowPerSession) continue
      this.#lanes.delete(lane)
      for (const waiter of waiters) {
        waiters.delete(waiter)
        if (waiters.size > 0) this.#lanes.set(lane, waiters)
        this.#waiting--
        this.#running++
        waiter.begin(true)
        return true
      }
    }
    return false
  }
}

function laneOf({ address, session }: PageAsker): string {
  return session === null ? `address ${address}` : `session ${session}`
}

/** Queue without waiting. */
export const NO_QUEUE: Pick<PageQueue, 'enter'> = {
  enter: () => ({ began: Promise.resolve(true), giveUp() {}, aside: (work) => work(), leave() {} }),
}

/** Queue of those who ask what their page waits for: beside that of the pages. */
export function queueOfWaits(): PageQueue {
  const waiting = max('waitsAskedMax')
  return new PageQueue({
    bounds: { waiting, running: 8, perAddress: 32, perSession: 2, slow: 0, slowPerSession: 1 },
  })
}

function usualBounds(): PageQueueBounds {
  return {
    running: max('pagesRunningMax'),
    waiting: max('pagesWaitingMax'),
    perAddress: max('pagesPerAddressMax'),
    perSession: max('pagesPerSessionMax'),
    slow: max('pagesSlowMax'),
    slowPerSession: max('pagesSlowPerSessionMax'),
  }
}

function addCount(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count <= 0) counts.delete(key)
  else counts.set(key, count)
}
