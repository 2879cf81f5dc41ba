/** Rules decide of what was loaded, whoever stores it; what follows from a decision stands in one file each. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type SourceFile, sourceFiles } from './sources.ts'

const SERVER = 'packages/server/src/'
const RULES = /^(?:issues|requests|skew|(?:alerts|jobs|notices|trackers)\/rules)\//
const FOLLOWS = 'issues/follows/'

const CODE = sourceFiles()
  .filter(({ path }) => path.startsWith(SERVER) && !path.includes('.test.'))
  .map((file) => ({ ...file, path: file.path.slice(SERVER.length), text: withoutComments(file) }))
const rules = CODE.filter(({ path }) => RULES.test(path))

function withoutComments({ text }: SourceFile): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path).toSorted()

/** Rules that ask a store for what their rules ask of it, by sets. The list may only shrink. */
const ASKING: readonly string[] = [
  'alerts/rules/alert-store.ts',
  'alerts/rules/evaluate-issues.ts',
  'alerts/rules/evaluate-metrics.ts',
  'alerts/rules/evaluate-presets.ts',
  'alerts/rules/evaluate.ts',
  'alerts/rules/incidents.ts',
  'alerts/rules/measures.ts',
  'alerts/rules/storms.ts',
]

/** Rules that are given a function where a value would do. The list may only shrink. */
const CALLING_BACK: readonly string[] = ['alerts/rules/alert-store.ts']

/** A member or parameter that is a function without arguments, and an exported interface with methods. */
const CALLBACK = [
  /\breadonly \w+: \(\) => (?!void)|\b\w+: \(\) => [A-Z]/,
  /^export interface \w+(?:<.*>)? \{\n(?:(?!\}).*\n)*? {2}\w+(?:<.*>)?\(/m,
]

describe('rules', () => {
  it('wait for nothing', () => {
    assert.ok(rules.length > 100, `${rules.length} files of rules`)
    const waiting = rules.filter(({ text }) => /\bPromise<|\basync\b|\bawait\b/.test(text))
    assert.deepEqual(
      pathsOf(waiting).filter((path) => !ASKING.includes(path)),
      [],
    )
  })

  it('take what was loaded, and no callback into a store', () => {
    const calling = rules.filter(({ text }) => CALLBACK.some((pattern) => pattern.test(text)))
    assert.deepEqual(
      pathsOf(calling).filter((path) => !CALLING_BACK.includes(path)),
      [],
    )
  })
})

describe('what follows from a change of an issue', () => {
  const files = CODE.filter(({ path }) => path.startsWith(FOLLOWS))

  it('stands in one file each', () => {
    const names = pathsOf(files).map((path) => path.slice(FOLLOWS.length, -'.ts'.length))
    for (const name of ['resolving', 'assigning', 'merging', 'regressing', 'escalating'])
      assert.ok(names.includes(name), `${name} has no file`)
    for (const { path, text } of files)
      for (const [, name = ''] of text.matchAll(/^export (?:async )?function (\w+)/gm))
        assert.match(name, /^whatFollows[A-Z]/, path)
    const elsewhere = CODE.filter(
      ({ path, text }) => !path.startsWith(FOLLOWS) && /function whatFollows/.test(text),
    )
    assert.deepEqual(pathsOf(elsewhere), [])
  })

  it('is what people, the commit, rules and jobs go through', () => {
    const users = CODE.filter(
      ({ path, imports }) =>
        !path.startsWith('issues/') && imports.some(({ specifier }) => specifier.startsWith(`#${FOLLOWS}`)),
    ).map(({ path }) => path.split('/').slice(0, 2).join('/'))
    for (const room of ['commands/issues.ts', 'commands/own-changes.ts', 'store/sqlite', 'alerts/rules'])
      assert.ok(users.includes(room), `${room} goes another way`)
    // Records that change nothing: somebody linked the issue, or sent it.
    assert.deepEqual(
      pathsOf(CODE.filter(({ path, text }) => !path.startsWith(FOLLOWS) && /\bnote: \{ kind: /.test(text))),
      ['commands/sent-issues.ts', 'commands/trackers.ts'],
    )
  })

  it('is written in one place, but for what goes with the numbers of a batch and with people who leave', () => {
    const state = /\bUPDATE issues SET (?:status|assignee_id|assignee_team_id|priority) =/
    assert.deepEqual(pathsOf(CODE.filter(({ text }) => state.test(text))), [
      'store/sqlite/accounts/account-statements.ts',
      'store/sqlite/changes/change-issues.ts',
      'store/sqlite/ingest/issues-of-batch.ts',
    ])
    assert.deepEqual(pathsOf(CODE.filter(({ text }) => /INSERT INTO activities\b/.test(text))), [
      'store/sqlite/rows/activity.ts',
    ])
  })
})
