/** Two builds of one app: what browsers load, and what the server renders with. See `build.ts`. */
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type BuildOptions, defineConfig, type Plugin, type UserConfig } from 'vite'

const CONDITIONS = ['errata-source', 'module', 'production', 'import', 'default']

export default defineConfig(({ isSsrBuild }): UserConfig => {
  const isServer = isSsrBuild === true
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    mode: 'production',
    logLevel: 'warn',
    publicDir: false,
    plugins: [react(), tailwindcss(), ...(isServer ? [] : [withoutServerFiles()])],
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: isServer ? ['node', ...CONDITIONS] : ['browser', ...CONDITIONS] },
    ssr: { noExternal: true, resolve: { conditions: ['node', ...CONDITIONS] } },
    build: isServer ? serverBuild() : clientBuild(),
  }
})

function clientBuild(): BuildOptions {
  return {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: fileURLToPath(new URL('src/app/browser.tsx', import.meta.url)),
      output: {
        // One file for what every page needs compresses better than many.
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules\/(?:react|react-dom|react-router|scheduler)\// }],
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
      input: { server: fileURLToPath(new URL('src/app/index.ts', import.meta.url)) },
      output: { format: 'esm', entryFileNames: '[name].js', codeSplitting: false },
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
