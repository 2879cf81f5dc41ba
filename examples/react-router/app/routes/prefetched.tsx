import { ask } from '../database.server'

export async function loader() {
  await ask('SELECT * FROM offers WHERE ends_at > now()')
  throw new Error('the offers of today are not printed yet')
}

export default function Prefetched() {
  return <p>Not shown</p>
}
