import type { DeskRole } from '@tidings/contracts/desk/desk'
import { describe, expect } from 'vitest'
import { getEditionId } from '#features/editions/index.ts'
import { type DeliverySite, deliveryTest } from '#test/sites/delivery-site.ts'

const it = deliveryTest()
const key = '11-20-26-A'
let made = 0

/** Stores a person, and returns how they send a test. */
async function personWith({ site, db }: DeliverySite, role: DeskRole) {
  made += 1
  const email = `person-${made}@news.example`
  const { id, name } = await db.person.create({ data: { email, name: `Person ${made}`, roles: [role] } })
  const scopes = new Set(
    role === 'writer' ? (['read', 'write'] as const) : (['read', 'write', 'publish'] as const),
  )
  const editor = { kind: 'person' as const, id, name, scopes, roles: new Set([role]) }
  const send = async (to: string) =>
    await site.context.deliveryDesk.testSend(
      { editor, idempotency: null },
      { edition: getEditionId(key) },
      { method: to.startsWith('+') ? 'memo-sms' : 'memo-email', to },
    )
  return { email, send }
}

describe('a test by a person', () => {
  it('goes to the own address of a writer, in any spelling, and to no other', async ({ delivery }) => {
    await delivery.desk.draft(key, ['Ships'])
    const { email, send } = await personWith(delivery, 'writer')
    await send(email.toUpperCase())
    expect(delivery.script.sent.map(({ to }) => to.toLowerCase())).toEqual([email])
    for (const other of ['reader@example.com', '+12025550123']) {
      await expect(send(other)).rejects.toMatchObject({ code: 'test-to-others' })
    }
    expect(delivery.script.sent).toHaveLength(1)
  })

  it('goes to any address of an editor', async ({ delivery }) => {
    await delivery.desk.draft(key, ['Ships'])
    const { send } = await personWith(delivery, 'editor')
    await send('reader@example.com')
    expect(delivery.script.sent).toHaveLength(1)
  })
})
