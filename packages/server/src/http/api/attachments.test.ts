/** Attachments through the whole engine: listed, downloaded, deleted, hidden, and gone. */
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { dayOf } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { checkAttachments } from '#store/embedded/care/check-attachments.ts'
import { sweepHidden, sweepUnnamed } from '#store/embedded/care/retention/sweep-attachments.ts'
import { anActor } from '#testing/builders/actor.ts'
import { asking, openShop, type Shop, sendEnvelope, URL_HERE, unwrap } from '#testing/worlds/api.ts'

interface Sent {
  readonly header?: Readonly<Record<string, unknown>>
  readonly content: string | Buffer
}

interface Listed {
  readonly id: string
  readonly name: string
  readonly mimetype: string
  readonly size: number
  readonly type: string
}

interface Group {
  readonly by: { readonly category?: string; readonly reason?: string }
  readonly totals: Readonly<Record<string, number>>
}

function envelope(event: string, files: readonly Sent[], fields: object = {}): Buffer {
  const item = JSON.stringify({ event_id: event, message: 'with files', ...fields })
  const parts = [Buffer.from(`{"event_id":"${event}"}\n{"type":"event"}\n${item}`)]
  return Buffer.concat([...parts, ...files.flatMap(itemOf), Buffer.from('\n')])
}

function itemOf({ header = {}, content }: Sent): readonly Buffer[] {
  const bytes = Buffer.from(content)
  const said = { type: 'attachment', length: bytes.length, filename: 'a.log', ...header }
  return [Buffer.from(`\n${JSON.stringify(said)}\n`), bytes]
}

let events = 0
const nextEvent = () => (++events).toString(16).padStart(32, 'e')

describe('attachments', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  const ask = async (path: string, init: RequestInit = {}, who: keyof Shop['people'] = 'owner') => {
    const own = {
      cookie: `errata=${shop.people[who].cookie}`,
      origin: URL_HERE,
      'sec-fetch-site': 'same-origin',
    }
    const request = new Request(`${URL_HERE}/api/0${path}`, { ...init, headers: { ...own, ...init.headers } })
    const answer = await shop.api(request, { clientAddress: '192.0.2.7' })
    assert.ok(answer !== null)
    return answer
  }
  const of = (event: string, project = 'shop') => `/projects/acme/${project}/events/${event}/attachments/`
  const list = async (event: string) => (await (await ask(of(event))).json()) as readonly Listed[]
  const only = async (event: string) => {
    const [file, ...others] = await list(event)
    assert.ok(file !== undefined && others.length === 0)
    return file
  }
  const arrive = async (files: readonly Sent[], fields: object = {}, dsn = shop.dsn) => {
    const event = nextEvent()
    await sendEnvelope(shop, dsn, envelope(event, files, fields))
    return event
  }
  const blobs = async () => {
    const names: string[] = []
    for (const area of await shop.largeBlobs.areas()) {
      for await (const { name } of shop.largeBlobs.list(area)) names.push(name)
    }
    return names.sort()
  }

  it('are read by the deep check, which names each that is not as it came', async () => {
    const sound = await arrive([{ content: Buffer.alloc(3_000_000, 'x') }, { content: '' }])
    const checked = async () => {
      const { control, largeBlobs } = shop
      const hidden = await control.hidden()
      const found = await checkAttachments({ control, largeBlobs, hidden, today: dayOf(shop.clock.now()) })
      return found.map(({ ok, detail }) => `${ok ? 'ok' : 'wrong'} ${detail.replace(/: ".*/, '')}`)
    }
    assert.match((await checked()).join(), /^ok \d+ attachments, .* each as it came$/)
    const [empty, large] = (await list(sound)).toSorted((a, b) => a.size - b.size)
    const damaged = new Map<string, string>()
    for (const [file, damage] of [
      [large, 'flipped'],
      [empty, 'lost'],
    ] as const) {
      assert.ok(file !== undefined)
      const name = (await blobs()).find((one) => one.endsWith(file.id))
      assert.ok(name !== undefined)
      const path = join(shop.directory, 'blobs', 'large', name)
      if (damage === 'lost') await rm(path)
      else await writeFile(path, Buffer.alloc(3_000_000, 'y'))
      damaged.set(file.id, damage)
    }
    const said = await checked()
    assert.equal(said.length, 2)
    for (const [id, damage] of damaged) {
      const words = damage === 'lost' ? 'has lost its file' : 'is not what came: its hash differs'
      assert.ok(
        said.some((one) => one.startsWith(`wrong attachment ${id} of event ${sound}`) && one.endsWith(words)),
        said.join(),
      )
    }
    for (const { id } of [large, empty].filter((one) => one !== undefined))
      assert.equal((await ask(`${of(sound)}${id}/`, { method: 'DELETE' })).status, 204)
    assert.match((await checked()).join(), /^ok /)
  })

  it('are listed with their event and downloaded byte for byte, whole and in ranges', async () => {
    const content = Buffer.from('line one\nline two\r\n\u0000\u00ff')
    const event = await arrive([
      { content, header: { content_type: 'text/plain', attachment_type: 'event.attachment' } },
    ])
    const file = await only(event)
    assert.deepEqual(
      [file.name, file.mimetype, file.size, file.type],
      ['a.log', 'text/plain', content.length, 'event.attachment'],
    )
    const details = await ask(`${of(event)}${file.id}/`)
    assert.deepEqual(await details.json(), file)
    for (const query of ['?download', '?download=1']) {
      const whole = await ask(`${of(event)}${file.id}/${query}`)
      assert.ok(Buffer.from(await whole.arrayBuffer()).equals(content))
      assert.equal(whole.headers.get('content-length'), String(content.length))
    }
    const ranges: readonly (readonly [range: string, status: number, text: string])[] = [
      ['bytes=5-7', 206, 'one'],
      ['bytes=5-', 206, content.subarray(5).toString()],
      ['bytes=-2', 206, content.subarray(-2).toString()],
      ['bytes=0-99999', 206, content.toString()],
      ['bytes=3-1', 200, content.toString()],
      ['bytes=0-1,3-4', 200, content.toString()],
      ['lines=1', 200, content.toString()],
      [`bytes=${content.length}-`, 416, ''],
    ]
    for (const [range, status, text] of ranges) {
      const part = await ask(`${of(event)}${file.id}/?download=1`, { headers: { range } })
      assert.equal(part.status, status, range)
      if (status !== 416) assert.equal(Buffer.from(await part.arrayBuffer()).toString(), text, range)
      if (status === 206) assert.match(part.headers.get('content-range') ?? '', /^bytes \d+-\d+\/\d+$/)
    }
  })

  it('run nothing in a browser, whatever they call themselves', async () => {
    const names: readonly (readonly [name: unknown, stated: unknown, shown: string, served: string])[] = [
      ['page.html', 'text/html', 'page.html', 'application/octet-stream'],
      ['a.svg', 'image/svg+xml', 'a.svg', 'application/octet-stream'],
      ['a.js', 'application/javascript; charset=utf-8', 'a.js', 'application/octet-stream'],
      ['a.xhtml', undefined, 'a.xhtml', 'application/octet-stream'],
      ['shot.png', 'IMAGE/PNG', 'shot.png', 'image/png'],
      ['shot.jpg', 'image/jpg', 'shot.jpg', 'image/jpeg'],
      ['../../etc/passwd', undefined, 'passwd', 'application/octet-stream'],
      ['C:\\temp\\..\\boot.ini', undefined, 'boot.ini', 'application/octet-stream'],
      ['a\r\nSet-Cookie: x=1.txt', 'text/plain', 'aSet-Cookie_ x=1.txt', 'text/plain'],
      ['über “quoted” ☂.txt', 'text/plain', 'über “quoted” ☂.txt', 'text/plain'],
      ['fdp.\u202Eexe', 'a\r\nb', 'fdp.exe', 'application/octet-stream'],
      [`${'n'.repeat(10_000)}.log`, 'text/plain', `${'n'.repeat(196)}.log`, 'text/plain'],
      ['', 'text/plain', 'attachment', 'text/plain'],
      ['...', 'text/plain', 'attachment', 'text/plain'],
      [undefined, undefined, 'attachment', 'application/octet-stream'],
      [7, {}, 'attachment', 'application/octet-stream'],
    ]
    for (const [filename, content_type, shown, served] of names) {
      const event = await arrive([{ content: '<script>1</script>', header: { filename, content_type } }])
      const file = await only(event)
      assert.deepEqual([file.name, file.mimetype], [shown, served])
      const answer = await ask(`${of(event)}${file.id}/?download`)
      const header = (name: string) => answer.headers.get(name) ?? ''
      assert.equal(header('content-type'), served)
      assert.match(
        header('content-disposition'),
        /^attachment; filename="[\x20-\x7e]*"(; filename\*=UTF-8''[\w.%~!$&+^`|#-]+)?$/,
      )
      assert.equal(header('x-content-type-options'), 'nosniff')
      assert.match(header('content-security-policy'), /sandbox/)
      assert.equal(await answer.text(), '<script>1</script>')
    }
  })

  it('are kept when they are empty, and told apart when they are alike', async () => {
    const event = await arrive([{ content: '' }, { content: 'same' }, { content: 'same' }])
    assert.deepEqual((await list(event)).map(({ size }) => size).sort(), [0, 4, 4])
  })

  it('do not double when their envelope comes again, and both are counted', async () => {
    const event = nextEvent()
    const body = envelope(event, [{ content: 'once' }, { content: 'twice', header: { filename: 'b' } }])
    await sendEnvelope(shop, shop.dsn, body)
    const before = await blobs()
    await sendEnvelope(shop, shop.dsn, body)
    assert.equal((await list(event)).length, 2)
    assert.deepEqual(await blobs(), before)
    const stats =
      '/organizations/acme/stats_v2/?field=sum(quantity)&groupBy=outcome&groupBy=category&groupBy=reason'
    const { groups } = (await (await ask(stats)).json()) as { readonly groups: readonly Group[] }
    const ofReason = groups.filter(
      ({ by }) => by.reason === 'duplicate' && by.category?.startsWith('attachment'),
    )
    assert.deepEqual(ofReason.map(({ by, totals }) => [by.category, totals['sum(quantity)']]).sort(), [
      ['attachment', 9],
      ['attachment_item', 2],
    ])
  })

  it('may come later than their event, and belong to it', async () => {
    const event = await arrive([])
    assert.deepEqual(await list(event), [])
    const late = Buffer.concat([Buffer.from(`{"event_id":"${event}"}`), ...itemOf({ content: 'late' })])
    await sendEnvelope(shop, shop.dsn, late)
    assert.equal((await only(event)).size, 4)
  })

  it('are nobody’s who may not see the event', async () => {
    const hidden = await arrive([{ content: 'secret' }], {}, shop.vaultDsn)
    const open = await arrive([{ content: 'open' }])
    const [file] = await list(open)
    const [closed] = (await (await ask(of(hidden, 'vault'))).json()) as readonly Listed[]
    assert.ok(file !== undefined && closed !== undefined)
    for (const path of [
      of(hidden, 'vault'),
      `${of(hidden, 'vault')}${closed.id}/?download`,
      // Of another project's event, and of another event of this one.
      `${of(hidden)}${closed.id}/?download`,
      `${of(open)}${closed.id}/?download`,
      `${of(open)}${'0'.repeat(32)}/?download`,
      `${of(open)}..%2F${file.id}/?download`,
    ]) {
      assert.equal((await ask(path, {}, 'member')).status, 404, path)
    }
    assert.notEqual((await ask(`${of(open)}${file.id}/?download`, {}, 'rival')).status, 200)
    assert.equal((await ask(`${of(open)}${file.id}/`, { method: 'DELETE' }, 'member')).status, 403)
  })

  it('are deleted one by one, which the audit log says, and the event stays', async () => {
    const event = await arrive([{ content: 'a' }, { content: 'b', header: { filename: 'keep.txt' } }])
    const file = (await list(event)).find(({ name }) => name === 'a.log')
    assert.ok(file !== undefined)
    const before = await blobs()
    assert.equal((await ask(`${of(event)}${file.id}/`, { method: 'DELETE' })).status, 204)
    assert.equal((await only(event)).name, 'keep.txt')
    assert.equal((await ask(`${of(event)}${file.id}/?download`)).status, 404)
    assert.equal((await ask(`${of(event)}${file.id}/`, { method: 'DELETE' })).status, 404)
    assert.equal((await blobs()).length, before.length - 1)
    const log = await (await ask('/organizations/acme/audit-logs/?event=attachment.deleted')).text()
    assert.match(log, new RegExp(event))
  })

  it('of an issue are listed newest first, page by page', async () => {
    const message = { message: 'an issue of its own' }
    for (let nth = 0; nth < 3; nth++)
      await arrive([{ content: `${nth}`, header: { filename: `${nth}.txt` } }], message)
    const place = await shop.queries.eventPlace(
      await shop.people.owner.scope(),
      `${events.toString(16).padStart(32, 'e')}`,
    )
    assert.ok(place !== null)
    const path = `/organizations/acme/issues/${place.issue.id}/attachments/`
    const all = (await (await ask(path)).json()) as readonly Listed[]
    assert.equal(all.length, 3)
    const first = await ask(`${path}?limit=2`)
    const cursor = /cursor="([^"]+)"/.exec(first.headers.get('link')?.split(',').at(-1) ?? '')?.[1]
    const second = (await (await ask(`${path}?limit=2&cursor=${cursor}`)).json()) as readonly Listed[]
    const pages = [...((await first.json()) as readonly Listed[]), ...second]
    assert.deepEqual(pages, all)
  })

  it('go with an issue that is deleted, and with a person', async () => {
    const kept = await blobs()
    const gone = await arrive([{ content: 'of an issue' }], { message: 'to be deleted' })
    const place = await shop.queries.eventPlace(await shop.people.owner.scope(), gone)
    assert.ok(place !== null)
    const owner = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    unwrap(await shop.commands.run('deleteIssues', owner, { refs: [String(place.issue.id)] }))
    assert.deepEqual(await blobs(), kept)
    const theirs = await arrive([{ content: 'of a person' }], { user: { email: 'Anna@shop.test' } })
    const others = await arrive([{ content: 'of another' }], { user: { email: 'ben@shop.test' } })
    const { control, largeBlobs, telemetry } = shop
    const deletion = { orgId: owner.scope.orgId, projectId: shop.shop.id, person: 'email:anna@shop.test' }
    const upToSeq = await control.appliedSeq()
    const found = await telemetry.personEvents(deletion.projectId, deletion.person, upToSeq)
    unwrap(await control.deletePerson({ ...deletion, ...found, upToSeq }, anActor()))
    await telemetry.setHidden(await control.hidden())
    await sweepHidden({ control, largeBlobs })
    assert.equal((await ask(of(theirs))).status, 404)
    assert.equal((await list(others)).length, 1)
    assert.equal((await blobs()).length, kept.length + 1)
  })

  it('are hidden when their period is over, and swept; blobs that no row names go after a day', async () => {
    const event = await arrive([{ content: 'for some days' }])
    const { control, largeBlobs, clock } = shop
    const before = await blobs()
    const writer = await largeBlobs.begin()
    await writer.seal()
    await writer.keep(`attachment-2026-01-01.30/7/${'c'.repeat(32)}`)
    await sweepUnnamed({ control, largeBlobs }, Date.now() - max('blobsUnnamedMs'))
    assert.equal((await blobs()).length, before.length + 1)
    await sweepUnnamed({ control, largeBlobs }, Date.now() + 60_000)
    assert.deepEqual(await blobs(), before)
    const [day, days] = [dayOf(clock.now()), max('attachmentRetentionDaysDefault')]
    await sweepHidden({ control, largeBlobs }, dayOf(clock.now() + days * DAY_MS))
    assert.deepEqual(await blobs(), before)
    await sweepHidden({ control, largeBlobs }, dayOf((day + days + 1) * DAY_MS))
    assert.deepEqual(await blobs(), [])
    assert.deepEqual(await list(event), [])
  })

  it('go with their project', async () => {
    await arrive([{ content: 'of a project' }], {}, shop.vaultDsn)
    assert.equal((await blobs()).length, 1)
    const owner = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    unwrap(await shop.commands.run('deleteProject', owner, shop.vault.id))
    assert.deepEqual(await blobs(), [])
  })
})
