import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StepBudget } from '#model/step-budget.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { segmentsOfPath, segmentsOfPattern } from './path-pattern.ts'
import { PathTrie } from './path-trie.ts'

function matchesPathPattern(pattern: string, path: string): boolean {
  const trie = new PathTrie()
  trie.add(segmentsOfPattern(pattern), 0)
  return trie.find(segmentsOfPath(path), new StepBudget(1_000_000)) !== null
}

describe('patterns of CODEOWNERS', () => {
  const CASES: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
    ['*', 'src/app.ts', true],
    ['*.ts', 'src/app.ts', true],
    ['*.ts', 'src/app.js', false],
    ['/build/logs/', 'build/logs/a/b.txt', true],
    ['/build/logs/', 'src/build/logs/a.txt', false],
    ['docs/*', 'docs/start.md', true],
    ['docs/*', 'docs/more/start.md', false],
    ['apps/', 'src/apps/shop/cart.ts', true],
    ['/docs/', 'docs/a.md', true],
    ['/apps/github', 'apps/github/x.ts', true],
    ['**/logs', 'deep/down/logs/x.txt', true],
    ['src/**/cart.ts', 'src/a/b/cart.ts', true],
    ['src/**/cart.ts', 'src/cart.ts', true],
    ['src/**/cart.ts', 'lib/cart.ts', false],
    ['/src/*/cart.ts', 'src/a/cart.ts', true],
    ['/src/*/cart.ts', 'src/a/b/cart.ts', false],
    ['/', 'anything/at/all.ts', true],
    ['', 'a.ts', false],
    ['cart.ts', 'src/cart.ts', true],
    ['cart.ts', 'src/cart.tsx', false],
    ['/src/**', 'src/a.ts', true],
  ]
  for (const [pattern, path, matches] of CASES)
    it(`“${pattern}” ${matches ? 'holds' : 'does not hold'} ${path}`, () =>
      assert.equal(matchesPathPattern(pattern, path), matches))

  it('takes hostile patterns and paths in little time', () => {
    const before = cpuMs()
    const pattern = `${'**/a*a*a*'.repeat(60)}b`
    for (let index = 0; index < 100; index++) matchesPathPattern(pattern, `${'aaaaaaaa/'.repeat(31)}c`)
    matchesPathPattern(`${'*a'.repeat(250)}b`, 'a'.repeat(100_000))
    assert.ok(cpuMs() - before < 1_500, `${cpuMs() - before} ms`)
  })
})
