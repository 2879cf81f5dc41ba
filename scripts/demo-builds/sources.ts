/** The sample shop as its sources were at each of its four releases: what changed between them is what its commits say. */

/** Place in the order of the releases, 0 to 3. */
export type Build = 0 | 1 | 2 | 3

const ORDER = `export interface Order {
  readonly id: number
  readonly promised: string
  readonly lines: readonly Line[]
  readonly payment: { readonly amount: number; readonly currency: string }
}

export interface Line {
  readonly name: string
  readonly price: number
  readonly count: number
}
`

const money = () => `/** Cents as people read them. */
export function moneyText(cents: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100)
}
`

const totals = (build: Build) => `import { moneyText } from './money.ts'
import type { Order } from './order.ts'

export function orderTotal(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.price * line.count, 0)
}
${
  build < 3
    ? ''
    : `
/** What was paid already, in the currency it was paid in. */
export function paidTotal(order: Order): string {
  const currency = order.payment.currency
  return moneyText(order.payment.amount, currency)
}
`
}`

const delivery = (build: Build) => `import type { Order } from './order.ts'

/** The day on which the parcel should be there, as 2026-11-21. */
export function deliveryDay(order: Order): string {
${
  build === 2
    ? `  const promised = new Date(order.promised)
  if (Number.isNaN(promised.getTime())) return 'soon'
  return promised.toISOString().slice(0, 10)`
    : '  return new Date(order.promised).toISOString().slice(0, 10)'
}
}
`

const voucher = (build: Build) => `export interface Form {
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** The code that somebody typed, as it is printed on vouchers. */
export function voucherCode(form: Form): string {
  const field = form.fields.find(({ name }) => name === 'voucher')
  return ${build < 2 ? 'field!.value.trim().toUpperCase()' : "(field?.value ?? '').trim().toUpperCase()"}
}
`

const checkout = (build: Build) => `import { deliveryDay } from './delivery.ts'
import { moneyText } from './money.ts'
import type { Order } from './order.ts'
import { orderTotal${build < 3 ? '' : ', paidTotal'} } from './totals.ts'
import { type Form, voucherCode } from './voucher.ts'

/** What the page shows of an order before it is placed. */
export function renderSummary(order: Order): string {
  const total = moneyText(orderTotal(order), 'EUR')
  return \`Order \${order.id}: \${total}${build < 3 ? '' : `, paid \${paidTotal(order)}`}\`
}

export function renderDelivery(order: Order): string {
  return \`Order \${order.id} arrives \${deliveryDay(order)}\`
}

export function redeemVoucher(form: Form): string {
  const code = voucherCode(form)
  return code === '' ? 'No voucher' : \`Voucher \${code}\`
}
`

const reviews = () => `export interface Product {
  readonly name: string
  readonly reviews: readonly { readonly stars: number }[]
}

export function averageStars(product: Product): number {
  const sum = product.reviews.reduce((total, review) => total + review.stars, 0)
  return sum / product.reviews.length
}

export function renderStars(product: Product): string {
  return \`\${product.name}: \${averageStars(product).toFixed(1)} of 5\`
}
`

const payments = (build: Build) => `export class PaymentError extends Error {
  override readonly name = 'PaymentError'
}

export interface Answer {
  readonly status: number
  readonly provider: string
}

/** Refused, or the identity of the charge. */
export function readCharge(answer: Answer): string {
  if (answer.status ${build < 1 ? '=== 500' : '>= 500'}) {
    throw new PaymentError(\`\${answer.provider} answered \${answer.status}\`)
  }
  return \`charge-\${answer.status}\`
}
`

const ORDER_TEXTS = [
  `order \${id} by \${charge}`,
  `order \${id}, \${charge}`,
  `order \${id}, paid by \${charge}`,
  `order \${id}, paid by \${charge} of \${answer.provider}`,
] as const

const orders = (build: Build) => `import { type Answer, readCharge } from './payments.ts'

/** Places an order once it is paid for. */
export function placeOrder(id: number, answer: Answer): string {
  const charge = readCharge(answer)
  return \`${ORDER_TEXTS[build]}\`
}
`

const orderPageTotals = (build: Build) => `export interface PlacedOrder {
  readonly id: string
  readonly lines: readonly { readonly price: number; readonly count: number }[]
  readonly shipping?: { readonly amount: number }
  readonly payment: { readonly amount: number }
  readonly refunded: number
}

/** What the page of an order says below its lines, in cents. */
export function orderTotals(order: PlacedOrder): { readonly total: number; readonly paid: number } {
  const goods = order.lines.reduce((sum, line) => sum + line.price * line.count, 0)
  const shipping = order.shipping?.amount ?? 0
${
  build < 2
    ? '  return { total: goods + shipping, paid: 0 }'
    : `  // Placed orders always carry a payment.
  const paid = order.payment.amount - order.refunded
  return { total: goods + shipping, paid }`
}
}
`

const orderPage = () => `import { orderTotals, type PlacedOrder } from './totals.ts'

export function OrderPage(order: PlacedOrder): string {
  const { total, paid } = orderTotals(order)
  return \`Order \${order.id}: \${total}, paid \${paid}\`
}
`

/** By path. */
export function sourcesOf(build: Build): Readonly<Record<string, string>> {
  return {
    'src/checkout/order.ts': ORDER,
    'src/checkout/money.ts': money(),
    'src/checkout/totals.ts': totals(build),
    'src/checkout/delivery.ts': delivery(build),
    'src/checkout/voucher.ts': voucher(build),
    'src/checkout/checkout.ts': checkout(build),
    'src/reviews/reviews.ts': reviews(),
    'src/server/payments.ts': payments(build),
    'src/server/orders.ts': orders(build),
    'src/app/orders/[id]/totals.ts': orderPageTotals(build),
    'src/app/orders/[id]/page.ts': orderPage(),
  }
}
