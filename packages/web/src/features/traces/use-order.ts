import { useSyncExternalStore } from 'react'
import { WATERFALL_ORDERS, type WaterfallOrder } from './waterfall-orders.ts'

const NAME = 'errata.waterfall'
const CHANGED = 'errata:waterfall'

/** Returns the order in which somebody looks at waterfalls; kept in the browser, for every trace. */
export function useOrder(): readonly [WaterfallOrder, (order: WaterfallOrder) => void] {
  const order = useSyncExternalStore(subscribeToOrder, keptOrder, () => 'tree' as const)
  return [order, keepOrder]
}

function subscribeToOrder(changed: () => void): () => void {
  window.addEventListener('storage', changed)
  window.addEventListener(CHANGED, changed)
  return () => {
    window.removeEventListener('storage', changed)
    window.removeEventListener(CHANGED, changed)
  }
}

/** Order chosen while nothing can be kept. */
let unkept: WaterfallOrder = 'tree'

function keptOrder(): WaterfallOrder {
  try {
    const kept = localStorage.getItem(NAME)
    return WATERFALL_ORDERS.find((order) => order === kept) ?? unkept
  } catch {
    // A browser may keep nothing: then it is as long as the page.
    return unkept
  }
}

function keepOrder(order: WaterfallOrder): void {
  unkept = order
  try {
    localStorage.setItem(NAME, order)
  } catch {
    // As above.
  }
  window.dispatchEvent(new Event(CHANGED))
}
