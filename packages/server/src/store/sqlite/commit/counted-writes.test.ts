import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mayChangeRemembered } from './counted-writes.ts'

for (const sql of [
  'UPDATE issues SET status = ? WHERE id = ?',
  'INSERT OR IGNORE INTO release_projects (release_id, project_id) VALUES (?, ?)',
  'DELETE FROM groups WHERE id = ?',
  'WITH gone AS (SELECT 1) DELETE FROM notices',
  'REPLACE INTO facets VALUES (1)',
  'VACUUM',
])
  it(`discards what a commit remembers after: ${sql}`, () => assert.equal(mayChangeRemembered(sql), true))

for (const sql of [
  'SELECT 1',
  'WITH readable (id) AS (SELECT 1) SELECT id FROM readable',
  'BEGIN IMMEDIATE',
  `\n  INSERT INTO alert_firings (rule_id) VALUES (?)`,
  'UPDATE notices SET due_ms = NULL WHERE id = ?',
  'INSERT OR REPLACE INTO jobs (kind) VALUES (?)',
  'DELETE FROM alert_candidates WHERE id = ?',
])
  it(`keeps what a commit remembers after: ${sql.trim()}`, () =>
    assert.equal(mayChangeRemembered(sql), false))
