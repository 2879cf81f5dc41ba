/** Who may import whom, as ARCHITECTURE.md draws it. */
import type { SourceFile } from './sources.ts'

/** Folders of `server` and what each may import from its neighbours; `base`, `ports` and the type files are for all. */
const SERVER: Readonly<Record<string, readonly string[]>> = {
  base: [],
  'store/ports': [],
  'store/contract': ['store/ports', 'access', 'commit', 'journal', 'process'],
  normalize: [],
  scrub: [],
  filter: [],
  group: [],
  journal: [],
  accept: ['journal'],
  process: ['normalize', 'filter', 'scrub', 'group', 'journal'],
  commit: ['process'],
  upkeep: ['process'],
  retention: ['process', 'upkeep'],
  backup: [],
  react: [],
  access: [],
  queries: ['access', 'group'],
  commands: ['access', 'queries', 'accept', 'filter', 'react'],
  http: ['accept', 'access', 'queries', 'commands'],
}

/** Types that cross from one beat to the next, and words that everybody may say. */
const LEAVES = new Set(['#journal/record.ts', '#process/batch.ts', '#process/outcome.ts'])
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  relay: ['@errata/protocol'],
  server: ['@errata/protocol', '@errata/relay'],
  web: ['@errata/server'],
  errata: ['@errata/server', '@errata/web', '@errata/protocol'],
}
/** What `web` may see of the server: no store, no engine. */
const WEB_SEES =
  /^@errata\/server\/(queries|commands|access|http|errors|limits|ids|result|digest-text|outcomes)$/

export function importProblems(file: SourceFile): readonly string[] {
  const [top, name = '', , ...rest] = file.path.split('/')
  if (top !== 'packages') return []
  const isTest = file.path.includes('.test.') || file.path.includes('-for-test.')
  const problems: string[] = []
  for (const { specifier, typeOnly } of file.imports) {
    if (isTest && (specifier === 'fast-check' || specifier.startsWith('node:'))) continue
    const problem = problemOf({ specifier, typeOnly, package: name, inside: rest.join('/'), isTest })
    if (problem !== null) problems.push(`${file.path} imports ${specifier}: ${problem}`)
  }
  return problems
}

interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
  readonly package: string
  /** Path below `src`. */
  readonly inside: string
  readonly isTest: boolean
}

function problemOf(given: Import): string | null {
  const { specifier, package: name } = given
  if (specifier.startsWith('@errata/')) return packageProblem(given)
  if (/^(\.\.\/){3,}/.test(specifier) && name !== 'errata') return 'leaves its package'
  if (name === 'server') return serverProblem(given)
  if (name === 'web' && /^(react-dom\/server|node:)/.test(specifier)) return null
  if (name === 'protocol' && !specifier.startsWith('.') && !given.isTest) return 'protocol imports nothing'
  if (name === 'relay' && !specifier.startsWith('.') && !given.isTest) return 'relay imports protocol alone'
  return null
}

function packageProblem({ specifier, package: name }: Import): string | null {
  const allowed = PACKAGES[name] ?? []
  if (!allowed.some((other) => specifier === other || specifier.startsWith(`${other}/`)))
    return `${name} may not see it`
  if (name === 'web' && !WEB_SEES.test(specifier))
    return 'the web app sees queries, commands and access alone'
  return null
}

function serverProblem({ specifier, inside, isTest, typeOnly }: Import): string | null {
  if (/^react/.test(specifier)) return 'the server knows no React'
  const from = folderOf(inside)
  const isEngine = /^engine[\w-]*\.ts$/.test(inside)
  if (isEngine || isTest) return null
  const target = targetOf(specifier, inside)
  if (target === null || target === from) return null
  if (LEAVES.has(specifier)) return null
  if (target === 'base' || target === 'store/ports') return null
  if (from.startsWith('store/') && target.startsWith('store/') && target !== 'store/contract')
    return 'implementations do not see each other'
  if (target.startsWith('store/')) return 'a store is joined in engine files alone'
  if (inside.startsWith('process/kinds/') && specifier.startsWith('../') && /kinds\//.test(specifier))
    return 'kinds do not import kinds'
  if (typeOnly && target === 'queries') return null
  return (SERVER[from] ?? []).includes(target) ? null : `${from} may not see ${target}`
}

function folderOf(inside: string): string {
  const [first = '', second = ''] = inside.split('/')
  return first === 'store' ? `store/${second}` : first
}

/** The folder an import of `server` lands in; `null` for packages and Node's own modules. */
function targetOf(specifier: string, inside: string): string | null {
  if (specifier.startsWith('#')) {
    const path = specifier.slice(1)
    if (path.startsWith('ports/')) return 'store/ports'
    if (path.startsWith('contract/')) return 'store/contract'
    return folderOf(path)
  }
  if (!specifier.startsWith('.')) return null
  const base = new URL(inside, 'file:///').pathname
  return folderOf(new URL(specifier, `file://${base}`).pathname.slice(1))
}
