/** Doc comments begin with what they say: a verb, or a noun of the subject. The number of those that do not may only fall. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT, repositoryFiles } from './sources.ts'

const RIDDLE = /^(?:Of|What|Who|Whose|Whom|As|Those|One|Such|To|Where|In|For)\b/
/** Lower it with the comments; it never rises. */
const RIDDLES_MAX = 5

/** A doc comment that tells of a parameter, of `null` or of an error before it says what the function does. */
const ASIDE =
  /\/\*\*\s*(?:\*\s*)?(?:`\w+`(?::| )|@throws)(?:(?!\*\/)[\s\S])*\*\/\nexport (?:async )?function/g
/** Lower it with the comments; it never rises. */
const ASIDES_MAX = 56

/** First words of each doc comment in a text. */
function openings(text: string): readonly string[] {
  return [...text.matchAll(/\/\*\*\s*(?:\*\s*)?([\s\S]*?)\*\//g)].map(([, body = '']) => body.trim())
}

describe('doc comments', () => {
  it('begin with a verb or a noun, so that whoever has not read the code can use them', () => {
    const files = repositoryFiles().filter((path) =>
      /^(?:packages|benchmarks|scripts|tests)\/.*\.(?:ts|tsx|mjs)$/.test(path),
    )
    const riddles = files.flatMap((path) =>
      openings(readFileSync(join(ROOT, path), 'utf8'))
        .filter((opening) => RIDDLE.test(opening))
        .map((opening) => `${path}: ${opening.slice(0, 60)}`),
    )
    assert.ok(files.length > 1_000, String(files.length))
    assert.ok(
      riddles.length <= RIDDLES_MAX,
      `${riddles.length} of at most ${RIDDLES_MAX}; among them:\n${riddles.slice(0, 20).join('\n')}`,
    )
  })

  it('of exported functions say what these do before what a parameter or nothing means', () => {
    const files = repositoryFiles().filter((path) =>
      /^packages\/(?:server|web)\/src\/.*(?<!\.test)\.tsx?$/.test(path),
    )
    const asides = files.flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(ASIDE)].map(
        ([text]) => `${path}: ${text.slice(0, 60)}`,
      ),
    )
    assert.ok(
      asides.length <= ASIDES_MAX,
      `${asides.length} of at most ${ASIDES_MAX}; among them:\n${asides.slice(0, 20).join('\n')}`,
    )
    const [aside, plain] = ['`who`: asks.', 'Greets; `who` asks.'].map(
      (says) => `/** ${says} */\nexport function greet`,
    )
    assert.ok(aside?.match(ASIDE) !== null && plain?.match(ASIDE) === null)
  })

  it('are told apart by their first word', () => {
    const [riddle, plain] = openings(
      '/** Of the last evaluation. */\n/**\n * Value of the last evaluation.\n */',
    )
    assert.ok(riddle !== undefined && RIDDLE.test(riddle))
    assert.ok(plain !== undefined && !RIDDLE.test(plain))
  })
})
