/** Checks of a page in a real browser: by axe, and of its width. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Half a megabyte, which takes as long to compile as a look takes: once a load. */
export async function openWithAxe(screen: Screen, address: string): Promise<void> {
  await screen.open(address)
  await screen.page.evaluate(AXE)
}

/** The page itself never scrolls sideways; wide tables scroll in a box of their own. */
export async function widthOf(page: Page, where: string): Promise<readonly string[]> {
  const { content, window: shown } = await page.evaluate(() => ({
    content: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
    window: window.innerWidth,
  }))
  return content > shown ? [`${where}: ${content} px wide in ${shown}`] : []
}

interface Axe {
  run(options: object): Promise<AxeResult>
  /** Rules it holds, with the impact that its published types lack. */
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}

/** Returns what axe calls serious or critical on the page. Rules of less impact are not run. */
export async function accessibilityOf(
  page: Page,
  where: string,
  rules: 'all' | 'contrast' = 'all',
): Promise<readonly string[]> {
  const { violations } = await page.evaluate((which) => {
    const { axe } = window as unknown as { axe: Axe } // defined when the page was opened
    const resultTypes = ['violations']
    if (which === 'contrast') return axe.run({ resultTypes, runOnly: ['color-contrast'] })
    const light = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    return axe.run({
      resultTypes,
      rules: Object.fromEntries(light.map(({ id }) => [id, { enabled: false }])),
    })
  }, rules)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, 3).map(({ target }) => target.join(' '))
      return `${where}: ${id} (${nodes.length}) at ${places.join(' | ')}`
    })
}
