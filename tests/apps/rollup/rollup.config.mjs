import commonjs from '@rollup/plugin-commonjs'
import resolve from '@rollup/plugin-node-resolve'
import replace from '@rollup/plugin-replace'
import swc from '@rollup/plugin-swc'
import terser from '@rollup/plugin-terser'
import { sentryRollupPlugin } from '@sentry/rollup-plugin'

export default {
  input: { main: 'src/main.tsx' },
  output: { dir: 'dist/assets', format: 'es', sourcemap: 'hidden' },
  onwarn: () => {},
  plugins: [
    resolve({ browser: true, extensions: ['.tsx', '.ts', '.mjs', '.js'] }),
    commonjs(),
    replace({ preventAssignment: true, 'process.env.NODE_ENV': '"production"' }),
    swc({
      swc: {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
      },
    }),
    terser(),
    sentryRollupPlugin({ telemetry: false }),
  ],
}
