/** A built browser app, served as a plain web server does, and somebody who clicks. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import type { Browser } from 'playwright-core'
import type { App } from './app.ts'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

export interface WebApp extends AsyncDisposable {
  readonly url: string
}

/** Serves `dist`; where the bundler wrote no page, that of the sources with the built script. */
export async function servedApp({ root }: App, dsn: string): Promise<WebApp> {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://shop.example').pathname)
    const answer = await answerTo(root, path, dsn)
    if (answer === null) return void response.writeHead(404).end()
    const type = TYPES[path === '/' ? 'html' : (path.split('.').at(-1) ?? '')] ?? 'application/octet-stream'
    response.setHeader('content-type', type).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answerTo(root: string, path: string, dsn: string): Promise<string | Buffer | null> {
  if (path === '/dsn.js') return `window.shopDsn = ${JSON.stringify(dsn)}`
  const file = join(root, 'dist', path === '/' ? 'index.html' : path)
  if (existsSync(file)) return readFile(file)
  if (path !== '/') return null
  const page = await readFile(join(root, 'index.html'), 'utf8')
  return page.replace('/src/main.tsx', '/assets/main.js')
}

/** Opens the page anew and clicks; resolves when the browser has sent what came of it. */
export async function clickOn(browser: Browser, url: string, button: string): Promise<void> {
  const page = await browser.newPage()
  try {
    await page.goto(url)
    const sent = page.waitForResponse(
      async (response) =>
        response.url().includes('/envelope/') &&
        (response.request().postData() ?? '').includes('"type":"event"'),
    )
    await page.locator(`#${button}`).click()
    await sent
  } finally {
    await page.close()
  }
}
