'use client'

import { Failed, type FailedProps } from './failed'
import './shop.css'

export default function GlobalError({ error }: FailedProps) {
  return (
    <html lang="en">
      <body>
        <main>
          <Failed error={error} />
        </main>
      </body>
    </html>
  )
}
