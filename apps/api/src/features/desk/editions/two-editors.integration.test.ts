import { describe, expect } from 'vitest'
import { createTestDesk } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest().extend('otherDesk', { scope: 'file' }, ({ otherProcess }) =>
  createTestDesk(otherProcess),
)

function positionsUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

describe('two concurrent editors', () => {
  it('changing one memo: one change is stored, the other gets a version conflict', async ({
    desk,
    otherDesk,
  }) => {
    const { memos } = await desk.draft('12-10-26-10AM', ['Before'])
    const id = memos[0]?.id

    const replies = await Promise.all(
      ['From one', 'From the other'].map((title, index) =>
        (index === 0 ? desk : otherDesk).call('PATCH', `/memos/${id}`, { body: { title }, ifMatch: '"1"' }),
      ),
    )

    const [stored, refused] = [...replies].sort((a, b) => a.statusCode - b.statusCode)
    const memo = await desk.readMemo(String(id))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(refused?.json().error).toMatchObject({ code: 'version-conflict', current: memo })
    expect(refused?.json().error.message).toContain(`${memo.savedBy} has changed it`)
    expect(stored?.json().data.title).toBe(memo.title)
    expect(memo.version).toBe(2)
  })

  it('changing and withdrawing one memo: the later request fails', async ({ desk, otherDesk }) => {
    const { memos } = await desk.draft('12-10-26-3PM', ['Before'])
    const id = memos[0]?.id

    const [change, withdrawal] = await Promise.all([
      desk.call('PATCH', `/memos/${id}`, { body: { title: 'After' }, ifMatch: '"1"' }),
      otherDesk.call('DELETE', `/memos/${id}`, { ifMatch: '"1"' }),
    ])

    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([change?.statusCode, withdrawal?.statusCode])
  })

  it('adding twenty memos to one edition leaves positions 1 to 20', async ({ desk, otherDesk }) => {
    await desk.draft('12-11-26-10AM')

    await Promise.all(
      positionsUpTo(20).map((number) =>
        (number % 2 === 0 ? desk : otherDesk).addMemo('12-11-26-10AM', {
          title: `Memo ${number}`,
          ...(number % 3 === 0 ? { position: 1 } : {}),
        }),
      ),
    )

    const { memos } = await desk.read('12-11-26-10AM')
    expect(memos.map(({ position }) => position)).toEqual(positionsUpTo(20))
    expect(new Set(memos.map(({ title }) => title)).size).toBe(20)
  })

  it('moving and withdrawing memos of one edition leaves no gap or duplicate position', async ({
    desk,
    otherDesk,
  }) => {
    const { memos } = await desk.draft('12-11-26-3PM', positionsUpTo(12).map(String))

    await Promise.all(
      memos.map(({ id }, index) =>
        index % 3 === 0
          ? desk.call('DELETE', `/memos/${id}`, { ifMatch: '"1"' })
          : otherDesk.call('PATCH', `/memos/${id}`, {
              body: { position: ((index * 5) % 12) + 1 },
              ifMatch: '"1"',
            }),
      ),
    )

    const left = await desk.read('12-11-26-3PM')
    expect(left.memos.map(({ position }) => position)).toEqual(positionsUpTo(8))
  })

  it('creating one edition: it is created once', async ({ desk, otherDesk }) => {
    const replies = await Promise.all(
      positionsUpTo(6).map((number) =>
        (number % 2 === 0 ? desk : otherDesk).call('PUT', '/editions/12-11-26-8PM', {
          body: { status: 'draft' },
        }),
      ),
    )

    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 428, 428, 428, 428, 428])
  })

  it('publishing one edition: it is published once', async ({ desk, otherDesk }) => {
    await desk.draft('12-12-26-10AM', ['First'])

    const editions = await Promise.all([
      desk.publish('12-12-26-10AM'),
      otherDesk.publish('12-12-26-10AM'),
      desk.publish('12-12-26-10AM'),
    ])

    const actions = (await desk.auditOf('12-12-26-10AM')).map(({ action }) => action)
    expect(new Set(editions.map(({ version }) => version)).size).toBe(1)
    expect(actions).toEqual(['edition.publish'])
  })
})
