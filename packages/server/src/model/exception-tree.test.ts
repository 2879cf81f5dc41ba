import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Mechanism } from './event.ts'
import { exceptionTree, rootLast } from './exception-tree.ts'

interface Sent {
  readonly name: string
  readonly mechanism?: Mechanism
}

const plain = (name: string): Sent => ({ name })
const one = (name: string, id: number, rest: Partial<Mechanism> = {}): Sent => ({
  name,
  mechanism: { type: 'generic', exception_id: id, ...rest },
})
const child = (
  name: string,
  [id, parent]: readonly [number, number],
  source?: string,
  rest: Partial<Mechanism> = {},
) =>
  one(name, id, { type: 'chained', parent_id: parent, ...(source === undefined ? {} : { source }), ...rest })

/** `name`, or `relation name` for what belongs to another, indented by level. */
function drawn(values: readonly Sent[]): readonly string[] {
  return exceptionTree(values).map(({ index, relation, parent, level }) => {
    const of = parent === null ? '' : ` of ${values[parent]?.name}`
    return `${'  '.repeat(level)}${values[index]?.name}${relation === null ? '' : `: ${relation}${of}`}`
  })
}

describe('the exceptions of an event', () => {
  it('go by the order of the list where nothing numbers them', () => {
    assert.deepEqual(drawn([plain('inner'), plain('middle'), plain('outer')]), [
      'outer',
      'middle: cause of outer',
      'inner: cause of middle',
    ])
    assert.deepEqual(drawn([]), [])
  })

  it('are a tree by their ids: members of a group, each with its cause', () => {
    const values = [
      child('CauseTwo', [4, 3], 'InnerException'),
      child('ErrorB', [3, 0], 'InnerExceptions[1]'),
      child('CauseOne', [2, 1], 'InnerException'),
      child('ErrorA', [1, 0], 'InnerExceptions[0]'),
      one('AggregateException', 0, { is_exception_group: true }),
    ]
    const expected = [
      'AggregateException',
      '  ErrorA: member of AggregateException',
      '  CauseOne: cause of ErrorA',
      '  ErrorB: member of AggregateException',
      '  CauseTwo: cause of ErrorB',
    ]
    assert.deepEqual(drawn(values), expected)
    assert.deepEqual(drawn(values.toReversed()), expected)
  })

  it('tell a cause of a group from its members, and groups inside of groups', () => {
    assert.deepEqual(
      drawn([
        child('ValueError two', [5, 2], 'exceptions[1]'),
        child('ValueError one', [4, 2], 'exceptions[0]'),
        child('KeyError', [3, 0], 'exceptions[1]'),
        child('inner group', [2, 0], 'exceptions[0]', { is_exception_group: true }),
        child('OSError', [1, 0], '__cause__'),
        one('ExceptionGroup', 0, { is_exception_group: true }),
      ]),
      [
        'ExceptionGroup',
        '  OSError: cause of ExceptionGroup',
        '  inner group: member of ExceptionGroup',
        '    ValueError one: member of inner group',
        '    ValueError two: member of inner group',
        '  KeyError: member of ExceptionGroup',
      ],
    )
  })

  it('tell what was suppressed, and what was being handled', () => {
    const suppressed = {
      name: 'CloseFailed',
      mechanism: { type: 'suppressed', exception_id: 1, parent_id: 0 },
    }
    assert.deepEqual(drawn([suppressed, one('ReadFailed', 0)]), [
      'ReadFailed',
      'CloseFailed: suppressed of ReadFailed',
    ])
    assert.deepEqual(drawn([child('KeyError', [1, 0], '__context__'), one('RuntimeError', 0)]), [
      'RuntimeError',
      'KeyError: context of RuntimeError',
    ])
  })

  for (const [what, values] of [
    ['an id twice', [child('inner', [0, 0], 'cause'), one('outer', 0)]],
    ['a parent that is not there', [child('inner', [1, 9], 'cause'), one('outer', 0)]],
    ['a circle', [child('a', [1, 2]), child('b', [2, 1]), one('outer', 0)]],
    ['two roots', [one('inner', 1), one('outer', 0)]],
    ['an exception without id', [plain('inner'), one('outer', 0)]],
    [
      'ids that run inward',
      [
        one('inner', 0, { is_exception_group: true }),
        child('outer', [1, 0], undefined, { is_exception_group: true }),
      ],
    ],
  ] as const)
    it(`go by the list with ${what}`, () => {
      const names = values.map(({ name }) => name)
      assert.deepEqual(
        exceptionTree(values).map(({ index }) => names[index]),
        names.toReversed(),
      )
      assert.equal(
        rootLast<Sent>(values, ({ mechanism }) => mechanism),
        values,
      )
    })

  it('have their root last, wherever it was sent', () => {
    const [a, b, root] = [child('a', [2, 1], 'cause'), child('b', [1, 0], 'cause'), one('root', 0)]
    const inOrder = [a, b, root]
    for (const sent of [
      [root, b, a],
      [b, root, a],
      [root, a, b],
      [a, root, b],
    ])
      assert.deepEqual(
        rootLast(sent, ({ mechanism }) => mechanism).map(({ name }) => name),
        ['a', 'b', 'root'],
      )
    assert.equal(
      rootLast<Sent>(inOrder, ({ mechanism }) => mechanism),
      inOrder,
    )
    const odd = [b, a, root]
    assert.equal(
      rootLast<Sent>(odd, ({ mechanism }) => mechanism),
      odd,
      'what is last already stays as it was sent',
    )
  })
})
