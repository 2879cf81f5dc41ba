import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type CodeMapping, commitOfRelease, hostOfRepository, sourceLink } from './code-mapping.ts'

const MAPPING: CodeMapping = {
  ...{ stackRoot: 'app/', sourceRoot: 'apps/shop/app/', repository: 'https://git.example/acme/shop/' },
  ...{ host: 'github', branch: 'main' },
}
const PLACE = { path: 'app/orders/[id]/totals.tsx', line: 41, commit: null }
const SHA = 'c41f9e2000000000000000000000000000000001'

for (const [host, ofBranch, ofCommit] of [
  ['github', 'blob/main/', `blob/${SHA}/`],
  ['gitlab', '-/blob/main/', `-/blob/${SHA}/`],
  ['gitea', 'src/branch/main/', `src/commit/${SHA}/`],
  ['forgejo', 'src/branch/main/', `src/commit/${SHA}/`],
  ['bitbucket', 'src/main/', `src/${SHA}/`],
] as const) {
  it(`leads to the line of a file at ${host}, of the branch or of the commit that was deployed`, () => {
    const end = `apps/shop/app/orders/%5Bid%5D/totals.tsx${host === 'bitbucket' ? '#lines-41' : '#L41'}`
    const start = 'https://git.example/acme/shop/'
    assert.equal(sourceLink([{ ...MAPPING, host }], PLACE), start + ofBranch + end)
    assert.equal(sourceLink([{ ...MAPPING, host }], { ...PLACE, commit: SHA }), start + ofCommit + end)
  })
}

it('takes the longest beginning that fits', () => {
  const all = { ...MAPPING, stackRoot: '', sourceRoot: '', branch: 'all' }
  const link = sourceLink([all, MAPPING], { ...PLACE, path: 'app/a.ts', line: null })
  assert.equal(link, 'https://git.example/acme/shop/blob/main/apps/shop/app/a.ts')
  assert.match(sourceLink([all, MAPPING], { ...PLACE, path: 'lib/a.ts' }) ?? '', /blob\/all\/lib\/a\.ts#L41$/)
})

for (const path of ['lib/a.ts', 'app/../../secret', 'app/node_modules/x/a.js', 'app/']) {
  it(`leads nowhere for ${path}`, () => assert.equal(sourceLink([MAPPING], { ...PLACE, path }), null))
}

it('never follows an address of its own', () => {
  const all = { ...MAPPING, stackRoot: '', sourceRoot: '' }
  assert.equal(sourceLink([all], { ...PLACE, path: 'https://shop.example/app.js' }), null)
  assert.equal(sourceLink([all], { ...PLACE, path: 'javascript:alert(1)' }), null)
})

it('takes a release for a commit only where it is a whole SHA', () => {
  assert.equal(commitOfRelease(SHA), SHA)
  assert.equal(commitOfRelease('shop@1.2.3'), null)
  assert.equal(commitOfRelease(null), null)
})

it('tells the kind of server by its name', () => {
  assert.equal(hostOfRepository('https://gitlab.acme.example/a/b'), 'gitlab')
  assert.equal(hostOfRepository('https://codeberg.org/a/b'), 'forgejo')
  assert.equal(hostOfRepository('https://git.acme.example/a/b'), 'gitea')
})
