/**
 * Decides which receivers may be sent to now. A failure or a call that hangs holds up its own receiver only, and a receiver holds places of its own organisation only:
 *
 *     a pool (mail, letters, calls) ── organisations take turns ── receivers of one ── one call, or several once it answered
 *
 * A receiver that never answered has one call, and another when that has gone on for a while: one that hangs does not hold up
 * the next ones. A receiver that failed rests, longer each time; after the rest one delivery finds out whether it is back. All mail goes
 * through one server, which rests as a receiver does.
 */
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import type { Waiting } from '#ports/notices.ts'
import type { Attempt } from './channels/attempt.ts'

export type PoolName = 'mail' | 'letter' | 'call'

interface Pool {
  readonly atOnceMax: number
  readonly ofOrgMax: number
  readonly pagersMax: number
  readonly ofReceiverMax: number
  /** Server that all of it goes through. */
  readonly server: string | null
}

const MAIL_SERVER = 'the mail server'

function poolOf(name: PoolName): Pool {
  if (name === 'call') {
    const [atOnceMax, ofOrgMax] = [max('callsAtOnceMax'), max('callsOfOrgAtOnceMax')]
    const [pagersMax, ofReceiverMax] = [max('pagerCallsOfOrgAtOnceMax'), max('callsOfReceiverAtOnceMax')]
    return { atOnceMax, ofOrgMax, pagersMax, ofReceiverMax, server: null }
  }
  const [atOnceMax, ofOrgMax] =
    name === 'mail'
      ? [max('mailsAtOnceMax'), max('mailsOfOrgAtOnceMax')]
      : [max('lettersAtOnceMax'), max('lettersAtOnceMax')]
  return { atOnceMax, ofOrgMax, pagersMax: 0, ofReceiverMax: ofOrgMax, server: MAIL_SERVER }
}

/** State of a receiver, or of the mail server. */
interface Standing {
  underWay: number
  /** When the newest began, by the clock that never goes back. */
  begunMs: number
  /** Failures in a row. */
  failures: number
  /** By the clock that never goes back. */
  restsUntilMs: number
  hasAnswered: boolean
}

export interface Choice {
  readonly chosen: readonly Waiting[]
  /** Until something may begin that nothing under way holds up; `null`: nothing of that sort waits. */
  readonly waitMs: number | null
}

export class Places {
  readonly #clock: Clock
  readonly #standings = new Map<string, Standing>()
  /** Under way by pool, and by pool and organisation. */
  readonly #taken = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Chooses who gets a delivery now: pagers first, then organisations in turns, each its oldest first. */
  choose(name: PoolName, waiting: readonly Waiting[]): Choice {
    const turn = new Turn(name, this.#taken, this.#serverRoom(name))
    const nowMs = this.#clock.now()
    const due = waiting
      .filter((one) => one.dueMs <= nowMs && this.#room(name, one) > 0)
      .sort((one, other) => one.dueMs - other.dueMs)
    for (const isPager of [true, false]) turn.take(due.filter((one) => one.isPager === isPager))
    const waits = waiting.flatMap(({ receiver, dueMs }) => {
      const restMs = Math.max(dueMs - nowMs, this.#restMs(name, receiver), this.#patienceMs(name, receiver))
      return restMs > 0 ? [restMs] : []
    })
    return { chosen: turn.chosen, waitMs: waits.length === 0 ? null : Math.min(...waits) }
  }

  begin(name: PoolName, { receiver, orgId }: Pick<Waiting, 'receiver' | 'orgId'>): void {
    for (const key of [name, ofOrg(name, orgId)]) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1)
    for (const key of this.#keysOf(name, receiver)) {
      const standing = this.#standing(key)
      standing.underWay++
      standing.begunMs = this.#clock.elapsed()
    }
  }

  end(
    name: PoolName,
    { receiver, orgId }: Pick<Waiting, 'receiver' | 'orgId'>,
    attempt: Attempt | null,
  ): void {
    for (const key of [name, ofOrg(name, orgId)]) {
      const left = (this.#taken.get(key) ?? 1) - 1
      if (left > 0) this.#taken.set(key, left)
      else this.#taken.delete(key)
    }
    for (const key of this.#keysOf(name, receiver)) this.#standing(key).underWay--
    if (attempt !== null) this.#judge(name, receiver, attempt)
    this.#forgetSome()
  }

  #judge(name: PoolName, receiver: string, attempt: Attempt): void {
    if (attempt.outcome === 'failed' && attempt.isStopped === true) return
    const { server } = poolOf(name)
    const standing = this.#standing(server ?? receiver)
    const isAway = attempt.outcome === 'failed' && (server === null || attempt.isServerAway === true)
    if (!isAway) {
      Object.assign(standing, { failures: 0, restsUntilMs: 0, hasAnswered: true })
      return
    }
    const nowMs = this.#clock.elapsed()
    // Of several that failed together the first has said it.
    if (standing.restsUntilMs > nowMs) return
    standing.failures++
    const restMs = Math.min(
      max('noticeRestMs') * 2 ** Math.min(standing.failures - 1, 30),
      max('noticeRestMsMax'),
    )
    standing.restsUntilMs =
      nowMs + Math.max(restMs, Math.min(attempt.retryAfterMs ?? 0, max('noticeRestMsMax')))
  }

  #restMs(name: PoolName, receiver: string): number {
    const standing = this.#standings.get(poolOf(name).server ?? receiver)
    return standing === undefined ? 0 : standing.restsUntilMs - this.#clock.elapsed()
  }

  #room(name: PoolName, { receiver, orgId }: Pick<Waiting, 'receiver' | 'orgId'>): number {
    if (this.#restMs(name, receiver) > 0) return 0
    const { ofReceiverMax, ofOrgMax } = poolOf(name)
    const underWay = this.#standings.get(receiver)?.underWay ?? 0
    if (!this.#isUnproven(name, receiver)) return ofReceiverMax - underWay
    if (underWay === 0) return 1
    // What hangs may not take the places that other receivers of the organisation need.
    const isCrowded = (this.#taken.get(ofOrg(name, orgId)) ?? 0) >= ofOrgMax / 2
    return underWay < ofReceiverMax && !isCrowded && this.#patienceMs(name, receiver) <= 0 ? 1 : 0
  }

  #isUnproven(name: PoolName, receiver: string): boolean {
    const standing = this.#standings.get(receiver)
    return poolOf(name).server === null && (standing?.hasAnswered !== true || standing.failures > 0)
  }

  /** How much longer a call without an answer holds up the next to its receiver. */
  #patienceMs(name: PoolName, receiver: string): number {
    const standing = this.#standings.get(receiver)
    if (standing === undefined || standing.underWay === 0 || !this.#isUnproven(name, receiver)) return 0
    return standing.begunMs + max('noticePatienceMs') - this.#clock.elapsed()
  }

  /** After a rest of the mail server one mail alone finds out whether it is back. */
  #serverRoom(name: PoolName): number {
    const { server } = poolOf(name)
    const standing = server === null ? undefined : this.#standings.get(server)
    return standing === undefined || standing.failures === 0
      ? Number.POSITIVE_INFINITY
      : 1 - standing.underWay
  }

  #keysOf(name: PoolName, receiver: string): readonly string[] {
    const { server } = poolOf(name)
    return server === null ? [receiver] : [receiver, server]
  }

  #standing(key: string): Standing {
    const known = this.#standings.get(key)
    if (known !== undefined) return known
    const fresh = { underWay: 0, begunMs: 0, failures: 0, restsUntilMs: 0, hasAnswered: false }
    this.#standings.set(key, fresh)
    return fresh
  }

  /** The longest known go first, those that something is under way to apart. */
  #forgetSome(): void {
    for (const [key, { underWay }] of this.#standings) {
      if (this.#standings.size <= max('noticeReceiversKnownMax')) return
      if (underWay === 0) this.#standings.delete(key)
    }
  }
}

function ofOrg(name: PoolName, orgId: Waiting['orgId']): string {
  return `${name} of ${orgId ?? 'nobody'}`
}

/** Round of giving places away. */
class Turn {
  readonly chosen: Waiting[] = []
  readonly #name: PoolName
  readonly #pool: Pool
  readonly #taken: ReadonlyMap<string, number>
  /** That the mail server takes. */
  readonly #room: number
  readonly #ofOrg = new Map<string, number>()

  constructor(name: PoolName, taken: ReadonlyMap<string, number>, room: number) {
    this.#name = name
    this.#pool = poolOf(name)
    this.#taken = taken
    this.#room = room
  }

  /** Organisations with the least under way first; each round gives every one of them at most one place. */
  take(due: readonly Waiting[]): void {
    const queues = new Map<string, Waiting[]>()
    for (const one of due) {
      const key = ofOrg(this.#name, one.orgId)
      const queue = queues.get(key)
      if (queue === undefined) queues.set(key, [one])
      else queue.push(one)
    }
    let turns = [...queues].sort(([one], [other]) => this.#underWay(one) - this.#underWay(other))
    while (turns.length > 0)
      turns = turns.filter(([, queue]) => {
        const next = queue.shift()
        if (next === undefined || !this.#mayTake(next)) return false
        this.chosen.push(next)
        const org = ofOrg(this.#name, next.orgId)
        this.#ofOrg.set(org, (this.#ofOrg.get(org) ?? 0) + 1)
        return true
      })
  }

  #mayTake({ orgId, isPager }: Waiting): boolean {
    const { ofOrgMax, pagersMax, atOnceMax } = this.#pool
    const ofThisOrg = this.#underWay(ofOrg(this.#name, orgId))
    const all = (this.#taken.get(this.#name) ?? 0) + this.chosen.length
    const isOneBeyond = all >= atOnceMax && ofThisOrg > 0
    return ofThisOrg < ofOrgMax + (isPager ? pagersMax : 0) && !isOneBeyond && this.chosen.length < this.#room
  }

  #underWay(org: string): number {
    return (this.#taken.get(org) ?? 0) + (this.#ofOrg.get(org) ?? 0)
  }
}
