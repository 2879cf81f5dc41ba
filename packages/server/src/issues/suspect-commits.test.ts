import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { StepBudget } from '#model/step-budget.ts'
import { ownFiles, touchingCommits } from './suspect-commits.ts'

const aCommit = (id: string, paths: readonly string[], atMs: number | null = 1) => ({ id, atMs, paths })
const suspectCommits = (files: readonly string[], commits: readonly ReturnType<typeof aCommit>[]) =>
  touchingCommits(files, commits, new StepBudget(max('suspectFilesMax'))).suspects
const suspects = (file: string, path: string) => suspectCommits([file], [aCommit('1', [path])]).length === 1

describe('suspect commits', () => {
  const same: readonly (readonly [string, string])[] = [
    ['app/checkout.ts', 'app/checkout.ts'],
    ['webpack://shop/./app/checkout.ts?abcd', 'app/checkout.ts'],
    ['../../app/checkout.ts', 'packages/web/app/checkout.ts'],
    ['/srv/build/app/checkout.ts', 'app/checkout.ts'],
    ['app\\checkout.ts', 'app/checkout.ts'],
    ['checkout.ts', 'checkout.ts'],
  ]
  for (const [file, path] of same) it(`sees ${path} in ${file}`, () => assert.ok(suspects(file, path)))

  const other: readonly (readonly [string, string])[] = [
    ['app/checkout.ts', 'app/cart.ts'],
    ['app/index.ts', 'index.ts'],
    ['app/my-checkout.ts', 'checkout.ts'],
    ['app/checkout.ts', 'web/checkout.ts'],
    ['<anonymous>', 'app/checkout.ts'],
  ]
  for (const [file, path] of other)
    it(`does not see ${path} in ${file}`, () => assert.ok(!suspects(file, path)))

  it('are newest first, each once, with the file nearest to the failure', () => {
    const commits = [
      aCommit('old', ['app/cart.ts'], 5),
      aCommit('new', ['app/cart.ts', 'app/checkout.ts'], 9),
      aCommit('new', ['app/cart.ts'], 9),
      aCommit('unknown', ['app/cart.ts'], null),
      aCommit('other', ['README.md'], 20),
    ]
    const found = suspectCommits(['app/checkout.ts', 'app/cart.ts'], commits)
    assert.deepEqual(
      found.map(({ commit, path }) => [commit.id, path]),
      [
        ['new', 'app/checkout.ts'],
        ['old', 'app/cart.ts'],
        ['unknown', 'app/cart.ts'],
      ],
    )
  })

  it('go by the frames of the app alone, nearest to the failure first', () => {
    const frames = [
      { filename: 'app/page.ts', in_app: true },
      { filename: 'node_modules/x/index.js', in_app: false },
      { filename: 'app/checkout.ts', in_app: true },
      { filename: 'app/page.ts', in_app: true },
    ]
    // The rest of an event does not matter here.
    const event = { exception: { values: [{ type: 'E', value: '', stacktrace: { frames } }] } }
    assert.deepEqual(ownFiles(event as unknown as NormalizedEvent), ['app/page.ts', 'app/checkout.ts']) // see above
  })
})
