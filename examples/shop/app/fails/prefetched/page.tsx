export default function OffersPage() {
  return <p>Sencha, two for one</p>
}
