import { type CartLine, priceOf } from './cart'

/** Loaded when somebody prints: a file of its own in the build. */
export function receiptOf(lines: readonly (CartLine | null)[]): string {
  return lines.map(lineText).join('\n')
}

function lineText(line: CartLine | null): string {
  const { name, count } = line as CartLine
  return `${count} ${name} ${priceOf({ name, count, price: 1 })}`
}
