/** Two builds of one app: what browsers load, and what the server renders with. See `build.ts`. */
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin, type UserConfig } from 'vite'
import { plainImports } from './preloads.ts'

const CONDITIONS = ['errata-source', 'module', 'production', 'import', 'default']

export default defineConfig(({ isSsrBuild }): UserConfig => {
  const isServer = isSsrBuild === true
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    mode: 'production',
    logLevel: 'warn',
    publicDir: false,
    // Files name each other by where they are themselves: whatever path comes before all of them.
    base: isServer ? '/' : './',
    plugins: [
      react({ jsxImportSource: '#jsx' }),
      tailwindcss(),
      ...(isServer ? [] : [withoutServerFiles(), withoutViewFiles(), withoutPreloads()]),
    ],
    define: {
      'process.env.NODE_ENV': '"production"',
      // The SDK's own switches: nothing of tracing, no messages for its developers.
      ...(isServer ? {} : { __SENTRY_TRACING__: 'false', __SENTRY_DEBUG__: 'false' }),
    },
    resolve: { conditions: isServer ? ['node', ...CONDITIONS] : ['browser', ...CONDITIONS] },
    ssr: { noExternal: true, resolve: { conditions: ['node', ...CONDITIONS] } },
    build: isServer ? serverBuild() : clientBuild(),
  }
})

/** Files of the frame, and of what both the overview and the issue list show: one script, the entry's. */
const FIRST_LOAD = filesIn({
  'features/[\\w-]+': 'feature',
  'features/system': 'paths',
  shell:
    'browser failure-page features frame frame-menus frame-parts missing pages places rail refusal-page routes signed-out-bar wait-note',
  wire: 'action-form base-path browser-router client error-text failure-view failures field-rules jsx-runtime names page-at page-data page-link placed-window random-hex reporter route router scroll use-action wire-context',
  parts:
    'address archive-ends auth-card brand-mark choices docs-link feature file-links filter-bar find-field frame-data issue-marks issue-title kept-fields paths polled-count project-menu ranges readable recent-pages release-text request-kinds search-token shortcuts trend-state use-issue-change',
  ui: 'avatar badge button by-word checkbox chip dialog empty error-box icons key level-mark menu number number-text tabs time time-text toast visible-text',
  'ui/charts': 'bars chart-tones cursor-store reading-head readout trend-tones',
})

/** All that a page with a chart draws it with. */
const CHARTS = filesIn({
  parts: 'chosen-range page-chart',
  'ui/charts':
    'chart chart-cursor chart-marks chart-table cursor-marks cursor-pointer cursor-range day-ticks label-places legend paths plot-shapes readings scales time-axis time-ticks',
})

/** Rows with sparklines and menus, below a search field. */
const LISTS = filesIn({
  parts: 'change-menus list-address search-tokens use-offers',
  'ui/charts': 'live-sparkline sparkline trend',
})

/** Small, and together on most pages that show one thing: alone, each would be mostly what a file costs. */
const PIECES = filesIn({
  ui: 'copy-button cut-text definition-list digest-chip safe-href section segmented share-bar',
})

/** Returns what matches files by their folder below `src/`, as a pattern, and their names. */
function filesIn(folders: Readonly<Record<string, string>>): RegExp {
  const each = Object.entries(folders).map(([folder, names]) => `${folder}/(?:${names.replaceAll(' ', '|')})`)
  return new RegExp(`/src/(?:${each.join('|')})\\.tsx?$`)
}

function clientBuild(): BuildOptions {
  return {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    // The document names the scripts of its page itself; the list of all others would be part of the first load.
    modulePreload: false,
    rollupOptions: {
      input: {
        browser: fileURLToPath(new URL('src/shell/browser.tsx', import.meta.url)),
        handbook: fileURLToPath(new URL('src/handbook/browser.ts', import.meta.url)),
      },
      output: {
        // What React and the router tell developers is not for the browsers of people.
        minify: { compress: { dropConsole: true }, mangle: true, codegen: true },
        // One file for what every page needs compresses better than many.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'first', test: FIRST_LOAD },
            { name: 'pieces', test: PIECES },
            { name: 'charts', test: CHARTS },
            { name: 'lists', test: LISTS },
            { name: 'searching', test: /src\/parts\/(?:recent-searches|search-offers|wrong-parts)\.tsx?$/ },
          ],
        },
      },
    },
  }
}

function serverBuild(): BuildOptions {
  return {
    ssr: true,
    target: 'node24',
    minify: false,
    rollupOptions: {
      input: { server: fileURLToPath(new URL('src/shell/index.ts', import.meta.url)) },
      output: { format: 'esm', entryFileNames: '[name].js', codeSplitting: false },
    },
  }
}

/**
 * A route's `file`, `docs` and `access` are the server's: the browser asks for a view by importing it, for a section by
 * the page, and is refused by what answers.
 */
function withoutViewFiles(): Plugin {
  return {
    name: 'errata-without-view-files',
    enforce: 'pre',
    transform: (code, id) =>
      /\/(?:features\/[\w-]+\/feature|shell\/routes)\.ts$/.test(id)
        ? {
            code: code.replaceAll(
              /^ +(?:(?:file|docs): '[\w./#-]*'|access: '[\w.-]*'(?=,\n[^}]*\bfile:)),$/gm,
              '',
            ),
            map: null,
          }
        : null,
  }
}

/**
 * Vite loads what an import needs beforehand. Here that is nothing: there is one style sheet, and the document names its
 * scripts. The code for it would be a kilobyte of each first load.
 */
function withoutPreloads(): Plugin {
  return {
    name: 'errata-without-preloads',
    enforce: 'pre',
    load: (id) =>
      id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load()' : null,
    renderChunk(code) {
      const plain = plainImports(code)
      // Vite writes them otherwise than it did: none is left in silence, each would cost a first load.
      if (plain.includes('__vitePreload(')) this.error('an import keeps its preload: see preloads.ts')
      return plain === code ? null : { code: plain, map: null }
    },
  }
}

/** Loaders and actions must not reach the browser: a build that would carry one fails and names who asked for it. */
function withoutServerFiles(): Plugin {
  return {
    name: 'errata-without-server-files',
    load(id) {
      if (/\.server\.ts$/.test(id)) this.error(`${id} is part of the browser's bundle`)
      return null
    },
  }
}
