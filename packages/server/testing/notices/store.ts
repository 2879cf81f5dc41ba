/** A real control store with one project, and batches that begin issues in it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Clock } from '#base/clock.ts'
import type { OrgId, ProjectId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import type { createNotices } from '#notices/notices.ts'
import type { Letters } from '#ports/letters.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { type ControlWriter, openControlWriter } from '#store/sqlite/control-writer.ts'
import { anActor } from '../builders/actor.ts'
import { aBatch } from '../builders/control-batch.ts'
import { scopeForTest } from '../builders/scope.ts'
import { anEvent, type EventShape } from '../builders/stored-event.ts'
import { value } from '../contract/control/stores.ts'
import { FIRST_OWNER } from '../contract/control/world.ts'
import { openNewControl, type TestControl } from '../new-control.ts'
import { ERRATA_URL, evenRandom } from './receivers.ts'

export interface NoticeStore {
  readonly path: string
  readonly store: TestControl
  readonly org: OrgId
  readonly shop: ProjectId
  /** Commits a batch of events, received now. */
  arrive(...shapes: readonly Omit<EventShape, 'projectId'>[]): Promise<void>
  logged(): ReturnType<ReturnType<typeof openControlReader>['noticeLog']>
  /** Another connection that writes, as another process has it. */
  another(): ControlWriter
}

export async function aNoticeStore(
  t: TestContext,
  {
    clock,
    webhook,
    mail = false,
    beats = true,
  }: {
    readonly clock: Clock
    readonly webhook: string | null
    /** Whether there is a mail server. */
    readonly mail?: boolean
    /** Whether rules look at what arrives. */
    readonly beats?: boolean
  },
): Promise<NoticeStore> {
  const directory = mkdtempSync(join(tmpdir(), 'errata-notices-'))
  const path = join(directory, 'control.sqlite')
  const store = openNewControl({ path, clock, log })
  const reader = openControlReader({ path, clock, log })
  const opened: { close(): Promise<void> }[] = [reader, store]
  t.after(async () => {
    for (const one of opened) await one.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const { orgId: org, projectId: shop } = value(
    await store.createFirstOwner(FIRST_OWNER, anActor(clock.now())),
  )
  if (webhook !== null) {
    const secret = 's'.repeat(43)
    value(await store.setWebhook(org, shop, { url: webhook, secret }, anActor(clock.now())))
  }
  let next = 1
  return {
    path,
    store,
    org,
    shop,
    async arrive(...shapes) {
      const events = shapes.map((shape) => anEvent({ projectId: shop, timestampMs: clock.now(), ...shape }))
      await store.applyBatch(aBatch(next, events))
      next += events.length
      if (beats) await store.evaluateDue(clock.now(), { metrics: false, mail })
    },
    logged: () =>
      reader.noticeLog(scopeForTest({ orgId: org, projects: [shop] }), shop, { limit: 100, before: null }),
    another() {
      const writer = openControlWriter({ path, clock, log })
      opened.push(writer)
      return writer
    },
  }
}

/** Letters for tests that are about notices only. */
const NO_LETTERS: Letters = {
  openLetter: async () => false,
}

/** Builds the parts of notices for a test: private targets allowed, no jitter. */
export function noticeParts(
  parts: Pick<Parameters<typeof createNotices>[0], 'queue' | 'outbox' | 'clock'> &
    Partial<Parameters<typeof createNotices>[0]>,
): Parameters<typeof createNotices>[0] {
  return {
    smtp: null,
    privateTargets: true,
    publicAddress: new PublicAddress({ url: ERRATA_URL, port: 0 }),
    version: '1',
    letters: NO_LETTERS,
    random: evenRandom,
    log,
    ...parts,
  }
}
