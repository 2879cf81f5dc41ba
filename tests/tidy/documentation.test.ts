/**
 * Checks that the documents can be followed: links, commands, settings, and every block that can be read
 * without a server.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { readSettings, SETTINGS } from '@errata/server/settings'
import { parseSync } from 'oxc-parser'
import { parse } from 'yaml'
import { SUBCOMMANDS } from '../../packages/errata/src/subcommands.ts'
import { anchorsOf, type Block, calls, documents, isShell, linksOf } from '../support/documentation.ts'
import { ROOT, repositoryFiles } from './sources.ts'

const DOCUMENTS = documents()
const BLOCKS = DOCUMENTS.flatMap(({ blocks }) => blocks)
const SETTING_FLAGS = Object.values(SETTINGS).map(({ flag }) => flag)
/** Variables that are no settings: of commands, of tests, of the files in `deploy`. */
const OTHER_VARIABLES = [
  ...['ERRATA_URL', 'ERRATA_TOKEN', 'ERRATA_DOMAIN', 'ERRATA_APPS_CACHE', 'ERRATA_PROPERTY_SEED'],
  ...['ERRATA_TEST_LONG', 'ERRATA_PACKAGE'],
]

/** Words that follow the name of the image, the volume or the service, not of the command. */
const NO_COMMANDS = new Set(['cp', 'node'])

/**
 * Returns what is wrong with the words of a call; `null` for a text that speaks of Errata without calling it.
 */
function mistakeOf(words: readonly string[], inShell: boolean): string | null {
  const command = SUBCOMMANDS.find(({ name }) => name.every((word, index) => words[index] === word))
  if (command === undefined) {
    const isCall = inShell && /^[a-z][a-z-]*$/.test(words[0] ?? '') && !NO_COMMANDS.has(words[0] ?? '')
    return isCall ? `there is no errata ${words.join(' ')}` : null
  }
  const known = [...command.help.matchAll(/--[a-z-]+/g)].map(([flag]) => flag)
  const flags = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/[=,.:].*$/, ''))
  const unknown = flags.filter(
    (flag) => ![...known, ...SETTING_FLAGS, '--help', '--json', '--demo'].includes(flag),
  )
  return unknown.length === 0 ? null : `errata ${command.name.join(' ')} has no ${unknown.join(', ')}`
}

const ARCHITECTURE_WORDS_MAX = 1200

/** True if the sources hold the place, named from the root, from the server's sources, or from a room of the control store. */
function isPlace(place: string): boolean {
  const path = place.replace('<name>', '*').replace('<kind>', '*')
  return ['', 'packages/', 'packages/server/src/', 'packages/server/src/store/sqlite/']
    .map((room) => `${room}${path}`)
    .some((at) => (at.includes('*') ? globSync(at, { cwd: ROOT }).length > 0 : existsSync(join(ROOT, at))))
}

const WORD = /[A-Za-z_$][\w$]*/g
const FILE = /^[\w-]+\.tsx?$/

function isAboutSources(path: string): boolean {
  return path === 'ARCHITECTURE.md' || path.startsWith('docs/internals/')
}

const SCRIPTS: Readonly<Record<string, 'ts' | 'tsx' | 'js'>> = { ts: 'ts', tsx: 'tsx', js: 'js' }

/**
 * Returns what a reader of the block's language finds wrong; `null` if nothing can read it: a drawing, an
 * output, a part.
 */
function readBlock(block: Block): readonly string[] | null {
  const { language, text } = block
  if (isShell(block)) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
    return status === 0 ? [] : [stderr]
  }
  if (language === 'yaml') return parse(text) === null ? ['is empty'] : []
  if (language === 'json') return jsonMistakes(text)
  const script = SCRIPTS[language]
  if (script === undefined) return null
  return parseSync(`block.${script}`, text, { sourceType: 'module' }).errors.map(({ message }) => message)
}

function jsonMistakes(text: string): readonly string[] {
  try {
    JSON.parse(text)
    return []
  } catch (cause) {
    return [String(cause)]
  }
}

describe('the documents', () => {
  it('lead to files and headings that are there', () => {
    const byPath = new Map(DOCUMENTS.map((document) => [document.path, document]))
    const anchors = new Map([...byPath].map(([path, document]) => [path, anchorsOf(document)]))
    const broken = DOCUMENTS.flatMap((document) =>
      linksOf(document)
        .filter(({ path, anchor }) => {
          if (!existsSync(join(ROOT, path))) return true
          return anchor !== '' && anchors.get(path)?.has(anchor) !== true
        })
        .map(({ path, anchor }) => `${document.path} → ${path}${anchor === '' ? '' : `#${anchor}`}`),
    )
    assert.deepEqual(broken, [])
  })

  it('are all reached from the index, but for decisions and internals', () => {
    const index = DOCUMENTS.find(({ path }) => path === 'docs/README.md')
    assert.ok(index !== undefined)
    const reached = new Set(linksOf(index).map(({ path }) => path))
    const missed = DOCUMENTS.map(({ path }) => path).filter(
      (path) => /^docs\/(?!(?:decisions|internals)\/|README)/.test(path) && !reached.has(path),
    )
    assert.deepEqual(missed, [])
  })

  it('name places in the sources that exist, where they are about the sources', () => {
    const about = DOCUMENTS.filter(({ path }) => isAboutSources(path))
    const named = about.flatMap(({ path, text }) =>
      [...text.matchAll(/`([a-z][\w@.-]*\/[\w*./<>-]*)`/g)].map(([, place = '']) => ({ path, place })),
    )
    const gone = named.filter(({ place }) => !isPlace(place))
    assert.deepEqual(gone, [])
    assert.ok(named.length > 60, String(named.length))
  })

  it('name symbols of the sources that exist, where they are about the sources', () => {
    const about = DOCUMENTS.filter(({ path }) => isAboutSources(path) && path !== 'docs/internals/words.md')
    const sources = repositoryFiles().filter((path) =>
      /^(?:packages|tests|scripts)\/.*\.(?:tsx?|mjs|sql)$/.test(path),
    )
    const words = new Set(sources.flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(WORD) ?? []))
    const files = new Set(sources.map((path) => basename(path)))
    const named = about.flatMap(({ path, prose }) =>
      [...prose.matchAll(/`([^`\n]+)`/g)]
        .map(([, code = '']) => ({ path, code }))
        .filter(({ code }) => !/^npm |\/\S/.test(code)),
    )
    const gone = named.filter(({ code }) =>
      FILE.test(code) ? !files.has(code) : (code.match(WORD) ?? []).some((word) => !words.has(word)),
    )
    assert.deepEqual(gone, [])
    assert.ok(named.length > 100, String(named.length))
  })

  it('tell of every room of the house', () => {
    const house = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
    const rooms = [
      'packages',
      'packages/server/src',
      'packages/server/src/store',
      'packages/web/src',
    ].flatMap((floor) =>
      readdirSync(join(ROOT, floor), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    )
    const untold = rooms.filter((room) => !new RegExp(`(?<![\\w-])${room}(?:[/,}]| {2,})`).test(house))
    assert.deepEqual(untold, [])
  })

  it('explain the house in ten minutes', () => {
    const words = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split(/\s+/).length
    assert.ok(words <= ARCHITECTURE_WORDS_MAX, `ARCHITECTURE.md has ${words} words`)
  })

  it('call commands that exist, with flags that they have', (t) => {
    let tried = 0
    const texts = [
      ...DOCUMENTS.map(({ path, prose }) => ({ place: path, text: prose, inShell: false })),
      ...BLOCKS.map((block) => ({ place: block.place, text: block.text, inShell: isShell(block) })),
    ]
    const wrong = texts.flatMap(({ place, text, inShell }) => {
      const found = calls(text)
      tried += found.length
      const mistakes = found.map((words) => mistakeOf(words, inShell))
      return mistakes.flatMap((mistake) => (mistake === null ? [] : [`${place}: ${mistake}`]))
    })
    t.diagnostic(`${tried} calls of errata`)
    assert.deepEqual(wrong, [])
    assert.ok(tried > 20, String(tried))
  })

  it('name settings that exist', () => {
    const known = [...Object.values(SETTINGS).map(({ variable }) => variable), ...OTHER_VARIABLES]
    const wrong = DOCUMENTS.flatMap(({ path, text }) =>
      [...text.matchAll(/\bERRATA_[A-Z]\w*\b/g)]
        .filter(([name]) => !known.includes(name))
        .map(([name]) => `${path}: ${name}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('have a whole config file that is taken', () => {
    const page = DOCUMENTS.find(({ path }) => path === 'docs/operating/configure.md')
    const [file] = page?.blocks.filter(({ language }) => language === 'json') ?? []
    const answer = readSettings({ flags: {}, env: {}, file: JSON.parse(file?.text ?? '') })
    assert.ok(answer.ok, answer.ok ? '' : answer.mistakes.join('\n'))
  })

  it('have blocks that their languages read, and say how many', (t) => {
    const read = BLOCKS.map((block) => ({ block, said: readBlock(block) }))
    const wrong = read.flatMap(({ block, said }) => (said ?? []).map((each) => `${block.place}: ${each}`))
    const fragments = read.filter(({ said }) => said === null)
    t.diagnostic(`${read.length - fragments.length} blocks read, ${fragments.length} fragments`)
    t.diagnostic(fragments.map(({ block }) => block.place).join(' '))
    assert.deepEqual(wrong, [])
  })
})
