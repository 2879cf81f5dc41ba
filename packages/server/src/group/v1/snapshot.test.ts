import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { groupV1 } from './group.ts'

interface CorpusEvent {
  /** `captured.json`: which fixture it was normalised from. `written.json`: what it shows. */
  readonly name: string
  readonly event: object
}

function readCorpus(file: string): readonly CorpusEvent[] {
  return JSON.parse(readFileSync(new URL(`corpus/${file}`, import.meta.url), 'utf8'))
}

/** `event` was normalised when the corpus was made, with the bags that grouping does not read left out. */
const asEvent = ({ event }: CorpusEvent) => aScrubbedEvent(event)

describe('grouping version 1 is frozen', () => {
  const pinned: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(new URL('corpus/hashes.json', import.meta.url), 'utf8'),
  )
  const corpus = [...readCorpus('captured.json'), ...readCorpus('written.json')]

  it('pins every event of the corpus and no other', () => {
    assert.deepEqual(Object.keys(pinned).sort(), corpus.map(({ name }) => name).sort())
  })

  for (const item of corpus) {
    it(`gives ${item.name} the hash it always had`, () => {
      assert.equal(groupV1(asEvent(item)).hash, pinned[item.name])
    })
  }
})
