'use client'

import { useState } from 'react'
import { Cart } from '../lib/cart'
import { reserve } from './actions'

/** Page with one button for each way to fail. */
export function Till() {
  const [shown, show] = useState('')

  function checkOut(count: number) {
    const cart = new Cart()
    cart.add({ name: 'tea', price: 3, count: 1 })
    cart.add({ name: 'cup', price: 5, count })
    show(`${cart.total()} €`)
  }

  return (
    <>
      <button type="button" id="total" onClick={() => checkOut(-1)}>
        Total
      </button>
      <button type="button" id="one" onClick={() => checkOut(1)}>
        One
      </button>
      <button type="button" id="view" onClick={() => show('view')}>
        View
      </button>
      <button type="button" id="reserve" onClick={() => reserve('tea', 500)}>
        Reserve
      </button>
      {shown === 'view' ? <Lines lines={[{ name: 'cup' }]} /> : <p>{shown}</p>}
      {shown === 'cheapest' ? <Cheapest line={{ name: 'tea', price: { cents: 300 } }} /> : null}
    </>
  )
}

interface Line {
  readonly name: string
  readonly price?: { readonly cents: number }
}

function Cheapest({ line }: { readonly line: Line }) {
  return <p>{priceText(line)}</p>
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line.name} title={priceText(line)}>
          {line.name}
        </li>
      ))}
    </ul>
  )
}

function priceText(line: Line): string {
  // @ts-expect-error: the mistake that is looked for
  const cents = line.price.cents
  return `${line.name}: ${(cents / 100).toFixed(2)} €`
}
