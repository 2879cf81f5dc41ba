/** Advice that keeps tabs of old builds working, by framework. */
import type { DeployRow } from '@errata/server/queries'

export type CauseName = DeployRow['causes'][number]['name']

export const FRAMEWORKS = ['next', 'react-router', 'vite', 'nuxt', 'sveltekit', 'astro'] as const
export type Framework = (typeof FRAMEWORKS)[number]

export const FRAMEWORK_NAMES: Readonly<Record<Framework, string>> = {
  next: 'Next.js',
  'react-router': 'React Router',
  vite: 'Vite',
  nuxt: 'Nuxt',
  sveltekit: 'SvelteKit',
  astro: 'Astro',
}

export interface Advice {
  readonly title: string
  /** File that the lines go into; the name of what is copied. */
  readonly file: string
  readonly code: string
  readonly note: string
}

const SAME_KEY: Advice = {
  title: 'Keep one key across builds',
  file: 'CI environment',
  code: 'NEXT_SERVER_ACTIONS_ENCRYPTION_KEY=…',
  note: 'Create it once with openssl rand -base64 32 and set it for every build. A new key gives every action a new ID.',
}

const RELOAD_WITH_VITE = `window.addEventListener('vite:preloadError', (event) => {
  event.preventDefault()
  location.reload()
})`

/** Folder that a build writes, and the address it is served at. */
const ASSETS: Readonly<Record<Framework, readonly [folder: string, address: string]>> = {
  next: ['.next/static', '_next/static'],
  'react-router': ['build/client/assets', 'assets'],
  vite: ['dist/assets', 'assets'],
  nuxt: ['.output/public/_nuxt', '_nuxt'],
  sveltekit: ['.svelte-kit/output/client/_app/immutable', '_app/immutable'],
  astro: ['dist/_astro', '_astro'],
}

function keepAssets(framework: Framework): Advice {
  const [folder, address] = ASSETS[framework]
  return {
    title: 'Add new files, keep the old',
    file: 'Deploy script',
    code: `rclone copy ${folder} \\\n  cdn:site/${address}`,
    note: '“sync” deletes what the new build lacks; “copy” doesn’t. Delete files after 7 days.',
  }
}

/** Advice for tabs to reload by themselves. */
export const NOTICE: Readonly<Record<Framework, Advice>> = {
  next: {
    title: 'Reload outdated tabs',
    file: 'next.config.js',
    code: `export default {
  deploymentId: process.env.VERSION,
}`,
    note: 'Every response carries the ID, and a tab with another ID reloads on its next navigation. At most 32 letters, digits, - or _.',
  },
  'react-router': {
    title: 'Reload outdated tabs',
    file: 'app/entry.client.tsx',
    code: RELOAD_WITH_VITE,
    note: 'React Router reloads by itself when the manifest has changed; this handles files that are gone.',
  },
  vite: {
    title: 'Reload outdated tabs',
    file: 'src/main.ts',
    code: RELOAD_WITH_VITE,
    note: 'When a file is gone, the page reloads and gets the new build.',
  },
  nuxt: {
    title: 'Reload outdated tabs',
    file: 'nuxt.config.ts',
    code: `export default defineNuxtConfig({
  experimental: {
    emitRouteChunkError: 'automatic-immediate',
    checkOutdatedBuildInterval: 600_000,
  },
})`,
    note: 'Nuxt checks for a new build every 10 min, and reloads at once when a chunk is gone.',
  },
  sveltekit: {
    title: 'Reload outdated tabs',
    file: 'svelte.config.js',
    code: `export default {
  kit: { version: { pollInterval: 60_000 } },
}`,
    note: 'Once a new version is found, the next navigation reloads the page.',
  },
  astro: {
    title: 'Reload outdated tabs',
    file: 'src/layouts/Layout.astro',
    code: `<script>
  ${RELOAD_WITH_VITE.replaceAll('\n', '\n  ')}
</script>`,
    note: 'When a file is gone, the page reloads and gets the new build.',
  },
}

/** `null` where nothing beyond `NOTICE` helps. */
export function adviceFor(cause: CauseName, framework: Framework): Advice | null {
  if (cause === 'assets') return keepAssets(framework)
  return framework === 'next' ? SAME_KEY : null
}

/** Why a cause breaks old tabs, in its framework's terms. */
export function reasonFor(
  cause: CauseName,
  framework: Framework,
): { readonly title: string; readonly text: string } {
  if (cause === 'assets')
    return {
      title: 'Old assets were removed too early',
      text: 'Tabs requested files of their own build and got a 404.',
    }
  if (cause === 'key')
    return {
      title: 'Servers don’t share one key',
      text: 'Actions failed although tab and server ran the same release. Its instances were built or started with different keys.',
    }
  if (framework === 'next')
    return {
      title: 'Action IDs changed',
      text: 'Next.js derives the IDs of server actions from a key and makes a new key for each build, so it can’t find the actions of older tabs.',
    }
  return {
    title: 'The build changed',
    text: 'Older tabs requested files and actions that only their own build has.',
  }
}
