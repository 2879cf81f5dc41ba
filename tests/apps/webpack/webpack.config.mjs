import { resolve } from 'node:path'
import TerserPlugin from 'terser-webpack-plugin'

/** Which generation of the plugin uploads, and which minifier it has to do with. */
const { SHOP_PLUGIN = '@sentry/webpack-plugin', SHOP_MINIFIER = 'terser' } = process.env
const { sentryWebpackPlugin } = await import(SHOP_PLUGIN)
const minifiers = {
  terser: new TerserPlugin(),
  swc: new TerserPlugin({ minify: TerserPlugin.swcMinify }),
}

export default {
  mode: 'production',
  entry: './src/main.tsx',
  devtool: 'hidden-source-map',
  output: {
    path: resolve('dist'),
    filename: 'assets/main.js',
    chunkFilename: 'assets/[name].[contenthash].js',
    publicPath: '/',
    clean: true,
  },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        loader: 'swc-loader',
        options: {
          jsc: {
            target: 'es2022',
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic' } },
          },
        },
      },
    ],
  },
  optimization: { minimizer: [minifiers[SHOP_MINIFIER]] },
  performance: { hints: false },
  plugins: [sentryWebpackPlugin({ telemetry: false })],
}
