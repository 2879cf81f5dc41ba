/** What Next.js and the SDK are told, apart from where the SDK exports its function. */
export const config = {
  // Errata reads stacks with these: `errata upload-build .next` takes them after the build.
  productionBrowserSourceMaps: true,
  experimental: { serverSourceMaps: true },
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
}

export const sentry = { telemetry: false, silent: true, sourcemaps: { disable: true } }
