const { SENTRY_DSN, SENTRY_RELEASE } = process.env

export default defineNuxtConfig({
  modules: ['@sentry/nuxt/module'],
  sentry: { telemetry: false, sourcemaps: { disable: true } },
  sourcemap: { server: false, client: false },
  telemetry: false,
  compatibilityDate: '2026-01-01',
  experimental: { appManifest: true },
  runtimeConfig: { public: { dsn: SENTRY_DSN, release: SENTRY_RELEASE } },
})
