export { sentrySvelteKit } from '@sentry/sveltekit/vite'
