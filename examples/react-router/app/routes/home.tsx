import { useState } from 'react'
import { Form, Link } from 'react-router'
import { FAILURES, type Failure } from '../failures'

export default function Home() {
  return (
    <>
      <h1>Tea, and what goes with it</h1>
      <p>
        <Link to="/products/sencha">Sencha</Link> · <Link to="/products/assam">Assam</Link>
      </p>
      <h1>Make it fail</h1>
      <p className="soft">Each button fails in one way. Then look at Errata.</p>
      <ul className="failures">
        {FAILURES.map((failure) => (
          <li key={failure.id} className="failure">
            <h3>{failure.title}</h3>
            <p>{failure.happens}</p>
            <p className="soft">In Errata: {failure.shows}</p>
            <Press failure={failure} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Press({ failure: { id, by, href = '/', title } }: { readonly failure: Failure }) {
  const [shown, show] = useState<Shown>('')
  const label = `Try it: ${title}`
  if (by === 'document')
    return (
      <a id={id} className="button" href={href} aria-label={label}>
        Try it
      </a>
    )
  if (by === 'link')
    return (
      <Link id={id} className="button" to={href} aria-label={label}>
        Try it
      </Link>
    )
  if (id === 'action')
    return (
      <Form method="post" action="/fails/action">
        <button className="button" type="submit" id={id} aria-label={label}>
          Try it
        </button>
      </Form>
    )
  return (
    <>
      <button className="button" type="button" id={id} aria-label={label} onClick={() => PRESSES[id]?.(show)}>
        Try it
      </button>
      {shown === 'offers' ? (
        <Link to="/fails/prefetched" prefetch="render">
          Today’s offers
        </Link>
      ) : null}
      {shown === 'basket' ? <Basket lines={[{ name: 'Assam' }]} /> : null}
    </>
  )
}

type Shown = '' | 'offers' | 'basket'

const PRESSES: Readonly<Record<string, (show: (what: Shown) => void) => void>> = {
  resource: () => void fetch('/api/discount?code=SPRING'),
  prefetch: (show) => show('offers'),
  // A tab of an older build knows files by names that this build does not have.
  'stale-asset': () => void import(/* @vite-ignore */ `/assets/${'gift-wrap-B0ldBu1d'}.js`),
  client: () => console.log(totalOf([{ name: 'Sencha', cents: 1_240, count: -1 }])),
  component: (show) => show('basket'),
  rejection: () => void Promise.reject(new Error('the newsletter has no more room')),
}

interface Line {
  readonly name: string
  readonly cents: number
  readonly count: number
}

function totalOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + priceOf(line), 0)
}

function priceOf({ name, cents, count }: Line): number {
  if (count < 0) throw new RangeError(`not a count: ${count} of ${name}`)
  return cents * count
}

function Basket({ lines }: { readonly lines: readonly { readonly name: string; readonly price?: Line }[] }) {
  // @ts-expect-error: the mistake that is looked for
  return <span>{lines.map(({ name, price }) => `${name}: ${price.cents}`)}</span>
}
