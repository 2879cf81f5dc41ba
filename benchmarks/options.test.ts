import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ingestCases } from './measures/rounds.ts'
import { firstOfRun } from './measures/target.ts'
import { MEASURES, readBenchOptions } from './options.ts'
import { optionsOrSentence } from './refusal.ts'
import { readSoakOptions } from './soak-options.ts'

describe('options of the benchmark', () => {
  it('measure everything in the quick form when nothing is asked', () => {
    const options = readBenchOptions([])
    assert.deepEqual(options.only, MEASURES)
    assert.equal(options.full, false)
    assert.ok(ingestCases(options).length < ingestCases(readBenchOptions(['--full'])).length)
  })

  it('narrow the ingest cases, also to a number of stacks that is none of the usual', () => {
    const one = ingestCases(readBenchOptions(['--size', '18', '--stacks', '3']))
    assert.deepEqual(
      one.map(({ corpus }) => corpus),
      [{ kind: 'error-18k', stacks: 3, seed: 1 }],
    )
    const [odd] = ingestCases(readBenchOptions(['--stacks', '17', '--seed', '5']))
    assert.deepEqual(odd?.corpus, { kind: 'error-5k', stacks: 17, seed: 5 })
  })

  it('name another build to measure this one against', () => {
    const options = readBenchOptions(['--against', 'main', '--pairs-only', '--size', '18'])
    assert.deepEqual([options.against, options.pairsOnly, options.wholeOnly], ['main', true, false])
  })

  for (const [args, complaint] of [
    [['--against', 'main', '--target', 'http://localhost:1'], /exclude each other/],
    [['--against', 'main', '--pairs-only', '--whole-only'], /nothing is left/],
    [['--only', 'speed'], /--only takes/],
    [['--target', 'http://localhost:1'], /come together/],
    [['--size', '7'], /5 or 18/],
    [['--rounds', 'many'], /above 0/],
    [['--first=-1'], /whole number/],
    [['--first', '1.5'], /whole number/],
    [['--first', '281474976710656'], /whole number/],
    [['--unknown'], /unknown/i],
  ] as const) {
    it(`refuse ${args.join(' ')}`, () => {
      assert.throws(() => readBenchOptions(args), complaint)
    })
  }

  it('let a run against another server begin where it is told, also at 0', () => {
    assert.equal(readBenchOptions([]).first, null)
    assert.equal(readBenchOptions(['--first', '0']).first, 0)
    const first = firstOfRun(Date.UTC(2026, 10, 21))
    assert.equal(readBenchOptions(['--first', String(first)]).first, first)
  })

  it('of the soak are a day at 20 events a second', () => {
    const { hours, rate } = readSoakOptions([])
    assert.deepEqual([hours, rate], [24, 20])
    assert.throws(() => readSoakOptions(['--hours', '0']), /above 0/)
    assert.throws(() => readSoakOptions(['--max-disk', 'much']), /takes a size/)
  })

  for (const [command, read] of [
    ['npm run bench', readBenchOptions],
    ['npm run soak', readSoakOptions],
  ] as const) {
    for (const args of [['--unknown'], ['--seed', 'x'], ['--seed'], ['stray']]) {
      it(`that "${command}" cannot read are told in one sentence: ${args.join(' ')}`, (test) => {
        const told = test.mock.method(console, 'error', () => {})
        assert.equal(
          optionsOrSentence(() => read(args), command),
          null,
        )
        assert.equal(told.mock.callCount(), 1)
        const sentence = String(told.mock.calls[0]?.arguments[0])
        assert.match(sentence, /^[^.\n]+; "npm run (?:bench|soak) -- --help" lists the options\.$/)
      })
    }
  }
})
