import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { parseGroupingRules } from './grouping-rules.ts'

const RULE = 'type:A -> a'

describe('fingerprint rules', () => {
  it('read as matchers, a fingerprint and a title', () => {
    const text = `# comment\n\nerror.type:TimeoutError !message:"*\\"slow\\" api*" tags.region:eu-* -> timeout, {{ transaction }} "a b" title="Timeout in {{ transaction }}"`
    const { rules, problems } = parseGroupingRules(text)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      rules.map(({ line, matchers, fingerprint, title }) => ({ line, matchers, fingerprint, title })),
      [
        {
          line: 3,
          matchers: [
            { field: 'type', key: '', isNegated: false, parts: ['timeouterror'] },
            { field: 'message', key: '', isNegated: true, parts: ['', '"slow" api', ''] },
            { field: 'tag', key: 'region', isNegated: false, parts: ['eu-', ''] },
          ],
          fingerprint: ['timeout', '{{ transaction }}', 'a b'],
          title: 'Timeout in {{ transaction }}',
        },
      ],
    )
  })

  it('say at which line and column they are wrong', () => {
    const cases = [
      ['type:A', 'Say which fingerprint it sets: “… -> my-group”.'],
      ['-> a', 'Name at least one matcher before “->”.'],
      ['type:A ->', 'Say which fingerprint it sets after “->”; {{ default }} keeps it.'],
      ['type:A tipe:B -> a', 'Column 8: there is no matcher “tipe”.'],
      ['type:A tags.:B -> a', 'Column 8: there is no matcher “tags.”.'],
      ['type:A B -> a', 'Column 8: expected a matcher such as error.type:TypeError, or “->”.'],
      ['type:A -> "open', 'Column 11: expected a part of the fingerprint.'],
      ['type:A -> title="only"', 'Say which fingerprint it sets after “->”; {{ default }} keeps it.'],
      ['constructor:A -> a', 'Column 1: there is no matcher “constructor”.'],
      [
        `type:${'*a'.repeat(max('filterPatternStarsMax') + 1)} -> a`,
        `Column 1: a pattern has at most ${max('filterPatternStarsMax')} asterisks.`,
      ],
      [
        `type:${'a'.repeat(max('groupingRuleCharsMax'))} -> a`,
        `A rule has at most ${max('groupingRuleCharsMax')} characters.`,
      ],
      [`type:A -> ${'a '.repeat(21)}`, 'A fingerprint has at most 20 parts.'],
    ] as const
    for (const [text, message] of cases)
      assert.deepEqual(parseGroupingRules(`${RULE}\n${text}`).problems, [{ line: 2, message }], text)
  })

  it('are at most so many', () => {
    const most = max('groupingRulesMax')
    const { rules, problems } = parseGroupingRules(
      Array(most + 1)
        .fill(RULE)
        .join('\n'),
    )
    assert.equal(rules.length, most)
    assert.deepEqual(problems, [{ line: most + 1, message: `A project has at most ${most} rules.` }])
  })
})
