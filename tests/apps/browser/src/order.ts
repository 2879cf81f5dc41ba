export interface Address {
  readonly street: string
  readonly city: string
}

class OrderError extends Error {
  override readonly name = 'OrderError'
}

/** Resolves with the number of the order. */
export async function placeOrder(address: Address): Promise<number> {
  const checked = await checkAddress(address)
  return checked.city.length
}

const checkAddress = async (address: Address): Promise<Address> => {
  await new Promise((resolve) => setTimeout(resolve, 1))
  for (const [field, value] of Object.entries(address)) {
    if (value === '') throw new OrderError(`no ${field} to deliver to`)
  }
  return address
}
