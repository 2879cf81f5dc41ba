import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineText } from '../engine-text.ts'
import { parameterise } from '../parameterise.ts'
import { EMPTY_TYPE_RULES, emptyType } from './empty-types.ts'
import { ENGINE_RULES } from './engine-rules.ts'
import { FRAME_RULES } from './frame-rules.ts'
import { NAME_RULES, withoutGenerated } from './name-rules.ts'
import { TEXT_RULES } from './text-rules.ts'

describe('each row of the rules of grouping', () => {
  it('for names leaves of its example what it says', () => {
    for (const [family, rules] of Object.entries(NAME_RULES)) {
      for (const { of, what, example, gives } of rules) {
        const ofName = of === 'both' ? 'function' : of
        assert.equal(withoutGeneratedOf(example, family, ofName), gives, `${family}, ${what}`)
        const left = withoutGeneratedOf(gives, family, ofName)
        assert.equal(left, gives, `a second time: ${family}, ${what}`)
      }
    }
  })

  it('for texts leaves of its example what it says', () => {
    for (const { what, example, gives } of TEXT_RULES) {
      assert.equal(parameterise(example), gives, what)
      assert.equal(parameterise(gives), gives, `a second time: ${what}`)
    }
  })

  it('for engines has one text for all of its examples', () => {
    for (const { what, examples, gives } of ENGINE_RULES) {
      for (const example of examples) {
        assert.equal(engineText('TypeError', example)?.text, gives, `${what}: ${example}`)
      }
    }
  })

  it('for types that say nothing is the row of its examples', () => {
    for (const rule of EMPTY_TYPE_RULES) {
      for (const family of rule.families)
        for (const example of rule.examples) assert.equal(emptyType(example, family), rule, example)
    }
    assert.equal(emptyType('*shop.OutOfStock', 'go'), null)
  })

  it('names its source, and a file, function or module', () => {
    for (const { what, source, file, function: name, module } of FRAME_RULES) {
      assert.ok(what !== '' && source !== '')
      assert.ok(file !== undefined || name !== undefined || module !== undefined, what)
    }
  })
})

function withoutGeneratedOf(name: string, family: string, of: 'function' | 'class'): string {
  const [known] = Object.keys(NAME_RULES).filter((each): each is keyof typeof NAME_RULES => each === family)
  assert.ok(known !== undefined)
  return withoutGenerated(name, known, of)
}
