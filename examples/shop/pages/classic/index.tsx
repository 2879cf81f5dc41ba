import type { GetServerSideProps } from 'next'
import Link from 'next/link'

/** A page of the Pages Router: its data comes from `getServerSideProps`. */
export default function ClassicPage({ open }: { readonly open: boolean }) {
  return (
    <section>
      <h1>Gift vouchers</h1>
      <p>{open ? 'We print them today.' : 'We print them tomorrow.'}</p>
      <p className="choices">
        <a id="voucher-document" className="button" href="/classic/voucher">
          Load a voucher as a document
        </a>
        <Link id="voucher-navigation" className="button" href="/classic/voucher" prefetch={false}>
          Go to a voucher
        </Link>
      </p>
      <a href="/">Back to the shop</a>
    </section>
  )
}

export const getServerSideProps: GetServerSideProps = async () => ({ props: { open: true } })
