import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import './shop.css'

export const metadata: Metadata = { title: 'Tea, mostly' }

/** Every page asks the server, as pages of a shop with a basket do. */
export const dynamic = 'force-dynamic'

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header className="top">
          <a className="home" href="/">
            Tea, mostly
          </a>
          <span className="soft">a shop that fails on purpose</span>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
