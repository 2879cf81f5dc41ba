import { orderOf } from '../orders.js'

export async function load({ params }) {
  return { order: await orderOf(params.id) }
}
