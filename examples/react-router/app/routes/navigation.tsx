import { ask } from '../database.server'

export async function loader() {
  await ask('SELECT * FROM orders WHERE id = $1')
  throw new Error('order 40118 has no address')
}

export default function Navigation() {
  return <p>Not shown</p>
}
