import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { orgId, projectId, teamId, userId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { NOW } from '#testing/builders/times.ts'
import { openNewControl } from '#testing/new-control.ts'
import { Connection } from '../connection.ts'
import { projectsOpenTo } from '../rows/account-rows.ts'
import { directoriesOf } from './ownership.ts'

const ORG = orgId(1)
const SHOP = projectId(1)
const BLOG = projectId(2)
const OTHER = projectId(3)
const BLOG_TEAM = teamId(2)
const ROLES = ['owner', 'manager', 'member', 'viewer', 'guest'] as const

/** Each role as somebody without a team, in the team of shop, in the team of another organisation, and chosen as a guest. */
const PEOPLE = ROLES.flatMap((role, at) =>
  (['alone', 'team', 'elsewhere', 'chosen'] as const).map((is, of) => ({
    id: userId(at * 4 + of + 1),
    role,
    is,
  })),
)

describe('people to whom a project is open', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-readers-'))
  const path = join(directory, 'control.sqlite')
  let db: Connection
  before(async () => {
    await openNewControl({ path, clock: manualClock(NOW), log }).close()
    db = Connection.openWriter(path)
    db.script(`INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'acme', 'Acme', 0), (2, 'other', 'Other', 0);
      INSERT INTO projects (id, org_id, slug, name, created_ms, options) VALUES (1, 1, 'shop', 'Shop', 0, '{}'),
        (2, 1, 'blog', 'Blog', 0, '{}'), (3, 2, 'other', 'Other', 0, '{}');
      INSERT INTO teams (id, org_id, slug, name, created_ms) VALUES (1, 1, 'shop', 'Shop', 0), (2, 1, 'blog', 'Blog', 0),
        (3, 2, 'other', 'Other', 0);
      INSERT INTO team_projects (team_id, project_id) VALUES (1, 1), (2, 2), (3, 3)`)
    for (const { id, role, is } of PEOPLE) {
      const user = `INSERT INTO users (id, email, email_folded, name, password_hash, created_ms) VALUES (?1, ?2, ?2, ?2, '', 0)`
      db.run(user, [id, `${role}-${is}@acme.example`])
      db.run('INSERT INTO memberships (org_id, user_id, role, joined_ms) VALUES (1, ?, ?, 0)', [id, role])
      const team = 'INSERT INTO team_members (team_id, user_id) VALUES (?, ?)'
      if (is === 'team') db.run(team, [1, id])
      if (is === 'elsewhere') db.run(team, [3, id])
      const chosen = 'INSERT INTO guest_projects (org_id, user_id, project_id) VALUES (1, ?, 1)'
      if (is === 'chosen') db.run(chosen, [id])
    }
  })
  after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })

  it('are those whom role and teams open it to, one by one', () => {
    const directories = directoriesOf(db, [SHOP, BLOG, OTHER])
    for (const project of [SHOP, BLOG, OTHER]) {
      const expected = PEOPLE.filter(
        ({ id }) => project !== OTHER && projectsOpenTo(db, ORG, id).includes(project),
      )
      assert.deepEqual(
        directories.get(project)?.people.map((person) => person.userId),
        expected.map(({ id }) => id),
      )
    }
    assert.equal(directories.get(SHOP)?.people.length, 11)
    assert.equal(directories.get(BLOG)?.people.length, 8)
    assert.deepEqual(directories.get(BLOG)?.teams, [{ id: BLOG_TEAM, slug: 'blog' }])
  })

  it('are all that is read of the organisation', () => {
    let rows = 0
    const counting = new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          const answer: unknown = Reflect.apply(value, target, given)
          if (Array.isArray(answer)) rows += answer.flat().length
          return answer
        }
      },
    })
    directoriesOf(counting, [SHOP, BLOG])
    // Eleven and eight people, and a team each.
    assert.equal(rows, 21)
  })
})
