import { ask } from '../database.server'

/** One question for the list, and then one for each line of it. */
export async function loader() {
  await ask('SELECT id FROM orders WHERE customer = $1')
  for (let order = 0; order < 16; order++) await ask('SELECT * FROM lines WHERE order_id = $1', 12)
  await ask('SELECT sum(cents) FROM lines GROUP BY year', 500)
  return null
}

export default function Slow() {
  return <h1>Your orders</h1>
}
