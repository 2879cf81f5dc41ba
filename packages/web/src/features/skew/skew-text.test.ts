import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildAgeText, buildsText, deploysHead } from './skew-text.ts'

const MINUTE = 60_000

describe('deploy skew in words', () => {
  it('names builds as a sentence does', () => {
    assert.equal(buildsText([]), null)
    assert.equal(buildsText(['shop@1']), '1')
    assert.equal(buildsText(['shop@2', 'shop@1']), '2 and 1')
    assert.equal(buildsText(['shop@5', 'shop@4', 'shop@3', 'shop@2', 'shop@1']), '5, 4, 3 and 2 more')
  })

  it('says the age of a build that was replaced soon', () => {
    const ages = [null, 35_000, 25 * MINUTE, 90 * MINUTE, 26 * 60 * MINUTE, 72 * 60 * MINUTE]
    assert.deepEqual(ages.map(buildAgeText), ['–', '< 1 min', '25 min', '2 h', '26 h', '3 d'])
  })

  it('says of a full list of deploys that it has the newest alone', () => {
    assert.deepEqual(deploysHead('14 d', 49, 50), { title: 'All deploys', note: '14 d' })
    assert.deepEqual(deploysHead('14 d', 50, 50), { title: 'Deploys', note: '14 d, the newest 50' })
  })
})
