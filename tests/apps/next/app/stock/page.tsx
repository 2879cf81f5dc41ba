import { Inventory } from '../../lib/inventory'

export const dynamic = 'force-dynamic'

export default async function StockPage() {
  const inventory = new Inventory([['tea', 3]])
  return <p>{leftOf(inventory, 'cup')} left</p>
}

function leftOf(inventory: Inventory, name: string): number {
  return inventory.take(name, 1)
}
