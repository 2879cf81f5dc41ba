'use server'

import { Inventory } from '../lib/inventory'

/** Called by the page's button. */
export async function reserve(name: string, count: number): Promise<number> {
  const inventory = new Inventory([['tea', 3]])
  return inventory.take(name, count)
}
