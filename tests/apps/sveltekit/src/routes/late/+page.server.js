async function reviews() {
  await new Promise((resolve) => setTimeout(resolve, 100))
  throw new Error('the reviews did not answer')
}

export function load() {
  const late = reviews()
  // Kit tells the page of it; nobody else has to.
  late.catch(() => {})
  return { late }
}
