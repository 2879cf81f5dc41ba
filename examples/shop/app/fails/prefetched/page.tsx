import { ask } from '../../../lib/database'

export default async function PrefetchedPage() {
  await ask('SELECT * FROM offers WHERE ends_at > now()')
  throw new Error('the offers of today are not printed yet')
}
