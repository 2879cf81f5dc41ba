import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { groupEvent } from '../group.ts'

describe('for any event', () => {
  const text = fc.string({ maxLength: 60 })
  const frame = fc.record(
    {
      filename: fc.oneof(
        text,
        fc.constantFrom('/srv/a/x.js', 'app:///_next/static/chunks/1-ab12cd34.js', '<anonymous>'),
      ),
      abs_path: text,
      module: text,
      function: fc.oneof(text, fc.constantFrom('t', 'save', '?')),
      context_line: text,
      in_app: fc.boolean(),
      lineno: fc.nat(),
      colno: fc.nat(),
    },
    { requiredKeys: [] },
  )
  const exception = fc.record(
    {
      type: text,
      value: text,
      mechanism: fc.record(
        {
          type: text,
          synthetic: fc.boolean(),
          is_exception_group: fc.boolean(),
          exception_id: fc.nat(3),
          parent_id: fc.nat(3),
        },
        { requiredKeys: ['type'] },
      ),
      stacktrace: fc.record({ frames: fc.array(frame, { maxLength: 8 }) }),
    },
    { requiredKeys: [] },
  )
  const event = fc.record(
    {
      platform: fc.constantFrom(
        'node',
        'javascript',
        'python',
        'java',
        'native',
        'php',
        'ruby',
        'go',
        'csharp',
        'constructor',
      ),
      message: text,
      logentry: fc.record({ formatted: text, message: text }, { requiredKeys: ['formatted'] }),
      exception: fc.record({ values: fc.array(exception, { maxLength: 5 }) }),
      fingerprint: fc.array(
        fc.oneof(text, fc.constantFrom('{{ default }}', '{{ message }}', '{{ __proto__ }}')),
        { maxLength: 3 },
      ),
      contexts: fc.dictionary(text, fc.dictionary(text, fc.jsonValue())),
      extra: fc.dictionary(text, fc.jsonValue()),
    },
    { requiredKeys: ['platform'] },
  )

  it('the hash is 32 hex characters and the same every time', () => {
    fc.assert(
      fc.property(event, (fields) => {
        const grouping = groupEvent(aScrubbedEvent(fields))
        assert.match(grouping.hash, /^[0-9a-f]{32}$/)
        assert.deepEqual(groupEvent(aScrubbedEvent(structuredClone(fields))), grouping)
      }),
      { numRuns: 300 },
    )
  })

  it('the hash does not depend on order of keys, lines, ids, times or release', () => {
    fc.assert(
      fc.property(event, fc.nat(), (fields, number) => {
        const moved = JSON.parse(JSON.stringify(fields), (key, value) =>
          key === 'lineno' || key === 'colno' ? number : value,
        )
        const reversed = Object.fromEntries(Object.entries(aScrubbedEvent(moved)).reverse())
        const later = { ...reversed, release: `shop@${number}`, timestamp: number, event_id: 'b'.repeat(32) }
        assert.equal(
          groupEvent(aScrubbedEvent(later)).hash,
          groupEvent(aScrubbedEvent(JSON.parse(JSON.stringify(fields)))).hash,
        )
      }),
      { numRuns: 200 },
    )
  })
})
