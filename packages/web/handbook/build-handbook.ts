/**
 * Makes the handbook that the product serves at `/docs` of the Markdown in `docs`: the pages that its index leads to, but
 * for those about Errata's own insides.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  BASE_MARK,
  type Handbook,
  type HandbookGroup,
  type HandbookLink,
  type HandbookPage,
} from '../src/handbook/handbook.ts'
import { pages } from '../src/shell/pages.ts'
import { addressOf, type LinkReader, readPage } from './markdown.ts'

const INDEX = 'docs/README.md'
/** Pages that stay in the repository: who builds or changes Errata reads them there. */
const APART =
  /^docs\/(?:wire|formats|specification)\.md$|^docs\/(?:decisions|internals)\/|^[A-Z]+\.md$|^(?:benchmarks|examples)\//
/** READMEs of packages that people install, under names of their own. */
const PACKAGE_PAGES = new Map([
  ['packages/relay/README.md', 'relay-frameworks'],
  ['packages/client/README.md', 'api-client'],
])
/** Addresses that are the same in every installation: where a page names one, it leads there. */
const PRODUCT_PATHS: ReadonlySet<string> = new Set([
  ...pages.filter(({ path, access }) => !/[:*]/.test(path) && access !== 'anyone').map(({ path }) => path),
  ...['/api/0/openapi.json', '/digest', '/health'],
])
const FILES = /^docs\/.*\.png$|^deploy\/[\w.-]+$/

export interface HandbookPlaces {
  /** Root of the repository. */
  readonly root: string
  /** Directory that gets the handbook; emptied first. */
  readonly outDir: string
}

export function buildHandbook({ root, outDir }: HandbookPlaces): void {
  const { handbook, sources } = readHandbook(root)
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(join(outDir, 'files'), { recursive: true })
  writeFileSync(join(outDir, 'handbook.json'), JSON.stringify(handbook))
  for (const source of sources) cpSync(join(root, source), join(outDir, 'files', basename(source)))
}

export interface MadeHandbook {
  readonly handbook: Handbook
  /** Files of the repository that it hands out. */
  readonly sources: readonly string[]
}

/** Files of the repository that its pages are made of. */
export function handbookFiles(root: string): readonly string[] {
  const linked = linkedPages(readFileSync(join(root, INDEX), 'utf8'))
  return [...new Set([INDEX, ...linked])].filter((path) => !APART.test(path)).concat(...PACKAGE_PAGES.keys())
}

export function readHandbook(root: string): MadeHandbook {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const index = read(INDEX)
  const paths = handbookFiles(root)
  const known = new Set(paths)
  const sources = new Set<string>()
  const made = paths.map((path): HandbookPage => {
    const linkOf = linkReader(path, { known, sources })
    const markdown = path === INDEX ? withoutReference(index) : read(path)
    return { slug: slugOf(path), ...readPage(markdown, linkOf) }
  })
  const { version } = JSON.parse(read('packages/errata/package.json'))
  return {
    handbook: {
      version,
      groups: groupsOf(index, known),
      pages: made,
      files: [...sources].map((each) => basename(each)),
    },
    sources: [...sources],
  }
}

/** `docs/operating/README.md` → `operating`. */
function slugOf(path: string): string {
  const own = PACKAGE_PAGES.get(path)
  return own ?? path.replace(/^docs\//, '').replace(/(?:^|\/)README\.md$|\.md$/, '')
}

const LINK = /\[([^\]]*)\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g

function linkedPages(index: string): readonly string[] {
  return [...index.matchAll(LINK)]
    .map(([, , target = '']) => join('docs', target))
    .filter((path) => path.endsWith('.md'))
}

/** Leaves out of the index what only the repository has. */
function withoutReference(index: string): string {
  return index.replace(/^## Reference\n[\s\S]*/m, '')
}

function linkReader(
  from: string,
  { known, sources }: { readonly known: ReadonlySet<string>; readonly sources: Set<string> },
): LinkReader {
  return (href) => {
    if (href.startsWith('/')) return PRODUCT_PATHS.has(href) ? `${BASE_MARK}${href}` : null
    const [target = '', anchor = ''] = href.split('#')
    const path = target === '' ? from : join(dirname(from), target)
    if (known.has(path)) return addressOf(slugOf(path), anchor)
    if (!FILES.test(path)) return null
    sources.add(path)
    return `${BASE_MARK}/docs/files/${basename(path)}`
  }
}

/** The list beside every page: the index's own headings and links. */
function groupsOf(index: string, known: ReadonlySet<string>): readonly HandbookGroup[] {
  const groups = index
    .split(/^## /m)
    .slice(1)
    .map((part): HandbookGroup => {
      const title = part.slice(0, part.indexOf('\n'))
      const links = [...part.matchAll(LINK)]
        .map(([, text = '', target = '', anchor = '']) => ({ text, path: join('docs', target), anchor }))
        .filter(({ path }) => known.has(path))
        .map(({ text, path, anchor }) => ({
          text: capitalised(text),
          href: addressOf(slugOf(path), anchor),
          slug: anchor === '' ? slugOf(path) : null,
        }))
      return { title, links: title === 'Reference' ? [...links, API_DESCRIPTION] : links }
    })
  return groups.filter(({ links }) => links.length > 0)
}

/** Made by the product itself. */
const API_DESCRIPTION: HandbookLink = {
  text: 'API description (OpenAPI)',
  href: `${BASE_MARK}/api/0/openapi.json`,
  slug: null,
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
