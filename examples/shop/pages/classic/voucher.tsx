import type { GetServerSideProps } from 'next'

export default function VoucherPage() {
  return <p>Not shown</p>
}

export const getServerSideProps: GetServerSideProps = async () => {
  throw new Error('the voucher printer is out of paper')
}
