import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseGroupingRules } from '#model/grouping-rules.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { groupEvent } from './group.ts'
import { withoutProjectRules, withProjectRules } from './project-rules.ts'

const rulesOf = (text: string) => {
  const { rules, problems } = parseGroupingRules(text)
  assert.deepEqual(problems, [])
  return rules
}

const EVENT = aScrubbedEvent({
  platform: 'node',
  transaction: 'GET /orders',
  logger: 'db.pool',
  tags: [['region', 'eu-1']],
  exception: {
    values: [
      { type: 'Cause', value: 'socket closed' },
      {
        type: 'TimeoutError',
        value: 'no answer from 10.0.0.7',
        stacktrace: {
          frames: [
            { filename: 'node_modules/pg/client.js', function: 'query', in_app: false },
            { filename: 'app/orders.ts', function: 'load', in_app: true },
          ],
        },
      },
    ],
  },
})

describe('rules of a project', () => {
  it('fit by type, message, tag, frame and more, in any case, and whole', () => {
    const cases = [
      ['error.type:timeouterror', true],
      ['error.type:Timeout', false],
      ['message:"*no answer*"', true],
      ['value:"socket closed"', true],
      ['type:Cause value:"no answer*"', false],
      ['tags.region:eu-*', true],
      ['tags.region:us-*', false],
      ['logger:db.* level:error', true],
      ['transaction:"GET /orders"', true],
      ['path:**/pg/*', true],
      ['path:*/app/orders.ts function:load app:yes', true],
      ['path:*/pg/* function:load', false],
      ['path:*/pg/* app:yes', false],
      ['family:javascript', true],
      ['family:native', false],
      ['!error.type:Cause type:TimeoutError', false],
      ['!path:*/vendor/* type:TimeoutError', true],
    ] as const
    for (const [matchers, fits] of cases) {
      const after = withProjectRules(EVENT, rulesOf(`${matchers} -> group`))
      assert.equal(after !== EVENT, fits, matchers)
    }
  })

  it('let the first that fits decide, over what the SDK set, and can be taken back', () => {
    const sent = aScrubbedEvent({ ...EVENT, fingerprint: ['sent'] })
    const rules = rulesOf(
      'type:Other -> other\ntype:TimeoutError -> timeout, {{ transaction }} title="{{ error.type }} in {{ stack.function }}, {{ tags.region }}"\ntype:Cause -> last',
    )
    const after = withProjectRules(sent, rules)
    assert.deepEqual(after.fingerprint, ['timeout', '{{ transaction }}'])
    assert.deepEqual(after.groupingRule?.title, 'TimeoutError in load, eu-1')
    assert.deepEqual(withoutProjectRules(after), sent)
    assert.deepEqual(withoutProjectRules(withProjectRules(EVENT, rules)), EVENT)
    const other = withProjectRules({ ...EVENT, transaction: 'GET /cart' }, rules)
    assert.notEqual(groupEvent(other).hash, groupEvent(after).hash)
    const [first] = groupEvent(after).explanation
    assert.match(first?.note ?? '', /^set by a rule: type:TimeoutError/)
  })

  it('leave grouping as it is without rules, and with {{ default }} alone', () => {
    const hash = groupEvent(EVENT).hash
    assert.equal(withProjectRules(EVENT, []), EVENT)
    const named = withProjectRules(EVENT, rulesOf('type:TimeoutError -> {{ default }} title="Slow"'))
    assert.equal(groupEvent(named).hash, hash)
    assert.equal(named.groupingRule?.title, 'Slow')
  })

  it('take linear time over hostile patterns and texts', () => {
    const value = 'a'.repeat(8_000)
    const event = aScrubbedEvent({ exception: { values: [{ type: 'E', value }] } })
    const text = Array.from({ length: 100 }, () => `value:${'*a'.repeat(9)}*b -> x`).join('\n')
    const startedMs = cpuMs()
    assert.equal(withProjectRules(event, rulesOf(text)), event)
    assert.ok(cpuMs() - startedMs < 1_000)
  })
})
