// `node scripts/lock-install.mjs TARBALL DIRECTORY`: makes DIRECTORY ready for `npm ci`, which then installs the packed
// command and, of what it needs, the very versions and checksums of this repository's lock file.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const [tarball, directory] = process.argv.slice(2)
if (tarball === undefined || directory === undefined) throw new Error('TARBALL and DIRECTORY are needed')

const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
const { packages: locked } = read('package-lock.json')
const { name, version, bin, engines, dependencies, optionalDependencies } = read(
  'packages/errata/package.json',
)

/** Returns the places where npm would look for it from there, innermost first. */
function placeOf(needed, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${needed}`
    if (Object.hasOwn(locked, place)) return place
    if (at === '') return null
  }
}

const kept = {}
const open = [
  {
    from: 'packages/errata',
    needs: { ...dependencies, ...optionalDependencies },
    optional: optionalDependencies,
  },
]
for (let next = open.pop(); next !== undefined; next = open.pop()) {
  for (const needed of Object.keys(next.needs)) {
    const place = placeOf(needed, next.from)
    if (place === null) {
      if (Object.hasOwn(next.optional ?? {}, needed)) continue
      throw new Error(`package-lock.json has no ${needed}, which ${next.from} needs`)
    }
    if (Object.hasOwn(kept, place)) continue
    const { dev: _, ...entry } = locked[place]
    kept[place] = entry
    const optional = entry.optionalDependencies
    open.push({ from: place, needs: { ...entry.dependencies, ...optional }, optional })
  }
}

mkdirSync(directory, { recursive: true })
const file = basename(tarball)
copyFileSync(tarball, join(directory, file))
const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
const root = { name: 'errata-installation', private: true, dependencies: { [name]: `file:${file}` } }
const self = {
  version,
  resolved: `file:${file}`,
  integrity,
  bin,
  engines,
  dependencies,
  optionalDependencies,
}
const packages = { '': root, [`node_modules/${name}`]: self, ...kept }
const lock = { name: root.name, lockfileVersion: 3, requires: true, packages }
for (const [path, value] of [
  ['package.json', root],
  ['package-lock.json', lock],
])
  writeFileSync(join(directory, path), `${JSON.stringify(value, null, 2)}\n`)
