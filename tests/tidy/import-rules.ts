/** Lists which room may import which, as ARCHITECTURE.md draws it: floors, and no arrow upwards. */
import type { SourceFile } from './sources.ts'

/** Rooms that everything in `server` stands on, each on those before it. */
const GROUND: readonly string[] = ['base', 'limits', 'model', 'ports']
/** Pure steps and rules: they stand on the ground alone, and never see each other. */
const STEPS = [
  'normalize',
  'symbolicate',
  'filter',
  'scrub',
  'group',
  'recognise',
  'requests',
  'skew',
  'issues',
  'notices/rules',
  'jobs/rules',
  'trackers/rules',
] as const

/** Folders of `server` and what each may import beside the ground. */
const SERVER: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(STEPS.map((step) => [step, []])),
  // What of counters rules look at are sketches and sets of users; what preset rules tell are notices.
  'alerts/rules': ['issues', 'requests', 'notices/rules'],
  kinds: STEPS,
  artifacts: ['symbolicate'],
  journal: [],
  accept: ['journal'],
  process: ['kinds', 'journal', 'filter', 'scrub'],
  commit: ['kinds', 'process'],
  jobs: ['jobs/rules'],
  access: [],
  notices: ['notices/rules', 'access'],
  alerts: ['alerts/rules'],
  // Calls, leases and logs are those of notices.
  trackers: ['trackers/rules', 'notices'],
  queries: [
    ...[
      'access',
      'artifacts',
      'kinds',
      'normalize',
      'symbolicate',
      'group',
      'recognise',
      'requests',
      'skew',
      'issues',
    ],
    ...['notices/rules', 'alerts/rules', 'trackers/rules'],
  ],
  'sign-in': ['notices'],
  commands: [
    'artifacts',
    'sign-in',
    'alerts/rules',
    'access',
    'queries',
    'accept',
    'filter',
    'notices',
    // What is decided of stored rows is decided by rules within a command's transaction.
    'notices/rules',
    'issues',
    'trackers',
    'trackers/rules',
  ],
  http: ['accept', 'access', 'artifacts', 'queries', 'commands', 'recognise'],
  'store/embedded': ['kinds'],
  // What care asks of a store is said by care.
  'store/sqlite': [
    'store/embedded',
    'requests',
    'skew',
    'issues',
    'notices/rules',
    'alerts/rules',
    'jobs/rules',
    'trackers/rules',
  ],
  'store/duckdb': ['store/embedded'],
  'store/segments': ['store/embedded'],
  'store/event-ids': ['store/embedded'],
  'store/blobs': ['store/embedded'],
  'store/artifact-files': ['symbolicate'],
}

const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  relay: ['@errata/protocol'],
  client: [],
  server: ['@errata/protocol', '@errata/relay'],
  web: ['@errata/server'],
  errata: ['@errata/server', '@errata/web', '@errata/protocol'],
}
/** Modules of the server that `web` may see, as its package exports them: no store, no engine. */
export const WEB_SEES: readonly string[] = [
  'access',
  'commands',
  'errors',
  'http',
  'ids',
  'limits',
  'queries',
  'result',
].map((name) => `@errata/server/${name}`)

/** Folders of `web` and what each may import; a feature is a folder of its own. */
const WEB: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  wire: [],
  parts: ['wire', 'ui'],
  feature: ['parts', 'wire', 'ui'],
  // Documents of their own, not pages of the app.
  handbook: ['parts', 'wire'],
  shell: ['handbook', 'feature', 'parts', 'wire', 'ui'],
}

export function importProblems(file: SourceFile): readonly string[] {
  const [top, name = '', below = '', ...rest] = file.path.split('/')
  if (top !== 'packages') return []
  const isTest = file.path.includes('.test.') || below === 'testing'
  const problems: string[] = []
  for (const { specifier } of file.imports) {
    if (isTest && (specifier === 'fast-check' || specifier.startsWith('node:'))) continue
    const problem = problemOf({ specifier, package: name, inside: rest.join('/'), isTest })
    if (problem !== null) problems.push(`${file.path} imports ${specifier}: ${problem}`)
  }
  return problems
}

interface Import {
  readonly specifier: string
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
  if (name === 'web') return webProblem(given)
  if (name === 'protocol' && !specifier.startsWith('.') && !given.isTest) return 'protocol imports nothing'
  if (name === 'client' && given.inside !== '' && !specifier.startsWith('.')) return 'client imports nothing'
  if (name === 'relay' && !specifier.startsWith('.') && !given.isTest) return 'relay imports protocol alone'
  return null
}

function packageProblem({ specifier, package: name }: Import): string | null {
  const allowed = PACKAGES[name] ?? []
  if (!allowed.some((other) => specifier === other || specifier.startsWith(`${other}/`)))
    return `${name} may not see it`
  if (name === 'web' && !WEB_SEES.includes(specifier))
    return 'the web app sees queries, commands and access alone'
  return null
}

function serverProblem({ specifier, inside, isTest }: Import): string | null {
  if (/^react/.test(specifier)) return 'the server knows no React'
  if (isTest) return null
  if (specifier.startsWith('#testing/')) return 'what runs imports nothing that only tests need'
  const from = folderOf(inside)
  const target = targetOf(specifier, inside)
  if (target === null || from === 'engine') return null
  if (target === from) return kindProblem(inside, targetPath(specifier, inside))
  if (target === 'engine') return 'nobody imports the composition root'
  const ground = GROUND.indexOf(from)
  const below: readonly string[] =
    ground >= 0 ? GROUND.slice(0, ground) : [...GROUND, ...(SERVER[from] ?? [])]
  return below.includes(target) ? null : `${from} may not see ${target}`
}

function webProblem({ specifier, inside }: Import): string | null {
  const target = targetPath(specifier, inside)
  const from = webFolder(inside)
  if (from === null || target === null) return null
  const to = webFolder(target)
  if (to === null || to.folder === from.folder) return null
  return WEB[from.floor]?.includes(to.floor) === true ? null : `${from.folder} may not see ${to.folder}`
}

/** The folder of a path below `src` and the rules it goes by; `null` for what lies outside. */
function webFolder(path: string): { readonly folder: string; readonly floor: string } | null {
  const [first = '', second = ''] = path.split('/')
  if (first === 'features') return { folder: `${first}/${second}`, floor: 'feature' }
  return path.includes('/') ? { folder: first, floor: first } : null
}

/** `kinds/error` and `kinds/span` do not see each other; what stands beside them is for all. */
function kindProblem(inside: string, target: string | null): string | null {
  const kindOf = (path: string) => /^kinds\/([^/]+)\//.exec(path)?.[1] ?? null
  const [own, other] = [kindOf(inside), kindOf(target ?? '')]
  return own !== null && other !== null && own !== other ? 'kinds do not import kinds' : null
}

function folderOf(inside: string): string {
  const [first = '', second = ''] = inside.split('/')
  if (first === 'store') return `store/${second}`
  return second === 'rules' ? `${first}/rules` : first
}

/** The folder an import of `server` lands in; `null` for packages and Node's own modules. */
function targetOf(specifier: string, inside: string): string | null {
  const path = targetPath(specifier, inside)
  return path === null ? null : folderOf(path)
}

/** Path below `src`. */
function targetPath(specifier: string, inside: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (!specifier.startsWith('.')) return null
  return new URL(specifier, `file:///${inside}`).pathname.slice(1)
}
