/**
 * Writes what docs/digests.md and docs/hydration.md print into files of the apps that snippets are mounted
 * in.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { documented } from '../support/documentation.ts'
import type { App } from './app.ts'

const ROOT_FILE = 'app/root.tsx'

/** By the app: error pages that show a number, which leads to the failure. */
const ERROR_PAGES: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  next: () => ({ 'app/error.tsx': documented('docs/digests.md', "'use client'") }),
  'react-router': () => ({
    [ROOT_FILE]: documented('docs/digests.md', "import * as Sentry from '@sentry/react-router'\n\nexport"),
    'app/routes/reviews.tsx': documented(
      'docs/digests.md',
      "import * as Sentry from '@sentry/react-router'\nimport { Suspense",
    ),
  }),
  sveltekit: () => ({
    'src/hooks.server.ts': documented('docs/digests.md', "import * as Sentry from '@sentry/sveltekit'"),
    'src/routes/+error.svelte': documented('docs/digests.md', '<script>\n'),
  }),
  nuxt: () => ({ 'app/error.vue': documented('docs/digests.md', '<script setup>') }),
  astro: () => ({
    'src/middleware.ts': documented('docs/digests.md', "import * as Sentry from '@sentry/astro'"),
    'src/pages/500.astro': documented('docs/digests.md', '<p>Something'),
  }),
}

/** By the app: where its browser half begins to catch hydration mismatches. */
const HYDRATION: Readonly<Record<string, () => readonly [file: string, text: string]>> = {
  next: () => [
    'instrumentation-client.ts',
    documented(
      'docs/hydration.md',
      "import { hydrationIntegration } from '@errata/relay/hydration'\nimport * as Sentry from '@sentry/nextjs'",
    ),
  ],
  'react-router': () => [
    'app/entry.client.tsx',
    documented(
      'docs/hydration.md',
      "import { hydrationIntegration } from '@errata/relay/hydration'\nimport * as Sentry from '@sentry/react-router'",
    ),
  ],
  nuxt: () => [
    'sentry.client.config.ts',
    documented(
      'docs/hydration.md',
      "import { hydrationIntegration } from '@errata/relay/hydration'\nimport * as Sentry from '@sentry/nuxt'",
    ),
  ],
}

export const HYDRATING: readonly string[] = Object.keys(HYDRATION)

const VUE_FILES = {
  'index.html': '<div id="app"><p>12 left</p></div><script type="module" src="./main.ts"></script>',
  'App.vue': '<template><p>11 left</p></template>',
  'vite.config.mjs': "import vue from '@vitejs/plugin-vue'\nexport default { plugins: [vue()] }",
}

/** An app of Vue alone, within the packages of another: the page as a server made it, and what the documents mount on it. */
export function addVue({ root }: App, dsn: string): void {
  const main = documented(
    'docs/hydration.md',
    "import { hydrationIntegration } from '@errata/relay/hydration'\nimport * as Sentry from '@sentry/vue'",
  )
  mkdirSync(join(root, 'vue'), { recursive: true })
  const files = { ...VUE_FILES, 'main.ts': main.replace('https://KEY@errata.example.com/42', dsn) }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, 'vue', file), text)
}

/** True if the documents have an error page for the app's framework; it was added. */
export function addErrorPage({ root }: App, name: string): boolean {
  const files = ERROR_PAGES[name]?.() ?? {}
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    // What belongs into a file that is there stands at its end.
    if (file === ROOT_FILE) appendFileSync(path, `\n${text}\n`)
    else writeFileSync(path, text)
  }
  return Object.keys(files).length > 0
}

/** Puts the file of the documents in place of the app's own. */
export function addHydration({ root }: App, name: string, dsn: string): void {
  const [file, text] = HYDRATION[name]?.() ?? ['', '']
  writeFileSync(join(root, file), text.replace('https://KEY@errata.example.com/42', dsn))
}
