/** The documents people read, with their fenced blocks, links and commands. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT, repositoryFiles } from '../tidy/sources.ts'

export interface Block {
  /** `docs/relay.md:12`. */
  readonly place: string
  /** Language of the fence, such as `ts` or `ts fragment`; empty if it names none. */
  readonly language: string
  readonly text: string
}

export interface Document {
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
  /** Text outside of blocks. */
  readonly prose: string
}

const READ =
  /^(?:[A-Z]+\.md|docs\/.*\.md|benchmarks\/README\.md|examples\/README\.md|packages\/\w+\/README\.md)$/

export function documents(): readonly Document[] {
  return repositoryFiles()
    .filter((path) => READ.test(path))
    .map((path) => documentOf(path, readFileSync(join(ROOT, path), 'utf8')))
}

function documentOf(path: string, text: string): Document {
  const blocks: Block[] = []
  const prose: string[] = []
  let open: { at: number; indent: number; language: string; lines: string[] } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^(\s*)```(\S*(?: fragment)?)\s*$/.exec(line)
    if (fence !== null && open === null) {
      const [, indent = '', language = ''] = fence
      open = { at: index + 1, indent: indent.length, language, lines: [] }
    } else if (fence !== null && open !== null) {
      blocks.push({ place: `${path}:${open.at}`, language: open.language, text: open.lines.join('\n') })
      open = null
    } else if (open !== null) open.lines.push(line.slice(open.indent))
    else prose.push(line)
  }
  return { path, text, blocks, prose: prose.join('\n') }
}

export interface Link {
  /** Relative to the root. */
  readonly path: string
  readonly anchor: string
}

/** Links to files of the repository; those to other sites are left out. */
export function linksOf({ path, prose }: Document): readonly Link[] {
  const links: Link[] = []
  for (const [, target = ''] of prose.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    const [file = '', anchor = ''] = target.split('#')
    links.push({ path: file === '' ? path : join(dirname(path), file), anchor })
  }
  return links
}

/** Returns the anchors of a page's headings, made as GitHub makes them. */
export function anchorsOf({ prose }: Document): ReadonlySet<string> {
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  const names = headings.map((heading) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  const seen = new Map<string, number>()
  return new Set(
    names.map((name) => {
      const times = seen.get(name) ?? 0
      seen.set(name, times + 1)
      return times === 0 ? name : `${name}-${times}`
    }),
  )
}

const SHELL_WORDS = new Set([
  ...[
    'cp',
    'curl',
    'docker',
    'echo',
    'errata',
    'export',
    'git',
    'install',
    'mv',
    'node',
    'npm',
    'npx',
    'podman',
  ],
  ...['rm', 'sentry-cli', 'sudo', 'tar', 'systemctl', 'useradd', 'userdel'],
])

/** True if a block is lines for a shell, whether its fence says so or not. */
export function isShell({ language, text }: Block): boolean {
  if (language === 'sh') return true
  const [word = ''] = text.trimStart().split(/\s/)
  return language === '' && (SHELL_WORDS.has(word.replace(/^\/.*\//, '')) || /^[A-Z_]+=/.test(word))
}

/** Words behind `errata` of each call in a text, whatever stands before it in its line; `npm start` serves. */
export function calls(text: string): readonly (readonly string[])[] {
  const lines = text
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll('npm start -- ', 'errata serve ')
    .split('\n')
  return lines.flatMap((line) =>
    [...line.replace(/(?:^|\s)#.*$/, '').matchAll(/(?:^|[\s/])errata(?:\.mjs|\.tgz)? ([^`|;&]*)/g)].map(
      ([, words = '']) => words.trim().split(/\s+/),
    ),
  )
}

/**
 * The one block of a page that begins with these words. A test that calls this runs the block:
 * `tests/tidy/documentation.test.ts` counts such calls, so both words stand there as they are.
 */
export function documented(page: string, begins: string): string {
  const all = documents().find(({ path }) => path === page)?.blocks ?? []
  const found = all.filter(({ text }) => text.startsWith(begins))
  const [block] = found
  if (block === undefined || found.length > 1)
    throw new Error(`${page}: ${found.length} blocks begin with ${begins}`)
  return block.text
}
