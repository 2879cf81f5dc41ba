import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readInput, SCHEMAS } from '@errata/server/commands'
import { type GenericSchema, object, parse, safeParse } from 'valibot'
import {
  choiceField,
  idField,
  idListField,
  linesField,
  numberField,
  optionalNumberField,
  optionalTextField,
  platformField,
  textField,
  tickField,
} from './fields.server.ts'

describe('fields of a form', () => {
  test('become what commands take', () => {
    const cases: readonly (readonly [field: GenericSchema, typed: unknown, value: unknown])[] = [
      [textField, ' as typed ', ' as typed '],
      [textField, undefined, ''],
      [optionalTextField, ' shop ', 'shop'],
      [optionalTextField, '  ', undefined],
      [idField, '42', 42],
      [idListField, ['1', '2'], [1, 2]],
      [idListField, undefined, []],
      [numberField, ' 90 ', 90],
      [numberField, '', Number.NaN],
      [optionalNumberField, '', null],
      [optionalNumberField, undefined, null],
      [optionalNumberField, '12', 12],
      [optionalNumberField, 'many', Number.NaN],
      [tickField, 'on', true],
      [tickField, undefined, false],
      [platformField, '', null],
      [platformField, 'node', 'node'],
      [choiceField(['keep', 'drop']), 'keep', 'keep'],
      [linesField, ' a \r\n\n b', ['a', 'b']],
    ]
    for (const [field, typed, value] of cases) {
      assert.deepEqual(parse(object({ field }), { field: typed }).field, value, JSON.stringify(typed))
    }
  })

  test('are refused where they have no such shape', () => {
    for (const [field, sent] of [
      [textField, null],
      [textField, { $ne: '' }],
      [idField, '0'],
      [idField, '1e3'],
      [idListField, ['x']],
      [tickField, 'yes'],
      [choiceField(['keep', 'drop']), 'constructor'],
    ] as const) {
      assert.ok(!safeParse(object({ field }), { field: sent }).success, JSON.stringify(sent))
    }
  })

  test('that hold no number are refused by the command, beside the field', () => {
    const typed = parse(object({ count: optionalNumberField, window: optionalNumberField }), {
      count: 'many',
      window: '86401',
    })
    const refused = readInput(SCHEMAS.key, { name: 'Default', rateLimit: typed })
    assert.ok(!refused.ok)
    assert.deepEqual(Object.keys(refused.fields ?? {}).sort(), ['rateLimit.count', 'rateLimit.window'])
  })
})
