/** The lines that the page offers are those of the handbook, and lead where it says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { ALL_REFERENCE_LINES, referenceLines } from './reference-lines.ts'

const HANDBOOK = linesOf(readFileSync(new URL('../../../../../docs/digests.md', import.meta.url), 'utf8'))

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

describe('the lines for an error page', () => {
  it('stand in the handbook', () => {
    // There they stand in a whole file.
    for (const { snippet } of ALL_REFERENCE_LINES)
      for (const line of linesOf(snippet.text)) assert.ok(HANDBOOK.includes(line), `${snippet.file}: ${line}`)
  })

  it('are those of the framework: a digest where it has one, else an id', () => {
    const textOf = (platform: string | null) => referenceLines(platform).snippet.text
    for (const platform of [null, '', 'javascript-nextjs'])
      assert.match(textOf(platform), /digest: error\.digest/)
    assert.match(referenceLines('javascript-react-router').snippet.file, /^app\/root\.tsx/)
    assert.match(referenceLines('javascript-tanstackstart-react').snippet.file, /^src\/router\.tsx/)
    assert.match(textOf('node'), /captureException/)
  })
})
