import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ERRORS } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import { tagFields } from '#model/fields.ts'
import { DERIVED_KEYS, mayKeepKey, mayKeepValue, type NewKey, placeBeyond } from './tag-caps.ts'

const key = (change: Partial<NewKey> = {}): NewKey => ({
  ...{ isDerived: false, isInProject: false, ownInProject: 0, ownInGroup: 0 },
  ...change,
})
const [ofGroup, ofProject] = [max('facetKeysMax'), max('facetKeysPerProjectMax')]

describe('a tag key that its group does not keep yet', () => {
  it('is kept while group and project have room', () => {
    assert.ok(mayKeepKey(key({ ownInGroup: ofGroup - 1, ownInProject: ofProject - 1 })))
    assert.ok(!mayKeepKey(key({ ownInGroup: ofGroup })))
    assert.ok(!mayKeepKey(key({ ownInProject: ofProject })))
  })

  it('needs no room in a project that keeps it already', () => {
    assert.ok(mayKeepKey(key({ isInProject: true, ownInProject: ofProject })))
    assert.ok(!mayKeepKey(key({ isInProject: true, ownInGroup: ofGroup })))
  })

  it('is kept whatever the number when Errata derives it', () => {
    assert.ok(mayKeepKey(key({ isDerived: true, ownInGroup: ofGroup, ownInProject: ofProject })))
  })

  it('counts in the project by its value, as other where the project is full, and else not at all', () => {
    assert.equal(placeBeyond({ isInProject: true, ownInProject: ofProject }), 'value')
    assert.equal(placeBeyond({ isInProject: false, ownInProject: ofProject }), 'other_keys')
    assert.equal(placeBeyond({ isInProject: false, ownInProject: 0 }), 'nothing')
  })
})

describe('a tag value', () => {
  it('is kept up to the bound of its key', () => {
    assert.ok(mayKeepValue(max('facetValuesMax') - 1))
    assert.ok(!mayKeepValue(max('facetValuesMax')))
  })
})

describe('the keys that are counted beside the bounds', () => {
  it('are those for which an event has a field', () => {
    assert.deepEqual(
      [...DERIVED_KEYS].sort(),
      tagFields(ERRORS)
        .map(({ tag }) => tag)
        .sort(),
    )
  })
})
