import { data, useLoaderData } from 'react-router'
import { ask } from '../database.server'

const NAMES: ReadonlyMap<string, string> = new Map([
  ['sencha', 'Sencha'],
  ['assam', 'Assam'],
])

export async function loader({ params }: { readonly params: { readonly slug?: string } }) {
  await ask('SELECT * FROM products WHERE slug = $1')
  const name = NAMES.get(params.slug ?? '')
  if (name === undefined) throw data(null, { status: 404 })
  return { name }
}

export default function Product() {
  const { name } = useLoaderData<typeof loader>()
  return (
    <section>
      <h1>{name}</h1>
      <a href="/">Back to the shop</a>
    </section>
  )
}
