/** Names find what they name: an exported one stands once in its package, and a function says what it does. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type SourceFile, sourceFiles } from './sources.ts'

/** Names that a package exports from several files, and why. */
const EXPORTED_OFTEN: Readonly<Record<string, string>> = {
  'relay relay': 'an adapter is called the same in each framework: that is what people import',
  'server SESSIONS': 'the table of sign-ins, and the rows of the kind: both are called what they hold',
  'server flag': 'a word of the columns of tables, and of the fields of rows; no file imports both',
  'server orNull': 'as `flag`',
  'server text': 'as `flag`',
  'server whole': 'as `flag`',
}

/** Lower both with the names; they never rise. */
const OFTEN_MAX = { server: 167, web: 10 }
const QUALITIES_MAX = 12

/** Words that name a quality and not an action: a search for one finds nothing. */
const QUALITY =
  /^(?:[a-z]+ed|told|shown|plain|whole|cut|kept|held|said|known|given|found|made|taken|sent|lost|left|own|same|first|last|full|empty|short|within|beyond|apart|together|without|behind|before|after|earlier|latest|oldest|newest|greatest|least|distinct|both|once|nothing|nobody|wrong|absent)$/

const files = sourceFiles().filter(
  ({ path }) => /^packages\/[^/]+\/(?:src|testing)\//.test(path) && !path.includes('.test.'),
)

describe('names', () => {
  it('are exported from one file of a package, but for those that say why', () => {
    const often = repeated(files, ({ isExported }) => isExported).map(([name]) => name)
    assert.ok(files.length > 1_000, String(files.length))
    assert.deepEqual(often, Object.keys(EXPORTED_OFTEN))
  })

  it('of functions seldom stand in several files of a package', () => {
    const often = repeated(files.filter(isSource), ({ isFunction }) => isFunction)
    for (const [name, most] of Object.entries(OFTEN_MAX)) {
      const names = often.filter(
        ([full]) => full.startsWith(`${name} `) && /^[a-z]/.test(full.slice(name.length + 1)),
      )
      assert.ok(
        names.length <= most,
        `${names.length} of at most ${most} in ${name}: ${names.map(([full, paths]) => `${full} (${paths.length})`).join(', ')}`,
      )
    }
  })

  it('of functions are actions, or nouns of the subject', () => {
    const found = files
      .filter(isSource)
      .flatMap(({ path, declared }) =>
        declared
          .filter(({ name, isFunction }) => isFunction && QUALITY.test(name))
          .map(({ name }) => `${path}: ${name}`),
      )
    assert.ok(
      found.length <= QUALITIES_MAX,
      `${found.length} of at most ${QUALITIES_MAX}:\n${found.join('\n')}`,
    )
  })

  it('are told apart by their words', () => {
    for (const name of ['shown', 'listed', 'plain']) assert.ok(QUALITY.test(name), name)
    for (const name of ['readShown', 'issueRow', 'feed_']) assert.ok(!QUALITY.test(name), name)
  })
})

function isSource({ path }: SourceFile): boolean {
  return path.includes('/src/')
}

/** Names that several files of a package declare, as `package name`, with these files. */
function repeated(
  sources: readonly SourceFile[],
  isMeant: (declared: SourceFile['declared'][number]) => boolean,
): readonly (readonly [string, readonly string[]])[] {
  const places = new Map<string, string[]>()
  for (const { path, declared } of sources) {
    for (const name of new Set(declared.filter(isMeant).map((one) => `${path.split('/')[1]} ${one.name}`))) {
      places.set(name, [...(places.get(name) ?? []), path])
    }
  }
  return [...places].filter(([, paths]) => paths.length > 1).sort(([a], [b]) => (a < b ? -1 : 1))
}
