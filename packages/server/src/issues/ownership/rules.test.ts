import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { teamId, userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { OwnershipFacts } from '#ports/ownership.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { parseCodeOwners } from './code-owners.ts'
import { OwnershipCompiler } from './compiled.ts'
import { ownershipProblems, suggestedOwners } from './owners.ts'
import { parseRules } from './rules.ts'

const [ADA, ROSA, PAYMENTS] = [userId(1), userId(2), teamId(7)]
const DIRECTORY = {
  people: [
    { userId: ADA, name: 'Ada Byron', email: 'ada@example.com' },
    { userId: ROSA, name: 'Rosa', email: 'rosa@example.com' },
  ],
  teams: [{ id: PAYMENTS, slug: 'payments' }],
}
const facts = (change: Partial<OwnershipFacts>): OwnershipFacts => ({
  ...{ paths: [], modules: [], url: null, tags: [], codeMappings: [], ...change },
})
const compiler = new OwnershipCompiler()
const found = (texts: { readonly rules: string; readonly codeOwners: string }, of: OwnershipFacts) =>
  suggestedOwners(compiler.compile(texts), of, { directory: DIRECTORY }).owners
const owners = (rules: string, of: Partial<OwnershipFacts>, codeOwners = '') =>
  found({ rules, codeOwners }, facts(of)).map(({ owner }) => owner)

describe('ownership rules', () => {
  it('match paths, modules, addresses and tags, whole and in any case', () => {
    const rules = `
      # comments and blank lines say nothing
      path:src/Checkout/* #payments
      module:com.shop.* ada@example.com
      url:https://shop.example/pay* rosa@example.com
      tags.area:"the till" ROSA@example.com`
    assert.deepEqual(owners(rules, { paths: ['src/checkout/cart.ts'] }), [{ team: PAYMENTS }])
    assert.deepEqual(owners(rules, { paths: ['webpack://shop/./src/checkout/cart.ts?1a'] }), [
      { team: PAYMENTS },
    ])
    assert.deepEqual(owners(rules, { paths: ['lib/src/checkout/cart.ts'] }), [])
    assert.deepEqual(owners(rules, { modules: ['com.shop.Cart'] }), [ADA])
    assert.deepEqual(owners(rules, { url: 'https://shop.example/pay?x=1' }), [ROSA])
    assert.deepEqual(owners(rules, { tags: [{ key: 'area', value: 'The Till' }] }), [ROSA])
    assert.deepEqual(owners(rules, { tags: [{ key: 'other', value: 'the till' }] }), [])
  })

  it('name the owners of the last rule first, each once', () => {
    const rules = 'path:* ada@example.com rosa@example.com\npath:*.ts #payments ada@example.com'
    assert.deepEqual(owners(rules, { paths: ['a.ts'] }), [{ team: PAYMENTS }, ADA, ROSA])
    assert.deepEqual(owners(rules, { paths: ['a.js'] }), [ADA, ROSA])
  })

  it('come before CODEOWNERS, of which the last pattern alone holds', () => {
    const file = '* @ada\n/src/ @acme/payments\n/src/open/'
    assert.deepEqual(owners('', { paths: ['readme.md'] }, file), [ADA])
    assert.deepEqual(owners('', { paths: ['src/a.ts'] }, file), [{ team: PAYMENTS }])
    assert.deepEqual(owners('', { paths: ['src/open/a.ts'] }, file), [], 'a pattern without owners')
    assert.deepEqual(owners('path:* rosa@example.com', { paths: ['src/a.ts'] }, file), [
      ROSA,
      { team: PAYMENTS },
    ])
  })

  it('say what is wrong at its line', () => {
    const rules = 'path:a #payments\nfile:b ada@example.com\npath:c\n\npath:d #nobody\npath:e what'
    assert.deepEqual(
      ownershipProblems(rules, 'rules', DIRECTORY).map(({ line, says }) => [line, says]),
      [
        [2, 'A rule begins with “path:”, “module:”, “url:” or “tags.KEY:” and a pattern.'],
        [3, 'It names no owner: “#team” or an email.'],
        [5, 'No team of the project is called “#nobody”.'],
        [6, '“what” is neither “#team”, “@name” nor an email.'],
      ],
    )
    const file = '* @ada @nobody\n[Section] @x\n/docs ada@example.com # theirs\n/lib @acme/gone'
    assert.deepEqual(
      ownershipProblems(file, 'codeowners', DIRECTORY).map(({ line }) => line),
      [1, 4],
    )
    assert.equal(parseCodeOwners(file).rules.length, 3)
  })

  it('are bounded, in time too', () => {
    const most = max('ownershipRulesMax')
    const many = parseRules('path:*a*a*a*a*b #payments\n'.repeat(most + 5))
    assert.equal(many.rules.length, most)
    assert.equal(many.problems[0]?.line, most + 1)
    const long = `path:${'x'.repeat(max('ownershipPatternCharsMax') + 1)} #payments`
    assert.equal(parseRules(long).rules.length, 0)
    const paths = Array.from({ length: 500 }, () => 'a'.repeat(50_000))
    const before = cpuMs()
    assert.deepEqual(
      owners('path:*a*a*a*a*b #payments\n'.repeat(most), { paths, modules: paths, url: paths[0] ?? '' }),
      [],
    )
    assert.ok(cpuMs() - before < 2_000, `${cpuMs() - before} ms`)
  })
})
