import Link from 'next/link'
import { Fragment } from 'react'
import { type Failure, GROUPS } from '../lib/failures'
import { PRODUCTS, priceText } from '../lib/products'
import { PressButton } from './press-button'

export default function ShopPage() {
  return (
    <>
      <h1>Tea, and what goes with it</h1>
      <ul className="products">
        {PRODUCTS.map(({ slug, name, says, cents, colour }) => (
          <li key={slug}>
            <Link className="product" href={`/products/${slug}`}>
              <span className="picture" style={{ background: colour }} />
              <strong>{name}</strong>
              <span className="soft">{says}</span>
              <span className="price">{priceText(cents)}</span>
            </Link>
          </li>
        ))}
      </ul>
      <h1 id="fail">Make it fail</h1>
      <p className="soft">Each button fails in one way. Then look at Errata.</p>
      {GROUPS.map(({ name, failures }) => (
        <Fragment key={name}>
          <h2>{name}</h2>
          <ul className="failures">
            {failures.map((failure) => (
              <li key={failure.id} className="failure">
                <h3>{failure.title}</h3>
                <p>{failure.happens}</p>
                <p className="soft">In Errata: {failure.shows}</p>
                <Press failure={failure} />
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </>
  )
}

function Press({ failure: { id, by, href = '/', title } }: { readonly failure: Failure }) {
  const label = `Try it: ${title}`
  if (by === 'document')
    return (
      <a id={id} className="button" href={href} aria-label={label}>
        Try it
      </a>
    )
  if (by === 'link')
    return (
      <Link id={id} className="button" href={href} prefetch={false} aria-label={label}>
        Try it
      </Link>
    )
  return <PressButton id={id} label={label} />
}
