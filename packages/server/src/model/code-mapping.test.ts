import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type CodeMapping, commitOfRelease, hostOfRepository, sourceLink } from './code-mapping.ts'

const MAPPING: CodeMapping = {
  ...{ stackRoot: 'app/', sourceRoot: 'apps/shop/app/', repository: 'https://git.example/acme/shop/' },
  ...{ host: 'github', branch: 'main' },
}
const PLACE = { path: 'app/orders/[id]/totals.tsx', line: 41, commit: () => null }
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
    assert.equal(sourceLink([{ ...MAPPING, host }], { ...PLACE, commit: () => SHA }), start + ofCommit + end)
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

const OTHER = 'd51f9e2000000000000000000000000000000002'
const SHOP = { repository: 'acme/shop', commit: SHA }
const DOCS = { repository: 'acme/docs', commit: OTHER }
const ORIGIN = { repository: 'origin', commit: 'c41f9e2' }

for (const [what, name, revision, commit] of [
  ['its name, where that is a whole SHA', OTHER, { ref: null, heads: [SHOP] }, OTHER],
  ['nothing, where it is called something else', 'shop@1.2.3', null, null],
  ['nothing, where it has no name', null, null, null],
  ['the commit that was set for the repository', 'shop@1.2.3', { ref: null, heads: [DOCS, SHOP] }, SHA],
  [
    'the only commit, whatever its repository is called',
    'shop@1.2.3',
    { ref: OTHER, heads: [ORIGIN] },
    'c41f9e2',
  ],
  ['none of several others', 'shop@1.2.3', { ref: null, heads: [DOCS, ORIGIN] }, null],
  ['the ref, where that is a whole SHA', 'shop@1.2.3', { ref: OTHER, heads: [] }, OTHER],
  ['no branch', 'shop@1.2.3', { ref: 'main', heads: [] }, null],
  ['no commit that is no hash', 'shop@1.2.3', { ref: null, heads: [{ ...SHOP, commit: 'svn-12' }] }, null],
] as const) {
  it(`takes for the commit of a release ${what}`, () =>
    assert.equal(commitOfRelease({ name, revision, repository: MAPPING.repository }), commit))
}

it('takes no repository for another whose name ends alike', () => {
  const heads = [{ repository: 'op', commit: OTHER }, DOCS]
  const release = { name: null, revision: { ref: null, heads }, repository: MAPPING.repository }
  assert.equal(commitOfRelease(release), null)
})

it('tells the kind of server by its name', () => {
  assert.equal(hostOfRepository('https://gitlab.acme.example/a/b'), 'gitlab')
  assert.equal(hostOfRepository('https://codeberg.org/a/b'), 'forgejo')
  assert.equal(hostOfRepository('https://git.acme.example/a/b'), 'gitea')
})
