import assert from 'node:assert/strict'
import { it } from 'node:test'
import { projectsText, withFewProjects } from './few-projects.ts'

const project = (at: number) => ({
  ...{ slug: `app-${at}`, name: `App ${at}`, newIssues: 2, eventCount: 10 },
  ...{ firstEventMs: at === 0 ? null : 1_000 + at, lastEventMs: at === 0 ? null : 9_000 + at },
})
const release = (count: number) => ({
  version: '1.0',
  projects: Array.from({ length: count }, (_, at) => project(at)),
})

it('names the first projects of a release of a thousand, and says of all what is summed', () => {
  const shown = withFewProjects(release(1_000))
  assert.equal(shown.version, '1.0')
  assert.equal(shown.projects.length, 8)
  assert.deepEqual(shown.ofAll, {
    ...{ count: 1_000, newIssues: 2_000, eventCount: 10_000 },
    ...{ firstEventMs: 1_001, lastEventMs: 9_999 },
  })
  assert.equal(projectsText(shown), 'app-0, app-1, app-2, app-3, app-4, app-5, app-6, app-7 and 992 more')
  assert.ok(JSON.stringify(shown).length < 1_000)
})

it('names all projects of a release of eight, and of nine all but one', () => {
  assert.equal(
    projectsText(withFewProjects(release(8))),
    'app-0, app-1, app-2, app-3, app-4, app-5, app-6, app-7',
  )
  assert.match(projectsText(withFewProjects(release(9))), /app-7 and 1 more$/)
})

it('has no time of a first event where no project had any', () => {
  assert.equal(withFewProjects(release(1)).ofAll.firstEventMs, null)
  assert.equal(withFewProjects(release(2)).ofAll.firstEventMs, 1_001)
})
