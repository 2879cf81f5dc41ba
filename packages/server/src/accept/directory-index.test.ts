import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orgId, projectId } from '#base/ids.ts'
import { withChange } from '#ports/directory-change.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import { indexDirectory } from './directory-index.ts'
import {
  BLOG_KEY,
  OTHER_KEY,
  SAMPLE_BLOG,
  SAMPLE_SHOP,
  SHOP_KEY,
  sampleDirectory,
} from './sample-directory.ts'

const OPTIONS = { furtherNumbers: ['900'] }

describe('what accept looks up, followed change by change', () => {
  const before = sampleDirectory()
  const [shop, blog] = before.projects
  assert.ok(shop !== undefined && blog !== undefined)
  const change = (now: Partial<IngestDirectory>, projects: readonly number[]): DirectoryChange => ({
    ...{ from: 1, projects: projects.map(projectId) },
    now: { version: 2, organisations: before.organisations, projects: [], keys: [], ...now },
  })
  const cases: readonly (readonly [string, DirectoryChange])[] = [
    [
      'a name and a further number',
      change(
        {
          projects: [{ ...shop, name: 'New', options: { ...shop.options, ...OPTIONS } }],
          keys: before.keys.filter((key) => key.projectId === SAMPLE_SHOP),
        },
        [SAMPLE_SHOP],
      ),
    ],
    [
      'a key that is disabled',
      change(
        {
          projects: [shop],
          keys: before.keys
            .filter((key) => key.projectId === SAMPLE_SHOP)
            .map((key) => ({ ...key, isActive: false })),
        },
        [SAMPLE_SHOP],
      ),
    ],
    [
      'a key that moved',
      change(
        {
          projects: [shop, blog],
          keys: before.keys
            .filter(({ public: name }) => name === BLOG_KEY)
            .map((key) => ({ ...key, projectId: projectId(SAMPLE_SHOP) })),
        },
        [SAMPLE_SHOP, SAMPLE_BLOG],
      ),
    ],
    ['a project that is gone', change({}, [SAMPLE_SHOP])],
    [
      'an organisation of another name',
      change(
        {
          organisations: [
            { id: orgId(1), slug: 'boats' },
            { id: orgId(2), slug: 'rival' },
          ],
        },
        [],
      ),
    ],
  ]

  for (const [what, change] of cases)
    it(`finds the same after ${what} as where all of it is read anew`, () => {
      const index = indexDirectory(before)
      const followed = index.changed(change)
      const anew = indexDirectory(withChange(before, change))
      assert.notEqual(followed, index)
      for (const key of [SHOP_KEY, BLOG_KEY, OTHER_KEY, 'd'.repeat(32)])
        assert.deepEqual(followed.sender(key), anew.sender(key), key)
      for (const id of [SAMPLE_SHOP, SAMPLE_BLOG, 77, 900]) {
        assert.deepEqual(followed.project(id), anew.project(id))
        assert.deepEqual(followed.projectNamed(String(id)), anew.projectNamed(String(id)))
      }
    })

  it('gives a further number back with the project that had it', () => {
    const named = change({ projects: [{ ...shop, options: { ...shop.options, ...OPTIONS } }] }, [SAMPLE_SHOP])
    const index = indexDirectory(before).changed(named)
    assert.equal(index.projectNamed('900')?.id, SAMPLE_SHOP)
    assert.equal(index.changed(change({ projects: [shop] }, [SAMPLE_SHOP])).projectNamed('900'), null)
  })
})
