export interface Product {
  readonly slug: string
  readonly name: string
  readonly says: string
  readonly cents: number
  readonly colour: string
}

export const PRODUCTS: readonly Product[] = [
  { slug: 'sencha', name: 'Sencha', says: 'Green, steamed, first harvest', cents: 1_240, colour: '#8fae7a' },
  { slug: 'assam', name: 'Assam', says: 'Black, malty, for milk', cents: 890, colour: '#a8653f' },
  { slug: 'rooibos', name: 'Rooibos', says: 'Red, without caffeine', cents: 760, colour: '#c9743f' },
  { slug: 'teapot', name: 'Teapot', says: 'Stoneware, 800 ml', cents: 4_800, colour: '#6f8597' },
]

export const priceText = (cents: number) => `€${(cents / 100).toFixed(2)}`
