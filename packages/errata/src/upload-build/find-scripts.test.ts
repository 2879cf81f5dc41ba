import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { findScripts } from './find-scripts.ts'

describe('the scripts of a build', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'errata-scripts-')))
  after(() => rmSync(root, { recursive: true }))
  const write = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }

  it('are those of client and server; packages, caches and the development server’s are left out', async () => {
    const kept = [
      '.next/server/chunks/ssr/[root-of-the-server]__1._.js',
      '.next/server/middleware.js',
      '.next/static/chunks/main.js',
      'cache/of-the-app.js',
      'dist/main.cjs',
      'dist/main.mjs',
    ]
    for (const path of [
      ...kept,
      ...['.next/cache/webpack/1.js', '.next/dev/server/a.js', '.next/standalone/node_modules/x/index.js'],
      ...['node_modules/x/index.js', '.git/hooks/a.js', 'dist/main.mjs.map', 'dist/style.css', 'dist/a.ts'],
    ])
      write(path)
    const found = await findScripts(root)
    assert.deepEqual(found, { root, files: kept })
    const below = await findScripts(join(root, '.next'))
    assert.equal(below.files.length, 3)
  })

  it('know a build of Next by its BUILD_ID, whatever its folder is called', async () => {
    for (const path of ['out/BUILD_ID', 'out/cache/a.js', 'out/server/b.js']) write(path)
    assert.deepEqual((await findScripts(join(root, 'out'))).files, ['server/b.js'])
  })

  it('end where links lead round in circles', async () => {
    write('round/a.js')
    symlinkSync(join(root, 'round'), join(root, 'round/again'))
    symlinkSync(join(root, 'round/a.js'), join(root, 'round/b.js'))
    symlinkSync(join(root, 'round'), join(root, 'link'))
    assert.deepEqual((await findScripts(join(root, 'link'))).files, ['a.js'])
  })

  it('are asked for in a sentence where there is no folder', async () => {
    await assert.rejects(findScripts(join(root, 'none')), /none isn’t a folder: name the output folder/)
    await assert.rejects(findScripts(join(root, 'dist/main.cjs')), /isn’t a folder/)
  })
})
