import { notFound } from 'next/navigation'
import { ask } from '../../../lib/database'
import { PRODUCTS, priceText } from '../../../lib/products'

export default async function ProductPage({ params }: { readonly params: Promise<{ slug: string }> }) {
  const { slug } = await params
  await ask('SELECT * FROM products WHERE slug = $1')
  const product = PRODUCTS.find((each) => each.slug === slug)
  if (product === undefined) notFound()
  return (
    <section>
      <div className="picture large" style={{ background: product.colour }} />
      <h1>{product.name}</h1>
      <p>{product.says}</p>
      <p className="price">{priceText(product.cents)}</p>
      <a href="/">Back to the shop</a>
    </section>
  )
}
