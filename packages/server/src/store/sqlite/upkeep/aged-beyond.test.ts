import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { orgId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { AgedPlace } from '#store/embedded/care/stores/control.ts'
import { anActor } from '#testing/builders/actor.ts'
import { NOW } from '#testing/builders/times.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { insertAudit } from '../rows/audit.ts'
import { auditBeyond } from './aged-beyond.ts'
import { removeSet } from './remove-aged.ts'

it('forgets of a full audit log what somebody did most often, never what others did', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-prune-'))
  const db = Connection.openWriter(join(directory, 'control.sqlite'))
  t.after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })
  migrate(db, { log: silentLog, planLog: silentLog })
  const note = (org: number, label: string, action: string, target: string) =>
    insertAudit(db, orgId(org), anActor(1, { label }), { action, target })
  for (let org = 1; org <= 2; org++)
    db.run('INSERT INTO organisations (id, slug, name, created_ms) VALUES (?, ?, ?, 0)', [
      org,
      `o${org}`,
      'O',
    ])
  note(1, 'Mallory', 'member.role_changed', 'Mallory')
  note(1, 'Ada', 'project.deleted', 'shop')
  for (let index = 0; index < 20; index++) note(1, 'Mallory', 'saved_search.created', String(index))
  for (let index = 0; index < 12; index++) note(2, 'Bo', 'team.created', String(index))
  const steps = [auditBeyond(12)]
  let place: AgedPlace | null = { step: 0, after: null }
  while (place !== null) place = removeSet(db, { place, nowMs: NOW, steps, most: 100 })
  const left = (org: number) =>
    db
      .all<{ target: string }>('SELECT target FROM audit WHERE org_id = ? ORDER BY id', [org])
      .map(({ target }) => target)
  assert.deepEqual(left(1), [
    'Mallory',
    'shop',
    ...Array.from({ length: 10 }, (_, index) => String(index + 10)),
  ])
  assert.equal(left(2).length, 12)
})
