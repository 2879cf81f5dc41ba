// Loaded into a running product with `--import`: its control store may not grow beyond ERRATA_TEST_PAGES pages, as on
// a disk that is full for it alone.
import { DatabaseSync } from 'node:sqlite'

const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function limited(sql) {
  exec.call(this, sql)
  if (sql.includes('wal_autocheckpoint')) {
    exec.call(this, `PRAGMA max_page_count = ${Number(process.env.ERRATA_TEST_PAGES)}`)
  }
}
