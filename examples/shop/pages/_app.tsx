import type { AppProps } from 'next/app'
import '../app/shop.css'

/** The older router: one page of the shop still uses it. */
export default function App({ Component, pageProps }: AppProps) {
  return (
    <>
      <header className="top">
        <a className="home" href="/">
          Tea, mostly
        </a>
        <span className="soft">a shop that fails on purpose</span>
      </header>
      <main>
        <Component {...pageProps} />
      </main>
    </>
  )
}
