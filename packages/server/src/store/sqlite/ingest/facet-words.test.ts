import assert from 'node:assert/strict'
import { it } from 'node:test'
import { silentLog } from '#base/log.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { forgetWords, rememberWords } from './facet-words.ts'

function words(db: Connection): readonly string[] {
  db.script(`CREATE VIRTUAL TABLE temp.said USING fts5vocab ('main', 'facet_words', 'row')`)
  const said = db.all<{ term: string; doc: number }>('SELECT term, doc FROM temp.said ORDER BY term')
  db.script('DROP TABLE temp.said')
  return said.map(({ term, doc }) => `${term} ${doc}`)
}

it('knows which groups have which values, until they are gone', (t) => {
  const db = Connection.openScratch()
  t.after(() => db.close())
  migrate(db, { log: silentLog, planLog: silentLog })
  db.script(`INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'shop', 'Shop', 1);
    INSERT INTO projects (id, org_id, slug, name, options, created_ms) VALUES (1, 1, 'web', 'Web', '{}', 1);
    INSERT INTO issues (id, project_id, number, status, status_changed_ms, level, first_seen_ms, last_seen_ms,
      event_count, mirror_count, user_count, users_exact, group_count, facts_ms, own_title, type, value, culprit,
      platform, kinds, routes) VALUES
      (1, 1, 1, 'unresolved', 1, 'error', 1, 1, 2, 0, 0, 1, 2, 1, '', 't', 'v', 'c', 'node', '{}', '{}'),
      (2, 1, 2, 'unresolved', 1, 'error', 1, 1, 2, 0, 0, 1, 2, 1, 't', 't', 'v', 'c', 'node', '{}', '{}');
    INSERT INTO groups (id, project_id, hash, kind, issue_id, event_count, mirror_count, first_seen_ms,
      last_seen_ms) VALUES (5, 1, x'05', 'error', 1, 1, 0, 1, 1), (6, 1, x'06', 'error', 1, 1, 0, 1, 1);
    INSERT INTO facets (group_id, key_id, value, count, first_ms, last_ms)
      VALUES (5, 1, 'Mobile Safari', 1, 0, 0), (6, 1, 'Mobile Safari', 1, 0, 0), (6, 2, 'eu', 1, 0, 0)`)
  rememberWords(db, { where: 'g.project_id = ?', param: 1 })
  assert.deepEqual(words(db), ['1:~mobile ~safari 2', '2:eu 1'])
  forgetWords(db, { where: 'g.id = ?', param: 6 })
  assert.deepEqual(words(db), ['1:~mobile ~safari 1'])
  rememberWords(db, { where: 'g.id = ?', param: 6 })
  forgetWords(db, { where: 'g.issue_id = ?', param: 1 })
  assert.deepEqual(words(db), [])
})
