export const runtime = 'edge'
export const dynamic = 'force-dynamic'

export function GET(): Response {
  throw new Error('no shop is near enough')
}
