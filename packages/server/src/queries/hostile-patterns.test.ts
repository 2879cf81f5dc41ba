/** People's patterns against events' texts, both as hostile as they may be. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SlotAdditions } from '#alerts/rules/slots.ts'
import { addGroup, watchOf } from '#alerts/rules/watch.ts'
import { issueId, projectId } from '#base/ids.ts'
import { createFilter } from '#filter/filter.ts'
import { askRules } from '#group/project-rules.ts'
import { OwnershipCompiler } from '#issues/ownership/compiled.ts'
import { suggestedOwners } from '#issues/ownership/owners.ts'
import { releaseMeaning } from '#issues/release-meaning.ts'
import { touchingCommits, versionsThatBrought } from '#issues/suspect-commits.ts'
import { max } from '#limits/limits.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import { parseGroupingRules } from '#model/grouping-rules.ts'
import { orderReleases } from '#model/release-order.ts'
import type { ReleaseQuestion } from '#model/release-question.ts'
import { StepBudget } from '#model/step-budget.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { FilterOptions } from '#ports/projects.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { withoutPeople } from './sharing/without-people.ts'

/** An ordinary event takes about 2 ms of a process thread, and a commit some 20. */
const EVENT_MS = 250

function took(work: () => void): number {
  const before = cpuMs()
  work()
  return cpuMs() - before
}

const NOBODY = { people: [], teams: [] }
const NOTHING = { paths: [], modules: [], url: null, tags: [], codeMappings: [] }
const until = (line: string, chars: number) => `${line}\n`.repeat(Math.floor(chars / (line.length + 1)))
const numbered = (line: string, chars: number) =>
  Array.from({ length: Math.floor(chars / (line.length + 5)) }, (_, at) =>
    line.replace('#', String(at % 999)),
  ).join('\n')

const WILD = [
  '*'.concat('a'.repeat(480), 'b#'),
  `${'*a'.repeat(200)}b#`,
  `*${'?'.repeat(200)}a${'?'.repeat(200)}b#`,
]
const FILES: readonly (readonly [string, string])[] = [
  ...WILD.map((line): readonly [string, string] => [`a pattern of one folder, ${line.slice(0, 6)}`, line]),
  ['any depth, many times', `${'**/*a*/'.repeat(15)}b#`],
  ['short patterns', '*a*b#'],
  ['single signs', '?*?*?#'],
  ['plain folders', '**/a/#'],
]
const PATHS = ['a'.repeat(1_000), 'a/'.repeat(31), `${'a'.repeat(30)}/`.repeat(30), 'ab'.repeat(500)]

describe('the largest hostile text of', () => {
  for (const [what, line] of FILES)
    it(`CODEOWNERS costs one event and one commit little: ${what}`, () => {
      const codeOwners = numbered(`${line} @ada`, max('codeOwnersCharsMax'))
      const rules = new OwnershipCompiler().compile({ rules: '', codeOwners })
      for (const path of PATHS) {
        const paths = Array.from({ length: 50 }, (_, at) => `${path}${at}`)
        const ms = took(() => suggestedOwners(rules, { ...NOTHING, paths }, { directory: NOBODY }))
        assert.ok(ms < EVENT_MS, `${ms} ms for an event with ${path.slice(0, 40)}`)
        const within = new StepBudget(max('ownershipBatchStepsMax'))
        const batchMs = took(() => {
          for (let issue = 0; issue < 1_000; issue++)
            suggestedOwners(rules, { ...NOTHING, paths: [`${path}${issue}`] }, { directory: NOBODY, within })
        })
        assert.ok(batchMs < 2 * EVENT_MS, `${batchMs} ms for a commit with ${path.slice(0, 40)}`)
      }
    })

  for (const line of ['path:*aaab*a*', 'path:*a*a*a*a*b', 'module:*aab*b*', 'url:*aaab*a*b'])
    it(`ownership rules costs one event little: ${line}`, () => {
      const rules = new OwnershipCompiler().compile({
        rules: until(`${line} a@example.com`, max('ownershipCharsMax')),
        codeOwners: '',
      })
      const paths = Array.from({ length: 50 }, (_, at) => 'a'.repeat(2_000 + at))
      const facts = { ...NOTHING, paths, modules: paths, url: paths[0] ?? '' }
      const ms = took(() => suggestedOwners(rules, facts, { directory: NOBODY }))
      assert.ok(ms < EVENT_MS, `${ms} ms`)
    })

  it('ownership is read in little time, whatever its lines repeat', () => {
    const lines = [
      '[a]'.concat(' '.repeat(200_000), 'x\u2028y'),
      `/${'/'.repeat(200_000)}x`,
      '?'.repeat(249_000),
    ]
    const rules = ['path:a'.concat(' '.repeat(90_000), 'x\u2028y'), `path:${'/'.repeat(90_000)}`]
    const ms = took(() => {
      for (const codeOwners of lines) new OwnershipCompiler().compile({ rules: '', codeOwners })
      for (const text of rules) new OwnershipCompiler().compile({ rules: text, codeOwners: '' })
      const short = lines.map((line) => until(line.slice(0, 3_000).concat('x\u2028y'), 240_000))
      for (const codeOwners of short) new OwnershipCompiler().compile({ rules: '', codeOwners })
    })
    assert.ok(ms < 1_000, `${ms} ms`)
  })

  for (const matcher of ['!value:*aab*b*', '!path:*aab*b*', '!function:*aab*b*', '!message:*aaaab*b*'])
    it(`fingerprint rules costs one event little, and is told: ${matcher}`, () => {
      const each = Math.floor(max('groupingRulesCharsMax') / max('groupingRulesMax')) - 10
      const line = `${`${matcher} `.repeat(Math.floor(each / (matcher.length + 1)))}-> x\n`
      const { rules, problems } = parseGroupingRules(line.repeat(max('groupingRulesMax')))
      assert.deepEqual(problems, [])
      const text = 'a'.repeat(8_192)
      const frames = Array.from({ length: 250 }, (_, at) => ({
        ...{ function: `${'a'.repeat(1_500)}${at}`, filename: `${'a'.repeat(500)}${at}`, in_app: true },
      }))
      const values = Array.from({ length: 50 }, (_, at) => ({ type: 'E', value: `${text.slice(9)}${at}` }))
      const event = aScrubbedEvent({
        exception: { values: [...values, { type: 'F', stacktrace: { frames } }] },
      })
      let found = askRules(event, [])
      const ms = took(() => {
        found = askRules(event, rules)
      })
      assert.ok(ms < EVENT_MS, `${ms} ms`)
      assert.ok(found.isCut && found.steps < 1.1 * max('groupingStepsMax'), `${found.steps} steps`)
      assert.equal(found.event.fingerprint, undefined)
      assert.deepEqual(
        found.event.problems.map(({ rule }) => rule),
        ['rules_budget'],
      )
    })

  it('fingerprint rules still applies those before', () => {
    const { rules } = parseGroupingRules(`type:F -> first\n${'!value:*aab*b* -> x\n'.repeat(90)}`)
    const values = Array.from({ length: 50 }, () => ({ type: 'F', value: 'a'.repeat(8_192) }))
    const { event, isCut } = askRules(aScrubbedEvent({ exception: { values } }), rules)
    assert.deepEqual([event.fingerprint, isCut, event.problems], [['first'], false, []])
  })

  it('commits of releases costs a view little', () => {
    const paths = Array.from(
      { length: max('commitFilesMax') },
      (_, at) => `${'packages/'.repeat(50)}${at % 9}/index.ts`,
    )
    const commits = Array.from({ length: 20_000 }, (_, at) => ({ id: String(at), atMs: at, paths }))
    const files = Array.from(
      { length: 5_000 },
      (_, at) => `webpack://a/./${'packages/'.repeat(50)}x${at}/index.ts`,
    )
    let isCut = false
    const ms = took(() => {
      isCut = touchingCommits(files, commits, new StepBudget(max('suspectFilesMax'))).isCut
    })
    assert.ok(isCut)
    assert.ok(ms < 2 * EVENT_MS, `${ms} ms`)
  })

  it('filters costs one event little', () => {
    // They look through the whole of it, and then it does not end so.
    const pattern = `*${'b*a*'.repeat(max('filterPatternStarsMax') / 2 - 1)}aaaab*c`
    const messages = Array.from({ length: max('filterPatternsMax') }, () => pattern)
    const none: Pick<FilterOptions, 'addresses'> = { addresses: [] }
    const off = {
      controlFlow: false,
      aborted: false,
      localhost: false,
      browserExtensions: false,
      crawlers: false,
    }
    const filter = createFilter({ ...none, ...off, messages, releases: messages })
    const text = (at: number) => `${'ba'.repeat(9)}${'a'.repeat(8_160)}${at}c`
    const event = aScrubbedEvent({
      ...{ message: text(1), logentry: { message: text(2), formatted: text(3) } },
      exception: { values: [{ type: text(4), value: text(5) }] },
    })
    let found: ReturnType<NonNullable<typeof filter>> = null
    const ms = took(() => {
      found = filter?.(event, { clientAddress: null, userAgent: null }) ?? null
    })
    assert.ok(ms < EVENT_MS, `${ms} ms`)
    assert.equal(found, 'unfinished')
  })

  it('names of releases costs a search, and whoever asks for the latest, little', () => {
    const names: readonly ((at: number) => string)[] = [
      (at) => `${'a'.repeat(150)}@1.0.${at}-${'a'.repeat(28)}+${at}`,
      (at) => `a@${100 + at}.0.0`,
      (at) => `a@${20_000 - at}.0.0+${at % 2 === 0 ? at : 'x'}`,
      (at) => `${at}@999.9.9`,
    ]
    const questions: readonly ReleaseQuestion[] = [
      { is: 'latest' },
      { is: 'shown', pattern: '*a*a*a*a*b' },
      { is: 'named', part: 'version', pattern: '*1*0*-*b' },
      { is: 'named', part: 'package', pattern: '*a*a*a*b' },
      { is: 'compared', sign: '>=', version: '1.0.5-aaa' },
      { is: 'built', least: 5, most: 7 },
      { is: 'staged', stage: 'replaced' },
    ]
    for (const name of names) {
      const releases = Array.from({ length: max('releasesPerOrgMax') }, (_, at) => ({
        ...{ projectId: projectId(1), version: name(at), atMs: at, eventCount: 1 },
        ...{ isDeployed: false, recent: { day: 0, events: at % 2_000 === 0 ? 1_000 : 1, before: 0 } },
      }))
      const meaning = releaseMeaning(releases, 1)
      for (const question of questions) {
        const ms = took(() => void meaning(question))
        assert.ok(ms < 2 * EVENT_MS, `${ms} ms for ${question.is} of ${name(1).slice(-20)}`)
      }
      const ms = took(() => {
        orderReleases(releases.map((release) => ({ ...release, place: 1 })))
        versionsThatBrought(
          releases.map((release) => ({ ...release, eventCount: 0 })),
          name(9_000),
        )
      })
      assert.ok(ms < 4 * EVENT_MS, `${ms} ms for the order of ${name(1).slice(-20)}`)
    }
  })

  it('what is shown to the public costs little', () => {
    const chars = 100_000
    const texts = [
      'a',
      'a/',
      'a.',
      '%41',
      '%4',
      'a@',
      'a@a.',
      '/home/',
      '\\\\\\\\a',
      ' ~aaa',
      ':',
      '1.',
      '1-',
      '"a',
    ]
    for (const part of texts) {
      const text = `${part.repeat(chars / part.length)}%41@`
      const ms = took(() => void withoutPeople(text, ['aaa', 'abc']))
      assert.ok(ms < EVENT_MS, `${ms} ms for ${part}`)
    }
  })

  it('alert rules costs a commit little', () => {
    const conditions = Array.from({ length: max('alertConditionsMax') }, (_, at) => ({
      ...{ is: 'tag', key: `k${at}`, how: 'contains', value: `${'a'.repeat(190)}${at === 19 ? 'b' : ''}` },
    }))
    const when = [{ on: 'frequency', of: 'events', withinMinutes: 60, count: 1 }]
    const one = { isOn: true, kind: 'issue', projects: null, when, if: { match: 'all', conditions } }
    const rules = Array.from({ length: max('alertRulesPerOrgMax') }, (_, id) => ({ ...one, id }))
    // Whatever a rule holds beside these is not read.
    const watch = watchOf(rules as unknown as readonly AlertRule[], projectId(1), false)
    assert.ok(watch !== null)
    const known = { eventCount: 1, firstReceivedMs: 1, kinds: new Map(), users: [], aliases: [] }
    const facets = Array.from({ length: 50 }, (_, at) => ({
      key: `k${at}`,
      value: 'a'.repeat(200),
      count: 1,
    }))
    const delta = { ...known, facets } as unknown as GroupDelta // what rules are counted by
    const ms = took(() => {
      for (let at = 1; at <= 10; at++) addGroup(new SlotAdditions(), watch, { issueId: issueId(at), delta })
    })
    assert.ok(ms < EVENT_MS, `${ms} ms`)
  })
})
