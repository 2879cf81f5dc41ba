import { ask } from '../../../lib/database'
import { PRODUCTS } from '../../../lib/products'

/** One question for the list, and then one for each line of it. */
export default async function SlowPage() {
  await ask('SELECT id FROM orders WHERE customer = $1')
  for (let order = 0; order < 16; order++) await ask('SELECT * FROM lines WHERE order_id = $1', 12)
  await ask('SELECT sum(cents) FROM lines GROUP BY year', 500)
  return (
    <section>
      <h1>Your orders</h1>
      <ul>
        {PRODUCTS.map(({ slug, name }) => (
          <li key={slug}>{name}</li>
        ))}
      </ul>
      <a href="/">Back to the shop</a>
    </section>
  )
}
