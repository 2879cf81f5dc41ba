export async function loadReviews(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 100))
  throw new Error('the reviews of react-router fail')
}
