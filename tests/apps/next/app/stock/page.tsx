import { Inventory } from '../../lib/inventory'

export const dynamic = 'force-dynamic'

export default async function StockPage() {
  const inventory = new Inventory([['tea', 3]])
  return (
    <p>
      {leftOf(inventory, 'cup')} cups and {leftOf(inventory, 'tea')} teas
    </p>
  )
}

function leftOf(inventory: Inventory, name: string): number {
  const left = inventory.take(name, 1)
  if (left === 0) console.warn(`that was the last ${name}`)
  return left
}
