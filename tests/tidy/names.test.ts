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

const files = sourceFiles().filter(
  ({ path }) => /^packages\/[^/]+\/(?:src|testing)\//.test(path) && !path.includes('.test.'),
)

describe('names', () => {
  it('are exported from one file of a package, but for those that say why', () => {
    const often = repeated(files, ({ isExported }) => isExported).map(([name]) => name)
    assert.ok(files.length > 1_000, String(files.length))
    assert.deepEqual(often, Object.keys(EXPORTED_OFTEN))
  })
})

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
