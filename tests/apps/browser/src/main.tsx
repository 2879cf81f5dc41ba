import * as Sentry from '@sentry/react'
import { createRoot } from 'react-dom/client'
import { Shop } from './shop'

declare global {
  interface Window {
    /** Put there by the page, so that the build is the same wherever it reports to. */
    shopDsn: string
  }
}

Sentry.init({ dsn: window.shopDsn })

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<Shop />)
