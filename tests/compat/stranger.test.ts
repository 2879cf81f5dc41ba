/**
 * A stranger adds settings of a project and a feature of the web app as the recipes say, in a copy of the sources:
 * settings by their entries alone, the feature by a folder and two lines. The copy is built, run and asked.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { joinAs, type Person, person, resultOf, signIn } from '../support/person.ts'
import type { RunningErrata, SetUp } from '../support/start-errata.ts'
import { ROOT } from '../tidy/sources.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const run = promisify(execFile)
const FLAGS = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']

const SETTINGS = `
  graceDays: wholeSetting({
    section: 'retention',
    fallback: 3,
    least: 1,
    most: 30,
    unit: 'days',
    noun: 'Days',
    label: 'Grace period',
    hint: '1 to 30. How long a resolved issue takes late events.',
  }),
  holdsLate: switchSetting({
    section: 'retention',
    fallback: true,
    label: 'Hold late events',
    hint: 'Until their issue is looked at.',
  }),
  residence: choiceSetting({
    section: 'scrubbing',
    part: 'Residence',
    fallback: 'any',
    words: { any: 'Anywhere', near: 'Near the user' },
    label: 'Where copies are kept',
    hint: 'Applies to events from now on.',
  }),
  nicknames: textsSetting({
    section: 'scrubbing',
    part: 'Residence',
    format: 'line',
    most: 2,
    rows: 2,
    noun: 'Nicknames',
    label: 'Nicknames of the app',
    hint: 'One per line, at most 2.',
  }),
`

const FEATURE: Readonly<Record<string, string>> = {
  'feature.ts': `
import { feature } from '#parts/feature.ts'
import { segment } from '#parts/paths.ts'
import { pageRoute } from '#wire/route.ts'

export const notesFeature = feature({
  routes: [
    pageRoute({
      id: 'notes',
      docs: 'everyday',
      path: '/:org/notes',
      access: 'project.create',
      file: 'features/notes/notes-view.tsx',
      view: async () => (await import('./notes-view.tsx')).NotesView,
    }),
  ],
  places: [
    {
      name: 'Notes',
      path: (org) => \`/\${segment(org)}/notes\`,
      at: 8.5,
      access: 'project.create',
      key: 'h',
      rail: { group: 'data', icon: 'M3 3h10v10H3Z' },
    },
  ],
})
`,
  'notes.server.ts': `
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export async function loadNotes(ctx: LoaderContext) {
  const { scope, engine } = requireScope(ctx)
  return { projects: (await engine.queries.projects(scope)).map(({ name }) => name) }
}
`,
  'notes-view.tsx': `
import { Page, PageHead } from '#parts/page-head.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadNotes } from './notes.server.ts'

export function NotesView() {
  const { projects } = usePageData<typeof loadNotes>()
  return (
    <Page>
      <PageHead title="Notes" />
      <p>Notes on {projects.join(', ')}</p>
    </Page>
  )
}
`,
  'table.server.ts': `
import { featureTable } from '#wire/app-tables.ts'
import { notesFeature } from './feature.ts'
import { loadNotes } from './notes.server.ts'

export const notesTable = featureTable({
  routes: notesFeature.routes,
  loaders: { notes: loadNotes },
  actions: [],
  handlers: [],
})
`,
}

const RETENTION = '/shop/projects/web/settings/retention'
const SCRUBBING = '/shop/projects/web/settings/scrubbing'

// A build and a start, on a machine that may be busy.
const WITHIN = { timeout: 900_000 }

describe('a stranger', WITHIN, () => {
  const copy = join(ROOT, `.cache/stranger-${process.pid}`)
  let running: RunningErrata & { readonly shop: SetUp }
  let rosa: Person

  before(async () => {
    copySources(copy)
    const options = join(copy, 'packages/server/src/model/project-options.ts')
    change(options, /\n\} as const\n\nexport type ProjectOptions/, (end) => `${SETTINGS}${end.slice(1)}`)
    const web = join(copy, 'packages/web/src')
    mkdirSync(join(web, 'features/notes'))
    for (const [name, text] of Object.entries(FEATURE))
      writeFileSync(join(web, 'features/notes', name), text.trimStart())
    for (const [list, file] of [
      ['features.ts', 'feature.ts'],
      ['tables.server.ts', 'table.server.ts'],
    ] as const) {
      const name = file === 'feature.ts' ? 'notesFeature' : 'notesTable'
      change(join(web, 'shell', list), /$/, () => `export { ${name} } from '#features/notes/${file}'\n`)
    }
    await run(process.execPath, [...FLAGS, join(copy, 'scripts/build.ts'), 'errata'], { cwd: copy })
    // Which build is run is read when the module is.
    process.env.ERRATA_PACKAGE = join(copy, 'packages/errata')
    const { OWNER, startShop } = await import('../support/start-errata.ts')
    running = await startShop()
    rosa = await signIn(running.url, OWNER)
  }, WITHIN)
  after(async () => {
    await running?.[Symbol.asyncDispose]()
    rmSync(copy, { recursive: true, force: true })
  })

  const project = () => rosa.api('GET', '/projects/shop/web/')
  const options = async (): Promise<Json> => (await (await project()).json()).options
  const put = (body: object, ifMatch?: string) =>
    fetch(`${running.url}/api/0/projects/shop/web/`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${running.shop.token}`,
        'content-type': 'application/json',
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      body: JSON.stringify(body),
    })
  /** Values that a form of the page would send as seen. */
  const seenAt = async (path: string): Promise<string> => {
    const html = await (await rosa.document(path)).text()
    return (/name="seen" value="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"')
  }

  it('finds a setting in its form, with label, unit and hint', async () => {
    const retention = await (await rosa.document(RETENTION)).text()
    for (const part of ['Grace period', 'name="graceDays"', 'How long a resolved issue takes late events.'])
      assert.ok(retention.includes(part), part)
    assert.match(retention, /name="holdsLate"[^>]*checked|checked[^>]*name="holdsLate"/)
    const scrubbing = await (await rosa.document(SCRUBBING)).text()
    assert.match(scrubbing, /<option value="near">Near the user<\/option>/)
    for (const part of ['Residence', 'name="nicknames"', 'One per line, at most 2.'])
      assert.ok(scrubbing.includes(part), part)
  })

  it('saves it by the form, and is told at the field what is wrong', async () => {
    const seen = await seenAt(RETENTION)
    const saved = await rosa.act('project.retention', RETENTION, { graceDays: '12', seen })
    assert.equal(saved.status, 200, await saved.text())
    const { graceDays, holdsLate, retentionDays } = await options()
    // A box that the form shows and does not send is off; a field that is not sent stays.
    assert.deepEqual([graceDays, holdsLate, retentionDays], [12, false, 90])
    const wrong: Json = await (await rosa.act('project.retention', RETENTION, { graceDays: '99' })).json()
    assert.deepEqual(wrong.error.fields.graceDays, ['Days: at most 30.'])
    const lists = { residence: 'near', nicknames: 'cart\nbasket' }
    const scrubbing = await rosa.act('project.scrubbing', SCRUBBING, {
      ...lists,
      seen: await seenAt(SCRUBBING),
    })
    assert.equal(scrubbing.status, 200, await scrubbing.text())
    const after = await options()
    assert.deepEqual([after.residence, after.nicknames], ['near', ['cart', 'basket']])
  })

  it('reads and writes it over the web API, which describes it and names its field', async () => {
    assert.equal((await put({ options: { graceDays: 7, nicknames: ['till'] } })).status, 200)
    assert.deepEqual(Object.keys(await options()).slice(-7, -3), [
      'graceDays',
      'holdsLate',
      'residence',
      'nicknames',
    ])
    for (const [given, field] of [
      [{ graceDays: 'x' }, 'options.graceDays'],
      [{ holdsLate: 1 }, 'options.holdsLate'],
      [{ residence: 'moon' }, 'options.residence'],
      [{ nicknames: ['a', 'b', 'c'] }, 'options.nicknames'],
      [{ nicknames: [''] }, 'options.nicknames.0'],
    ] as const) {
      const refused = await put({ options: given })
      assert.deepEqual([refused.status, Object.keys(await refused.json())], [400, [field]])
    }
    const described: Json = await (await fetch(`${running.url}/api/0/openapi.json`)).json()
    const { put: call } = described.paths['/projects/{org}/{project}/']
    const body = call.requestBody.content['application/json'].schema.properties.options.properties
    assert.deepEqual([body.graceDays.maximum, body.residence.enum], [30, ['any', 'near']])
    const answer = described.components.schemas.ProjectDetail.properties.options
    assert.deepEqual(answer.properties.graceDays, { type: 'integer' })
    assert.ok(answer.required.includes('nicknames'))
  })

  it('finds it in the audit log', async () => {
    await put({ options: { graceDays: 8 } })
    const log: Json = await (await rosa.api('GET', '/organizations/shop/audit-logs/')).json()
    assert.deepEqual([log.rows[0].event, log.rows[0].data.changed], ['project.changed', 'options.graceDays'])
  })

  it('is told that somebody else changed it: in the form, and by If-Match', async () => {
    const seen = await seenAt(RETENTION)
    const version = (await project()).headers.get('etag') ?? ''
    assert.equal((await put({ options: { graceDays: 9 } })).status, 200)
    const late = await rosa.act('project.retention', RETENTION, { graceDays: '10', seen })
    assert.equal(late.status, 409, await late.text())
    assert.equal((await put({ name: 'Lost' }, version)).status, 412)
    assert.equal((await options()).graceDays, 9)
  })

  it('finds it in the palette and in the table of the handbook', async () => {
    const found: Json = await (await rosa.script('/palette?org=shop&q=grace+period')).json()
    const { entries } = found.groups.find(({ name }: Json) => name === 'Settings')
    assert.deepEqual([entries[0].text, entries[0].path], ['Grace period: web', RETENTION])
    await run(process.execPath, [...FLAGS, join(copy, 'scripts/spec-tables.ts')], { cwd: copy })
    const page = readFileSync(join(copy, 'docs/projects.md'), 'utf8')
    assert.match(page, /\| Grace period \| Retention and limits \| `graceDays` \| 1 to 30 days \| `3` \|/)
    assert.match(
      page,
      /\| Where copies are kept \| Data scrubbing \| `residence` \| `any`, `near` \| `"any"` \|/,
    )
  })

  it('opens a page of their own, in the rail with its key, behind its permission', async () => {
    const page = await rosa.document('/shop/notes')
    const html = await page.text()
    assert.equal(page.status, 200)
    assert.match(html, /Notes on (?:<!-- -->)?[^<]*web/)
    const row = /<a[^>]*href="\/shop\/notes"[^>]*>[\s\S]*?<\/a>/.exec(html)?.[0] ?? ''
    assert.match(row, /aria-current="page"/)
    assert.match(row, />g<\/span>[\s\S]*>h<\/span>/)
    assert.equal((await rosa.pageData('/shop/notes')).status, 200)
    assert.equal((await rosa.document('/shop/notes/more')).status, 404)
    assert.equal((await rosa.document('/nobody/notes')).status, 404)
    const signedOut = await person(running.url, null).document('/shop/notes')
    assert.match(signedOut.headers.get('location') ?? '', /^\/sign-in/)
    const bo = { email: 'bo@shop.example', role: 'viewer', teams: [] }
    const invited = await rosa.act('member.invite', '/shop/settings/members', bo)
    const viewer = await joinAs(
      running.url,
      (await resultOf<{ url: string }>(invited)).url,
      'a password of Bo',
    )
    assert.equal((await viewer.document('/shop/notes')).status, 403)
    assert.ok(!(await (await viewer.document('/shop/issues')).text()).includes('/shop/notes'))
  })
})

/** Copies what a build reads, into a folder below the sources, where packages from outside are found. */
function copySources(to: string): void {
  const isSource = (path: string) => !['node_modules', 'dist', '.cache'].includes(basename(path))
  for (const name of ['packages', 'scripts', 'docs', 'deploy', 'examples'])
    cpSync(join(ROOT, name), join(to, name), { recursive: true, filter: isSource })
  for (const name of readdirSync(ROOT).filter((each) => /^(?:package|tsconfig).*\.json$|\.md$/.test(each)))
    cpSync(join(ROOT, name), join(to, name))
  const modules = join(to, 'node_modules')
  mkdirSync(join(modules, '@errata'), { recursive: true })
  // Others are found above the copy; the compiler is run by its path.
  symlinkSync(join(ROOT, 'node_modules/typescript'), join(modules, 'typescript'))
  symlinkSync(join(ROOT, 'scripts/client-types/node_modules'), join(to, 'scripts/client-types/node_modules'))
  for (const name of ['client', 'protocol', 'relay', 'server', 'web'])
    symlinkSync(join(to, 'packages', name), join(modules, '@errata', name))
}

function change(file: string, place: RegExp, write: (found: string) => string): void {
  const text = readFileSync(file, 'utf8')
  const changed = text.replace(place, write)
  assert.notEqual(changed, text, `${file} has no such place`)
  writeFileSync(file, changed)
}
