export default defineEventHandler(() => {
  throw new Error('the card was declined by a bank that does not answer')
})
