/** The relay's hydration helper with React 18 and with Vue, and an SDK of version 10. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type HydratingShop, hydratingShop } from '../support/hydrating.ts'
import { VUE } from '../support/hydrating-vue.ts'
import { MISMATCHES, VUE_MISMATCHES } from '../support/hydration-mismatches.ts'
import { installedApp } from './app.ts'

describe('the hydration helper with React 18', () => {
  let browser: Browser
  let shop: HydratingShop
  before(async () => {
    const { root } = await installedApp('hydration-18')
    browser = await launchBrowser()
    shop = await hydratingShop({ modules: root })
  })
  after(async () => {
    await shop?.[Symbol.asyncDispose]()
    await browser?.close()
  })

  it('says nothing where hydration succeeds', async () => {
    assert.deepEqual(await shop.open(browser, 'same'), [])
  })

  for (const { name, server, client, component } of MISMATCHES) {
    it(`hangs both halves on every error of one mismatch: ${name}`, async () => {
      const sent = await shop.open(browser, name)
      assert.ok(sent.length > 0)
      for (const { text, halves } of sent) {
        assert.match(text, /React error #(?:418|42[1-5])/)
        assert.match(halves?.server ?? '', server)
        assert.match(halves?.client ?? '', client)
        assert.equal(halves?.component, component)
      }
    })
  }
})

describe('the hydration helper with Vue 3', () => {
  let browser: Browser
  let shop: HydratingShop
  before(async () => {
    const { root } = await installedApp('hydration-vue')
    browser = await launchBrowser()
    shop = await hydratingShop({ modules: root, framework: VUE })
  })
  after(async () => {
    await shop?.[Symbol.asyncDispose]()
    await browser?.close()
  })

  it('says nothing where hydration succeeds', async () => {
    assert.deepEqual(await shop.open(browser, 'same'), [])
  })

  for (const { name, server, client } of VUE_MISMATCHES) {
    it(`hangs both halves on what Vue writes to the console: ${name}`, async () => {
      const sent = await shop.open(browser, name)
      assert.deepEqual(
        sent.map(({ text }) => text),
        ['Hydration completed but contains mismatches.'],
      )
      assert.match(sent[0]?.halves?.server ?? '', server)
      assert.match(sent[0]?.halves?.client ?? '', client)
    })
  }

  it('sends nothing of what people wrote, and no secret', async () => {
    const [sent] = await shop.open(browser, 'account')
    const all = JSON.stringify(sent?.halves)
    for (const secret of ['nobody', 'ab12cd34ef', 'ana@', 'mail='])
      assert.ok(!all.includes(secret), `${secret} in ${all}`)
    assert.match(sent?.halves?.server ?? '', /3 orders/)
    assert.match(sent?.halves?.client ?? '', /4 orders/)
  })
})
