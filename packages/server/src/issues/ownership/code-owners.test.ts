import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { teamId, userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { OwnershipFacts } from '#ports/ownership.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { parseCodeOwners } from './code-owners.ts'
import { OwnershipCompiler } from './compiled.ts'
import { ownershipProblems, suggestedOwners } from './owners.ts'

const [ADA, ROSA] = [userId(1), userId(2)]
const TEAMS = ['core', 'web', 'writers', 'data'].map((slug, index) => ({ id: teamId(index + 1), slug }))
const DIRECTORY = {
  people: [
    { userId: ADA, name: 'Ada Byron', email: 'ada@example.com' },
    { userId: ROSA, name: 'Rosa', email: 'rosa@example.com' },
  ],
  teams: TEAMS,
}
const NOTHING: OwnershipFacts = { paths: [], modules: [], url: null, tags: [], codeMappings: [] }

const compiler = new OwnershipCompiler()
const found = (texts: { readonly rules: string; readonly codeOwners: string }, of: OwnershipFacts) =>
  suggestedOwners(compiler.compile(texts), of, { directory: DIRECTORY }).owners

function owners(codeOwners: string, paths: readonly string[], codeMappings = NOTHING.codeMappings) {
  const facts = { ...NOTHING, paths, codeMappings }
  return found({ rules: '', codeOwners }, facts).map(({ owner }) =>
    typeof owner === 'object' ? `#${TEAMS.find(({ id }) => id === owner.team)?.slug}` : owner,
  )
}

const problems = (file: string) =>
  ownershipProblems(file, 'codeowners', DIRECTORY).map(({ line, says }) => `${line}: ${says}`)

/** The forms that GitHub's own page on the subject shows. */
const GITHUB = `# Each line is a file pattern followed by one or more owners.
*       @acme/core @ada

*.js    @rosa #This is an inline comment.
*.go    docs@example.com
/build/logs/ @acme/data
docs/*  rosa@example.com
apps/ @acme/web
**/logs @acme/data
/scripts/ @ada @acme/core
/apps/github
/packages/ui\\ kit/ @acme/web   # spaces
/app/\\[slug\\]/ @acme/writers
/app/(shop)/[id]/page.tsx @acme/data
`.replaceAll('\n', '\r\n')

/** And those of GitLab's. */
const GITLAB = `* @acme/core
README.md @group @ada
\\#file_with_pound.rb @acme/data
/config/ @@maintainer @rosa

[Documentation][2] @acme/writers
docs/
*.txt
!docs/api/
docs/api/open.md

^[Database] @acme/group/data
model/db/
config/db/setup.ts @ada
model/db/free.ts @@developer

[DOCUMENTATION]
/guide/ @rosa
[Broken section
`

describe('CODEOWNERS', () => {
  const CASES: readonly (readonly [file: string, path: string, owners: readonly (string | number)[]])[] = [
    [GITHUB, 'src/app.ts', ['#core', ADA]],
    [GITHUB, 'src/app.js', [ROSA]],
    [GITHUB, 'build/logs/today.ts', ['#data']],
    [GITHUB, 'docs/start.ts', [ROSA]],
    [GITHUB, 'docs/more/start.ts', ['#core', ADA]],
    [GITHUB, 'src/apps/cart.ts', ['#web']],
    [GITHUB, 'apps/github/cart.ts', []],
    [GITHUB, 'packages/ui kit/button.ts', ['#web']],
    [GITHUB, 'app/[slug]/page.tsx', ['#writers']],
    [GITHUB, 'app/(shop)/[id]/page.tsx', ['#data']],
    [GITHUB, 'main.go', []],
    [GITLAB, 'src/app.rb', ['#core']],
    [GITLAB, 'config/a.rb', [ROSA]],
    [GITLAB, 'docs/start.rb', ['#writers', '#core']],
    [GITLAB, 'docs/api/start.rb', ['#core']],
    [GITLAB, 'docs/api/open.md', ['#core']],
    [GITLAB, 'guide/start.rb', [ROSA, '#core']],
    [GITLAB, 'src/model/db/user.rb', ['#core']],
    [GITLAB, 'model/db/user.rb', ['#data', '#core']],
    [GITLAB, 'config/db/setup.ts', [ADA, ROSA]],
    [GITLAB, 'model/db/free.ts', ['#core']],
  ]
  for (const [file, path, expected] of CASES) {
    const kind = file === GITHUB ? 'GitHub' : 'GitLab'
    it(`of ${kind} names ${JSON.stringify(expected)} for ${path}`, () =>
      assert.deepEqual(owners(file, [path]), expected))
  }

  it('names the owners of the frame nearest to the failure first', () => {
    const file = '/lib/ @ada\n/src/ @rosa\n/vendor/'
    assert.deepEqual(owners(file, ['lib/a.ts', 'src/b.ts', 'vendor/c.ts']), [ADA, ROSA])
    assert.deepEqual(owners(file, ['vendor/c.ts', 'src/b.ts']), [ROSA])
  })

  it('is about paths of the repository where code mappings tell them', () => {
    const mapping = { repository: 'https://git.example/a', host: 'gitea' as const, branch: 'main' }
    const mappings = [
      { ...mapping, stackRoot: '/srv/app/', sourceRoot: 'apps/shop/' },
      { ...mapping, stackRoot: 'webpack://shop/./', sourceRoot: 'apps/web/' },
    ]
    const file = '/apps/shop/ @ada\n/apps/web/ @rosa'
    assert.deepEqual(owners(file, ['/srv/app/cart.ts'], mappings), [ADA])
    assert.deepEqual(owners(file, ['webpack://shop/./cart.ts'], mappings), [ROSA])
    assert.deepEqual(owners(file, ['/srv/app/cart.ts']), [])
  })

  it('says at its line what it leaves out, a name once', () => {
    assert.deepEqual(problems(GITLAB), [
      '2: “@group” is no team of the project, and no one who can read it.',
      '4: “@@maintainer” is a role; roles are not supported.',
      '15: “@@developer” is a role; roles are not supported.',
      '19: The name of a section ends with “]”.',
    ])
    const many = `${'/a @gone\n'.repeat(500)}/b what @ada`
    assert.deepEqual(problems(many), [
      '1: “@gone” is no team of the project, and no one who can read it. Also in 499 more lines.',
      '501: “what” is neither “#team”, “@name” nor an email.',
    ])
    assert.deepEqual(owners(many, ['b']), [ADA])
  })

  it('reads the lines after many that are wrong', () => {
    const file = `${'/a what\n'.repeat(1_000)}/b @ada`
    assert.deepEqual(owners(file, ['b']), [ADA])
  })

  it('takes thousands of lines, and finds owners for a deep stack of them in little time', () => {
    const line = (at: number) => `/packages/area-${at}/**/part-*/src/ @acme/core @ada`
    const file = Array.from({ length: 3_000 }, (_, at) => line(at)).join('\n')
    assert.ok(file.length < max('codeOwnersCharsMax'), `${file.length} characters`)
    assert.equal(parseCodeOwners(file).rules.length, 3_000)
    const paths = Array.from({ length: 50 }, (_, at) => `packages/none/a/b/c/part-${at}/src/index.ts`)
    const before = cpuMs()
    assert.deepEqual(owners(file, paths), [])
    const tookMs = cpuMs() - before
    assert.ok(tookMs < 500, `${tookMs} ms`)
    assert.deepEqual(owners(file, ['packages/area-2999/a/part-b/src/c.ts']), ['#core', ADA])
  })
})
