import { ask } from '../../../lib/database'

export default async function NavigationPage() {
  await ask('SELECT * FROM orders WHERE id = $1')
  throw new Error('order 40118 has no address')
}
