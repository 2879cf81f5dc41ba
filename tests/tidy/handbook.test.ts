/** The handbook inside the product: nothing of the product is without its place in it, and no link leads nowhere. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { PERMISSIONS, SCOPES } from '@errata/server/access'
import { SETTINGS } from '@errata/server/settings'
import { SUBCOMMANDS } from '../../packages/errata/src/subcommands.ts'
import { METRIC_TEXTS } from '../../packages/server/src/engine/health/metric-table.ts'
import { LIMITS } from '../../packages/server/src/limits/limits.ts'
import { handbookFiles, readHandbook } from '../../packages/web/handbook/build-handbook.ts'
import { readPage } from '../../packages/web/handbook/markdown.ts'
import { BASE_MARK } from '../../packages/web/src/handbook/handbook.ts'
import { handlers } from '../../packages/web/src/shell/features.server.ts'
import { pages } from '../../packages/web/src/shell/pages.ts'
import { matchTable } from '../../packages/web/src/wire/page-at.ts'
import { handbookTexts, withLimits } from '../../scripts/handbook-tables.ts'
import { ROOT, repositoryFiles } from './sources.ts'

const { handbook, sources } = readHandbook(ROOT)
const PLACES = new Set(
  handbook.pages.flatMap(({ slug, sections }) => [
    slug,
    ...sections.map(({ anchor }) => `${slug}#${anchor}`),
  ]),
)
const textOf = (slug: string) => {
  const page = handbook.pages.find((each) => each.slug === slug)
  assert.ok(page !== undefined, slug)
  return page.html
}
/** Every source of the web app that people are shown. */
const SOURCES = repositoryFiles()
  .filter((path) => /^packages\/web\/src\/.*\.tsx?$/.test(path) && !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

describe('the handbook', () => {
  it('has a place for every screen', () => {
    const without = pages.filter(({ docs }) => !PLACES.has(docs)).map(({ id, docs }) => `${id}: ${docs}`)
    assert.deepEqual(without, [])
    const listed = textOf('screens')
    const missing = pages.filter(({ path }) => path !== '*' && !listed.includes(`>${path}<`))
    assert.deepEqual(
      missing.map(({ path }) => path),
      [],
    )
  })

  it('has a place for every setting, role, scope and metric', () => {
    const configure = textOf('operating/configure')
    for (const { flag, variable } of Object.values(SETTINGS))
      assert.ok(configure.includes(`>${flag}<`) && configure.includes(`>${variable}<`), flag)
    const roles = textOf('roles')
    for (const role of Object.values(PERMISSIONS).flatMap((each) => each.roles))
      assert.ok(roles.toLowerCase().includes(`<td data-label="role">${role}</td>`), role)
    for (const scope of SCOPES) assert.ok(roles.includes(`>${scope}</code></td>`), scope)
    const metrics = textOf('operating/metrics')
    const names = Object.keys(METRIC_TEXTS)
    assert.ok(names.length > 15)
    for (const name of names) assert.ok(metrics.includes(`>${name}</code></td>`), name)
  })

  it('names every command', () => {
    const all = handbook.pages.map(({ html }) => html).join('\n')
    const missing = SUBCOMMANDS.map(({ name }) => name.join(' ')).filter((name) => !all.includes(name))
    assert.deepEqual(missing, [])
  })

  it('is what answers and messages name, and not a file of the repository', () => {
    const code = repositoryFiles().filter(
      (path) =>
        /^packages\/(?:server|web|errata|relay)\/src\/.*\.tsx?$/.test(path) && !path.includes('.test.'),
    )
    const isComment = (line: string) => /^\s*(?:\*|\/\/|\/\*)/.test(line)
    const named = code.flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .filter(
          (line) => !isComment(line) && /['"`].*\bdocs\/[\w/-]+\.md/.test(line) && !/^import /.test(line),
        )
        .map((line) => `${path}: ${line.trim()}`),
    )
    assert.deepEqual(named, [])
  })

  it('is reached by links of the app that all lead somewhere', (t) => {
    const found = SOURCES.flatMap(({ path, text }) =>
      [...text.matchAll(/<Docs(?:Link|Button)\b[^>]*?\bto=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(
        ([, plain, chosen = '']) =>
          plain === undefined
            ? [...chosen.matchAll(/[?:] '([\w/-]+(?:#[\w-]+)?)'/g)].map(([, to = '']) => ({ path, to }))
            : [{ path, to: plain }],
      ),
    )
    t.diagnostic(`${found.length} links`)
    assert.ok(found.length > 25, String(found.length))
    assert.deepEqual(
      found.filter(({ to }) => !PLACES.has(to)),
      [],
    )
  })

  it('leads to pages, headings, files and screens that are there', (t) => {
    let count = 0
    const broken = handbook.pages.flatMap(({ slug, html }) =>
      [...html.matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, target = '']) => {
        if (target.startsWith('https://')) return []
        count += 1
        return isThere(target, slug) ? [] : [`${slug}: ${target.replace(BASE_MARK, '')}`]
      }),
    )
    t.diagnostic(`${count} links`)
    assert.deepEqual(broken, [])
    const listed = handbook.groups.flatMap(({ links }) => links).filter(({ href }) => !isThere(href, ''))
    assert.deepEqual(listed, [])
  })

  it('says what the code says: tables, defaults and limits', () => {
    for (const { path, written, expected } of handbookTexts(handbookFiles(ROOT)))
      assert.equal(written, expected, `${path}: run \`npm run docs\``)
    assert.equal(
      withLimits('for 1<!-- = retentionDaysDefault --> days'),
      `for ${LIMITS.retentionDaysDefault.value}<!-- = retentionDaysDefault --> days`,
    )
    assert.throws(() => withLimits('1<!-- = nothingMax -->'), /no limit/)
  })

  it('hands out only what pages lead to, under one name each', () => {
    const own = ['find', 'files']
    assert.ok(handbook.pages.every(({ slug }) => !own.includes(slug.split('/')[0] ?? '')))
    assert.equal(new Set(handbook.files).size, handbook.files.length)
    assert.ok(sources.every((path) => /^(?:docs\/.*\.png|deploy\/[\w.-]+)$/.test(path)))
  })

  it('takes no tags, scripts or other schemes from its sources', () => {
    const page = readPage(
      '# T\n\n<script>a()</script>\n\nb <img src=x onerror=c> [d](javascript:e) ![f](javascript:g)\n',
      () => null,
    )
    assert.doesNotMatch(page.html, /<(?:script|img)|javascript:/)
    assert.match(page.html, /&lt;script&gt;/)
  })
})

function isThere(target: string, from: string): boolean {
  if (target.startsWith('#')) return PLACES.has(`${from}${target}`) || isHeading(from, target.slice(1))
  const path = target.slice(BASE_MARK.length)
  if (!target.startsWith(BASE_MARK)) return false
  const file = /^\/docs\/files\/(.+)$/.exec(path)?.[1]
  if (file !== undefined) return handbook.files.includes(file)
  const place = /^\/docs(?:\/([^#]*))?(?:#(.*))?$/.exec(path)
  if (place !== null) {
    const [, slug = '', anchor] = place
    return PLACES.has(anchor === undefined ? slug : `${slug}#${anchor}`)
  }
  if (path === '/api/0/openapi.json' || path === '/health') return true
  const found = matchTable([...pages, ...handlers], path)
  return found !== null && found.route.path !== '*'
}

/** The page's own. */
function isHeading(slug: string, anchor: string): boolean {
  return textOf(slug).includes(` id="${anchor}"`)
}
