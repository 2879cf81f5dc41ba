export { sentrySvelteKit } from '@sentry/sveltekit'
