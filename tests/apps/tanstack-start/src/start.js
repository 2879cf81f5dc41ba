import * as Sentry from '@sentry/tanstackstart-react'
import { createStart } from '@tanstack/react-start'

export const startInstance = createStart(() => ({
  requestMiddleware: [Sentry.sentryGlobalRequestMiddleware],
  functionMiddleware: [Sentry.sentryGlobalFunctionMiddleware],
}))
