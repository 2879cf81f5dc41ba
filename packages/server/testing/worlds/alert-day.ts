/**
 * A day of a shop, from its first issue to the day after, and all that anybody is sent because of it: who, by which way, with
 * which words. Stores, rules, loops and texts are the product's; mail server and receivers are played here.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { AlertLoop } from '#alerts/alert-loop.ts'
import { manualClock } from '#base/clock.ts'
import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { createSend } from '#notices/deliver.ts'
import { letterWork } from '#notices/letters.ts'
import { messageWork } from '#notices/message-work.ts'
import { NoticeLoop } from '#notices/notice-loop.ts'
import { createSendMessage } from '#notices/send-message.ts'
import type { SendWays } from '#notices/send-ways.ts'
import { anActor } from '../builders/actor.ts'
import { aBatch } from '../builders/control-batch.ts'
import { eventIdOf } from '../builders/ids.ts'
import { anEvent, type EventShape } from '../builders/stored-event.ts'
import { NOW } from '../builders/times.ts'
import type { ControlFactory, ControlStores } from '../contract/control/stores.ts'
import { aControlWorld, addMember, type ControlWorld } from '../contract/control/world.ts'
import { ERRATA_URL, evenRandom } from '../notices/receivers.ts'

/** Something that reached somebody, or was refused by them. */
export interface Delivered {
  /** Since the day began, such as `01:00:30`; 36 hours are `36:00:00`. */
  readonly at: string
  readonly to: string
  readonly subject?: string
  readonly text?: string
  /** Body of a webhook of the documented form, without its id. */
  readonly body?: unknown
  /** Header of the try. */
  readonly try?: string
  readonly answered: string
}

export const HOOK_SECRET = 's'.repeat(43)
export const HOOK_URL = 'https://hooks.example.com/errata'

type Shape = Omit<EventShape, 'projectId'> & { readonly projectId?: ProjectId }

export class AlertDay {
  readonly clock: ReturnType<typeof manualClock>
  readonly #stores: ControlStores
  readonly #world: ControlWorld
  readonly #sent: Delivered[] = []
  /** Statuses that the project's webhook answers with next; 204 once there are none. */
  readonly statuses: number[] = []
  readonly #alerts: AlertLoop
  readonly #notices: NoticeLoop
  #seqNext = 1
  #named = 0

  static async open(open: ControlFactory): Promise<AlertDay> {
    const clock = manualClock(NOW)
    const stores = await open(clock)
    return new AlertDay({ clock, stores, world: await aControlWorld(stores) })
  }

  private constructor({
    clock,
    stores,
    world,
  }: Pick<AlertDay, 'clock' | 'world'> & { readonly stores: ControlStores }) {
    this.clock = clock
    this.#stores = stores
    this.#world = world
    const { write } = stores
    const parts = {
      ...{ smtp: null, privateTargets: true, version: '1', clock: this.clock, random: evenRandom, log },
      publicAddress: new PublicAddress({ url: ERRATA_URL, port: 0 }),
    }
    const { sendMail, call } = this.#ways()
    assert.ok(sendMail !== null)
    const ways = { sendMail, call }
    this.#alerts = new AlertLoop({ store: write, clock: this.clock, log, mail: true, onMessages: () => {} })
    this.#notices = new NoticeLoop({
      ...{ ...parts, queue: write, outbox: write, send: createSend(parts, ways), mail: true },
      letterWork: letterWork({ ...parts, ...ways, letters: write, outbox: write }),
      messageWork: messageWork({
        ...{ outbox: write, clock: this.clock },
        sendMessage: createSendMessage({ ...parts, ...ways }),
      }),
    })
  }

  /** All that was sent so far, what went out at the same time by receiver. */
  get sent(): readonly Delivered[] {
    const order = (one: Delivered) =>
      `${one.at} ${one.to} ${one.subject ?? ''} ${JSON.stringify(one.body ?? one.text)}`
    return this.#sent.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  }

  close(): Promise<void> {
    return this.#stores.close()
  }

  get write(): ControlStores['write'] {
    return this.#stores.write
  }

  get world(): ControlWorld {
    return this.#world
  }

  actor() {
    return anActor(this.clock.now())
  }

  /** Commits a batch, received now, and runs everything that is due. */
  async arrive(...shapes: readonly Shape[]): Promise<void> {
    const events = shapes.map((shape) =>
      anEvent({
        ...{ projectId: this.#world.shop, timestampMs: this.clock.now(), receivedMs: this.clock.now() },
        ...{ eventId: eventIdOf(++this.#named), traceId: null, ...shape },
      }),
    )
    await this.write.applyBatch(aBatch(this.#seqNext, events))
    this.#seqNext += events.length
    await this.deliver()
  }

  /** Lets time go by, looking every half minute. */
  async wait(minutes: number): Promise<void> {
    for (let half = 0; half < minutes * 2; half++) {
      this.clock.advance(30_000)
      await this.deliver()
    }
  }

  async deliver(): Promise<void> {
    await this.#notices.runOnce()
    await this.#alerts.runOnce()
    await this.#notices.runOnce()
  }

  async change(shortId: string) {
    const found = await this.#stores.read.issue(this.#world.scope, shortId)
    const ids: readonly IssueId[] = [found?.id ?? assert.fail(`no issue ${shortId}`)]
    return { orgId: this.#world.org, projects: this.#world.scope.projects, ids }
  }

  addMember(name: string): Promise<UserId> {
    const { org, team } = this.#world
    return addMember(this.#stores, { org, email: `${name}@example.com`, role: 'manager', teams: [team] })
  }

  #ways(): SendWays {
    return {
      sendMail: async ({ to, subject, text }) => {
        this.#note({ to: to.address, subject, text, answered: '250' })
        return { outcome: 'sent', says: 'Answered 250.' }
      },
      call: async ({ url, body = '', headers = {} }) => {
        const status = url === HOOK_URL ? (this.statuses.shift() ?? 204) : 204
        const answered = String(status)
        const of = { to: url, try: headers['errata-try'] ?? '', answered }
        if (url === HOOK_URL) this.#note({ ...of, body: signedBody(body, headers, this.clock.now()) })
        else this.#note({ ...of, text: this.#textOf(body) })
        return { isAnswered: true, status, retryAfterMs: null, body: '' }
      },
    }
  }

  #textOf(body: string): string {
    const { text, headline }: { readonly text?: string; readonly headline?: string } = JSON.parse(body)
    return text ?? headline ?? assert.fail(`no text in ${body}`)
  }

  #note(sent: Omit<Delivered, 'at'>): void {
    const seconds = (this.clock.now() - NOW) / 1_000
    const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
    this.#sent.push({ at: parts.map((part) => String(part).padStart(2, '0')).join(':'), ...sent })
  }
}

/** Checks header and signature as docs/webhook.md says; what is returned differs from day to day in nothing. */
function signedBody(body: string, headers: Readonly<Record<string, string>>, nowMs: number): unknown {
  const signature = headers['errata-signature'] ?? ''
  const [, seconds, given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  assert.equal(given, createHmac('sha256', HOOK_SECRET).update(`${seconds}.`).update(body).digest('hex'))
  assert.equal(Number(seconds), Math.floor(nowMs / 1_000))
  const { id, ...rest } = JSON.parse(body)
  assert.equal(id, headers['errata-notice'])
  return rest
}
