import { loadOrder } from '../../../lib/orders'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  const order = await loadOrder('40118')
  return Response.json(order)
}
