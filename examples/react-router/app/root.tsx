import type { ReactNode } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
} from 'react-router'
import { errorReference } from './reference'
import css from './shop.css?url'

export const links = () => [{ rel: 'stylesheet', href: css }]
export const meta = () => [{ title: 'Tea, mostly' }]

export function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        <header className="top">
          <a className="home" href="/">
            Tea, mostly
          </a>
          <span className="soft">an app without digests</span>
        </header>
        <main>{children}</main>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status < 500)
    return (
      <section className="failed">
        <h1>There is no such page</h1>
        <a href="/">Back to the shop</a>
      </section>
    )
  return (
    <section className="failed">
      <h1>Something went wrong</h1>
      <p>
        Tell us this number, and we’ll find out:{' '}
        <code id="reference" suppressHydrationWarning>
          {errorReference()}
        </code>
      </p>
      <a href="/">Back to the shop</a>
    </section>
  )
}
