/** A page with the unmodified browser SDK, as an app ships it: one script that puts `Sentry` on the window. */
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { ROOT } from '../tidy/sources.ts'

const ENTRY = 'virtual:app'
const APP = `import * as Sentry from '@sentry/browser'; window.Sentry = Sentry`

/** The page's HTML. */
export async function sdkPage(): Promise<string> {
  const script = await bundle()
  return `<!doctype html><script>${script.replaceAll('</script', '<\\/script')}</script><h1>shop</h1>`
}

async function bundle(): Promise<string> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? APP : null),
      },
    ],
    build: { write: false, minify: false, rollupOptions: { input: ENTRY, output: { format: 'iife' } } },
  })
  const [output] = [built].flat()
  if (output === undefined || !('output' in output)) throw new Error('the bundler answered without output')
  return output.output[0].code
}

/** Starts the SDK on an open page with these options, and throws an error there that nobody catches. */
export async function throwOnPage(page: Page, options: object, message: string): Promise<void> {
  await page.evaluate(
    ({ init, text }) => {
      const { Sentry } = window as unknown as { Sentry: { init(options: object): void } } // put there by the page's script
      Sentry.init(init)
      setTimeout(() => {
        throw new RangeError(text)
      })
    },
    { init: { release: 'shop@2', ...options }, text: message },
  )
}
