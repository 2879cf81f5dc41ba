export default function NotFound() {
  return (
    <section className="failed">
      <h1>There is no such page</h1>
      <a href="/">Back to the shop</a>
    </section>
  )
}
