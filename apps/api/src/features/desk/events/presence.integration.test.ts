import { describe, expect } from 'vitest'
import { createTestDesk, type TestDesk } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import { terminateListeners } from '#test/other-processes.ts'
import { connectDesk } from '#test/sockets/desk-socket.ts'
import { useTestApp } from '#test/test-app.ts'

const memo = '0193a000-0000-7000-8000-000000000001'
const article = '0193a000-0000-7000-8000-000000000003'
const otherMemo = '0193a000-0000-7000-8000-000000000002'

/** Starts two processes on a database of their own, so that a test knows everyone who is there. */
async function twoProcesses() {
  const first = await useTestApp({ working: false, listening: true })
  const second = await useTestApp({
    working: false,
    listening: true,
    databaseUrl: first.context.config.database.url,
  })
  const desk = createTestDesk(first)
  const urls = [await first.listen(), await second.listen()] as const
  return { first, second, desk, urls }
}

async function openDesk(desk: TestDesk, url: string) {
  const { as, name } = await desk.keyWith('read')
  return { name, authorization: as, client: await connectDesk(url, { authorization: as }) }
}

const it = siteTest()

describe('presence', () => {
  it('is seen from the other process, memo by memo', async () => {
    const { desk, urls } = await twoProcesses()
    const anna = await openDesk(desk, urls[0])
    const ben = await openDesk(desk, urls[1])

    anna.client.enter(memo)
    await ben.client.sees({ [anna.name]: [memo], [ben.name]: [] })
    anna.client.enter(otherMemo)
    ben.client.enter(otherMemo)

    await ben.client.sees({ [anna.name]: [otherMemo], [ben.name]: [otherMemo] })
    await anna.client.sees({ [anna.name]: [otherMemo], [ben.name]: [otherMemo] })
    anna.client.enter(null)
    await ben.client.sees({ [anna.name]: [], [ben.name]: [otherMemo] })
  })

  it('is seen article by article too', async () => {
    const { desk, urls } = await twoProcesses()
    const anna = await openDesk(desk, urls[0])
    const ben = await openDesk(desk, urls[1])

    anna.client.enterArticle(article)
    ben.client.enter(memo)
    await ben.client.sees({ [anna.name]: [article], [ben.name]: [memo] })

    const people = ben.client.of('presence').at(-1)?.people
    expect(people).toMatchObject([
      { name: anna.name, memos: [], articles: [article] },
      { name: ben.name, memos: [memo], articles: [] },
    ])
  })

  it('of two tabs is one, until both are closed', async () => {
    const { desk, urls } = await twoProcesses()
    const anna = await openDesk(desk, urls[0])
    const second = await connectDesk(urls[1], { authorization: anna.authorization })
    const ben = await openDesk(desk, urls[1])
    anna.client.enter(memo)
    second.enter(otherMemo)
    await ben.client.sees({ [anna.name]: [memo, otherMemo], [ben.name]: [] })

    anna.client.socket.close()
    await ben.client.sees({ [anna.name]: [otherMemo], [ben.name]: [] })
    second.socket.close()

    await ben.client.sees({ [ben.name]: [] })
  })

  it('ends after 30 seconds without a heartbeat, and returns with the next one', async () => {
    const { first, second, desk, urls } = await twoProcesses()
    const anna = await openDesk(desk, urls[0])
    const ben = await openDesk(desk, urls[1])
    anna.client.enter(memo)
    await ben.client.sees({ [anna.name]: [memo], [ben.name]: [] })
    const pass = (ms: number) => {
      for (const { clock, context } of [first, second]) {
        clock.pass(ms)
        context.deskEvents.expire()
      }
    }

    pass(29_999)
    expect(ben.client.people()).toEqual({ [anna.name]: [memo], [ben.name]: [] })
    ben.client.enter(memo)
    await anna.client.sees({ [anna.name]: [memo], [ben.name]: [memo] })
    pass(1)

    await ben.client.sees({ [ben.name]: [memo] })
    anna.client.enter(memo)
    await ben.client.sees({ [anna.name]: [memo], [ben.name]: [memo] })
  })

  it('of a process that was killed ends after 30 seconds', async () => {
    const { first, desk, urls } = await twoProcesses()
    const ben = await openDesk(desk, urls[0])
    const actor = { kind: 'person', id: 'of-the-killed-process', name: 'Anna' }
    const sighting = JSON.stringify({ socket: 'a-socket', actor, memo, isOpen: true })
    for (const payload of ['', '{"socket":1}', sighting]) {
      await first.context.database.pool.query('SELECT pg_notify($1, $2)', ['tidings_desk_presence', payload])
    }
    await ben.client.sees({ Anna: [memo], [ben.name]: [] })

    first.clock.pass(15_000)
    ben.client.enter(memo)
    await ben.client.sees({ Anna: [memo], [ben.name]: [memo] })
    first.clock.pass(15_000)
    first.context.deskEvents.expire()

    await ben.client.sees({ [ben.name]: [memo] })
  })

  it('is learned by a process that starts late with the next heartbeats', async () => {
    const first = await useTestApp({ working: false, listening: true })
    const desk = createTestDesk(first)
    const anna = await openDesk(desk, await first.listen())
    anna.client.enter(memo)
    await anna.client.sees({ [anna.name]: [memo] })
    const late = await useTestApp({
      working: false,
      listening: true,
      databaseUrl: first.context.config.database.url,
    })
    const ben = await openDesk(desk, await late.listen())
    await ben.client.sees({ [ben.name]: [] })

    anna.client.enter(memo)

    await ben.client.sees({ [anna.name]: [memo], [ben.name]: [] })
  })

  it('of 20 editors in two processes is the same for all of them', async () => {
    const { desk, urls } = await twoProcesses()
    const editors = []
    for (let index = 0; index < 20; index += 1) {
      editors.push(await openDesk(desk, index % 2 === 0 ? urls[0] : urls[1]))
    }

    for (const { client } of editors) client.enter(memo)

    const all = Object.fromEntries(editors.map(({ name }) => [name, [memo]]))
    for (const { client } of editors) await client.sees(all)
  })

  it('does not change with heartbeats that say the same', async () => {
    const { desk, urls } = await twoProcesses()
    const anna = await openDesk(desk, urls[0])
    anna.client.enter(memo)
    await anna.client.sees({ [anna.name]: [memo] })
    const before = anna.client.frames.length

    for (let count = 0; count < 5; count += 1) anna.client.enter(memo)
    anna.client.enter(otherMemo)
    await anna.client.sees({ [anna.name]: [otherMemo] })

    expect(anna.client.frames.length).toBe(before + 1)
  })

  it('is read again after the database connection was lost', async () => {
    const { first, desk, urls } = await twoProcesses()
    const anna = await openDesk(desk, urls[0])

    await terminateListeners(first)

    expect(await anna.client.closed).toEqual({ code: 1012, reason: 'read again' })
    const again = await connectDesk(urls[0], { authorization: anna.authorization })
    await again.sees({ [anna.name]: [] })
  })
})
