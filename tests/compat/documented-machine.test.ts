/**
 * From nothing to a server behind HTTPS, with a tested restore, and back to nothing: the blocks of the documents in
 * the order in which a person comes to them, on a machine of their own, as they stand.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { documented } from '../support/documentation.ts'
import { type Machine, noMachine, openMachine } from '../support/machine.ts'
import { OWNER } from '../support/start-errata.ts'
import { ROOT } from '../tidy/sources.ts'

const missing = noMachine()
const nginx = spawnSync('nginx', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0
/** The line, until it answers; what it began has to end by one signal. */
const serving = (line: string, port: number) =>
  `${line.replace(/#.*$/, '')} & until curl -s --fail http://127.0.0.1:${port}/health; do sleep 0.2; done; kill $!; wait $!`
const ERRATA = 'sudo -u errata /opt/errata/node_modules/.bin/errata'
const CERTIFICATE = `
D=/etc/letsencrypt/live/errata.example.com; mkdir -p $D
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=errata.example.com \\
  -addext subjectAltName=DNS:errata.example.com,DNS:mail.example.com -keyout $D/privkey.pem -out $D/fullchain.pem
echo '127.0.0.1 errata.example.com mail.example.com' >> /etc/hosts`
/** A mail server with the printed name, user and password: what it is sent is a file. */
const MAIL_SERVER = `
import { appendFileSync, readFileSync } from 'node:fs'
import { SMTPServer } from '${ROOT}node_modules/smtp-server/dist/esm/smtp-server.js'
const place = '/etc/letsencrypt/live/errata.example.com/'
new SMTPServer({
  secure: true,
  key: readFileSync(place + 'privkey.pem'),
  cert: readFileSync(place + 'fullchain.pem'),
  onAuth: ({ username, password }, session, done) =>
    username === 'errata@example.com' && password === 'PASSWORD' ? done(null, { user: 1 }) : done(new Error('refused')),
  onData: (stream, session, done) => stream.on('data', (part) => appendFileSync('mail.txt', part)).on('end', done),
}).listen(465)`

const caddy = spawnSync('caddy', ['version']).status === 0

describe('the pages of whoever runs Errata', { skip: missing ?? false }, () => {
  let machine: Machine
  let clone = ''
  const shell = (lines: string, cwd?: string) =>
    machine.shell(`export CURL_CA_BUNDLE=/etc/letsencrypt/live/errata.example.com/fullchain.pem\n${lines}`, {
      ...(cwd === undefined ? {} : { cwd }),
    })
  /** Counts what is stored under the name that each way of running has to keep. */
  const counted = async (url = 'http://127.0.0.1:9000') => {
    const ask = `curl -sS --fail '${url}/api/0/organizations/acme/issues/?query=Hello' -H 'Authorization: Bearer ${token}'`
    const found: readonly { readonly count: string }[] = JSON.parse(await shell(ask))
    return found.map(({ count }) => count)
  }
  /** Sets up by the printed words, with the names of the other pages, and sends an event. */
  const setUpIn = async (call: string) => {
    const words = documented('docs/first-event.md', 'errata setup')
      .replace('errata setup --data ./errata-data', call)
      .replace('Shop', 'Acme')
      .replace('--project web', '--project shop')
      .replace('you@example.com', OWNER.email)
    const line = (await shell(`${words} --json`)).split('\n').find((each) => each.startsWith('{"url"'))
    const made: { token: string; dsn: string; url: string } = JSON.parse(line ?? '{}')
    token = made.token
    key = new URL(made.dsn).username
    return made
  }
  /** Sends the printed event, and waits until it is stored. */
  const sendTo = async (url: string) => {
    const curl = documented('docs/first-event.md', 'curl ')
      .replace('KEY', key)
      .replace('https://errata.example.com', url)
    assert.match(await shell(`until ${curl} --fail; do sleep 0.2; done`), /\{"id":"[0-9a-f]{32}"\}/)
    await shell(
      `until curl -sS '${url}/api/0/organizations/acme/issues/' -H 'Authorization: Bearer ${token}' | grep -q Hello; do sleep 0.1; done`,
    )
  }
  let token = ''
  let key = ''
  before(async () => {
    machine = await openMachine()
    clone = `${machine.home}/errata`
    await shell(`git clone --quiet --bare file://${ROOT} origin.git
git -C origin.git branch --force documented "$(git -C ${ROOT} rev-parse HEAD)"
git clone --quiet --branch documented file://${machine.home}/origin.git ${clone}`)
  })
  after(() => machine?.[Symbol.asyncDispose]())

  it('install it as a service', async () => {
    const said = await shell(documented('docs/operating/deploy.md', 'useradd --system'), clone)
    assert.match(said, /code/i)
    await shell(documented('docs/operating/deploy.md', 'sudo -u errata'))
    assert.equal(await shell('stat -c %U:%a /var/lib/errata'), 'errata:700\n')
  })

  it('set it up without a browser', async () => {
    const block = documented('docs/first-event.md', 'errata setup')
    await shell(block)
    const { url } = await setUpIn(`${ERRATA} setup --data /var/lib/errata`)
    assert.equal(url, 'https://errata.example.com')
    if (!nginx) await sendTo('http://127.0.0.1:9000')
  })

  it('put nginx in front of it, and send a first event through it', { skip: !nginx }, async () => {
    await shell(CERTIFICATE)
    const block = documented('docs/operating/proxy.md', 'upstream errata')
    await shell(
      `mkdir -p /var/log/nginx /var/lib/nginx; cat > /etc/nginx/conf.d/errata.conf <<'END'\n${block}\nEND\nnginx -t; nginx`,
    )
    assert.equal(JSON.parse(await shell('curl -sS --fail https://errata.example.com/health')).ok, true)
    await sendTo('https://errata.example.com')
  })

  it('put Caddy in front of it, and nginx of an app before that', { skip: !nginx || !caddy }, async () => {
    const front = documented('docs/operating/proxy.md', 'errata.example.com {')
    const relay = documented('docs/operating/proxy.md', 'location = /monitoring')
    // With a certificate of its own: nobody out there answers here.
    await shell(`nginx -s stop; rm /etc/nginx/conf.d/errata.conf
cat > Caddyfile <<'END'
{
  local_certs
  skip_install_trust
}
${front}
END
caddy start --config Caddyfile --pidfile caddy.pid > caddy.log 2>&1
cat > /etc/nginx/conf.d/app.conf <<'END'
server { listen 8080; ${relay} }
END
rm -f /etc/nginx/sites-enabled/default
nginx -t; nginx
until curl -sS --insecure --fail https://errata.example.com/health; do sleep 0.2; done`)
    const envelope = `{"dsn":"https://${key}@errata.example.com/1"}\n{"type":"event"}\n{"message":"past nginx and Caddy"}`
    const said = await shell(
      `curl -sS --fail 'http://127.0.0.1:8080/monitoring?o=acme&p=shop' -H 'Content-Type: text/plain' --data-binary '${envelope}'`,
    )
    assert.match(said, /"id"/)
    await shell(`kill $(cat caddy.pid); nginx -s stop; rm /etc/nginx/conf.d/app.conf`)
    await shell(`cat > /etc/nginx/conf.d/errata.conf <<'END'
${documented('docs/operating/proxy.md', 'upstream errata')}
END
sleep 1; nginx`)
  })

  it('have it send mail', { skip: !nginx }, async () => {
    const block = documented('docs/operating/configure.md', 'ERRATA_SMTP_URL')
    await shell(`cat >> /etc/errata.env <<'END'
${block}
NODE_EXTRA_CA_CERTS=/etc/letsencrypt/live/errata.example.com/fullchain.pem
END
cat > mail.mjs <<'END'
${MAIL_SERVER}
END
node mail.mjs > mail.log 2>&1 &
chmod a+rx /etc/letsencrypt /etc/letsencrypt/live
systemctl restart errata`)
    const invite = `curl -sS --fail "https://errata.example.com/api/0/organizations/acme/members/" -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"email": "ada@example.com", "orgRole": "member"}'`
    await shell(`${invite}; until grep -q 'From: Errata <errata@example.com>' mail.txt; do sleep 0.1; done`)
    assert.match(await shell('cat mail.txt'), /^To: ada@example\.com/m)
  })

  it('back it up, and restore it beside the running one', async () => {
    const [backup = '', verify = '', every = ''] = documented(
      'docs/operating/backup-and-upgrade.md',
      'errata backup',
    ).split('\n')
    assert.match(await shell(`mkdir -p /mnt/backup\n${backup}`), /Z: \d+ files?, /)
    assert.match(await shell(verify), /chunk|whole|right/i)
    const on = (line: string) => serving(`${line} --port 9100`, 9100)
    await shell(on(`${every} --data ./errata-data`))
    await shell(
      documented('docs/operating/backup-and-upgrade.md', 'cp -p /var/lib').replace('/root', machine.home),
    )
    const restore = documented('docs/operating/backup-and-upgrade.md', 'errata restore').replace(
      '/root',
      machine.home,
    )
    const [serve = '', ...before] = restore.split('\n').toReversed()
    const said = await shell(before.toReversed().join('\n'))
    assert.doesNotMatch(said, /WRONG|ENOENT/)
    await shell(on(serve))
  })

  it('restore it as a service', async () => {
    await shell(
      documented('docs/operating/backup-and-upgrade.md', 'systemctl stop errata').replaceAll(
        '/root',
        machine.home,
      ),
    )
    assert.deepEqual(await counted(), ['1'])
  })

  it('upgrade it as a service', async () => {
    await shell(documented('docs/operating/backup-and-upgrade.md', '/opt/errata/node_modules'), clone)
    assert.deepEqual(await counted(), ['1'])
  })

  it('move it to another machine', async () => {
    await shell('systemctl stop errata; mkdir -p /mnt/new-machine')
    await shell(documented('docs/operating/move.md', 'tar -C /var/lib'))
    await shell('rm -r /var/lib/errata; mv /mnt/new-machine/errata /var/lib/errata')
    await shell(documented('docs/operating/move.md', 'sudo -u errata'))
    assert.deepEqual(await counted(), ['1'])
  })

  it('run it in a container, and restore it there', async () => {
    await shell('systemctl stop errata')
    await shell(documented('docs/operating/deploy.md', 'podman build'), clone)
    // As on a machine of its own: set up, sent to, backed up.
    const inside = 'podman exec errata node /opt/errata/node_modules/errata/bin/errata.mjs'
    const deploy = await shell(`grep -o 'podman exec errata node [^\`]*' docs/operating/deploy.md`, clone)
    assert.ok(deploy.startsWith(inside), deploy)
    await shell(deploy)
    await setUpIn(`${inside} setup --data /data`)
    await sendTo('http://127.0.0.1:9000')
    await shell('mkdir -p /mnt/container; chown 1000 /mnt/container')
    await shell(
      `podman exec errata node /opt/errata/node_modules/errata/bin/errata.mjs backup /mnt/container/errata --data /data`,
    )
    await shell('rm -rf /mnt/backup/errata; mv /mnt/container/errata /mnt/backup/errata')
    await shell(documented('docs/operating/backup-and-upgrade.md', 'podman stop errata'))
    assert.deepEqual(await counted(), ['1'])
    await shell('podman stop errata; podman rm errata')
    await shell('podman volume rm errata; podman run -d --name errata -v errata:/data errata')
    await shell(documented('docs/operating/backup-and-upgrade.md', 'git pull && podman'), clone)
    await shell(documented('docs/operating/move.md', 'podman rm -f'))
    await shell('podman volume rm errata-new')
  })

  it('run it with Compose, and restore it there', async () => {
    await shell(documented('docs/operating/deploy.md', 'export ERRATA_DOMAIN'), clone)
    await shell(documented('docs/operating/backup-and-upgrade.md', 'export ERRATA_DOMAIN'), clone)
    assert.deepEqual(await counted(), ['1'])
    await shell(documented('docs/operating/backup-and-upgrade.md', 'git pull\nexport ERRATA_DOMAIN'), clone)
    assert.deepEqual(await counted(), ['1'])
    await shell(documented('docs/operating/move.md', 'export ERRATA_DOMAIN'), clone)
    await shell('ls $MACHINE/volumes', clone)
  })

  it('run it from a clone, and upgrade it there', async () => {
    const starts = [
      documented('docs/operating/deploy.md', 'npm start'),
      documented('docs/operating/backup-and-upgrade.md', 'git pull\nnpm start'),
      documented('docs/operating/README.md', 'npm start'),
      documented('docs/operating/proxy.md', 'errata serve'),
      documented('docs/relay.md', 'errata serve'),
    ]
    for (const lines of starts) {
      const [line = '', ...before] = lines.split('\n').toReversed()
      await shell([...before.toReversed(), serving(line, 9000)].join('\n'), clone)
    }
    await shell(documented('docs/sign-in.md', 'errata user').replace('EMAIL', 'you@example.com'))
  })

  it('uninstall it, and leave nothing', async () => {
    await shell(documented('docs/operating/move.md', 'systemctl disable'))
    const left =
      'ls -d /opt/errata /var/lib/errata /etc/errata.env /etc/systemd/system/errata.service 2>/dev/null || true'
    assert.equal(await shell(left), '')
    assert.match(await shell('id errata || true'), /no such user/)
  })
})
