import { error } from '@sveltejs/kit'

async function reviews() {
  await new Promise((resolve) => setTimeout(resolve, 100))
  error(404, 'No reviews')
}

export function load() {
  const late = reviews()
  late.catch(() => {})
  return { late }
}
