import {
  type DeliveryMethod,
  deliveryMethods,
  factsOf,
  fieldsOf,
  methodsOf,
  withMethod,
} from '@tidings/contracts/delivery/methods'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { updateMember } from '#features/members/index.ts'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestApp } from '#test/test-app.ts'
import { fromWireMethod } from '../methods.ts'
import { isChosen } from './recipients.repository.ts'

const it = siteTest()

type Fields = Readonly<Record<string, unknown>>

/** All combinations of these values in the fields of the methods; undefined leaves the field out. */
function combinationsOf(values: readonly unknown[]): Fields[] {
  return deliveryMethods.reduce<Fields[]>(
    (all, method) =>
      all.flatMap((fields) => values.map((value) => ({ ...fields, [factsOf(method).field]: value }))),
    [{}],
  )
}

/** Returns what the query of recipients reads from each of these custom fields, in one statement. */
async function readBySql(db: Db, states: readonly Fields[]): Promise<string[]> {
  const names = deliveryMethods.map(
    (method) => Prisma.sql`CASE WHEN ${isChosen(method)} THEN ${method}::text END`,
  )
  const rows = await queryRows(db, z.object({ chosen: z.string() }))`
    SELECT concat_ws(',', ${Prisma.join(names)}) AS chosen
    FROM jsonb_array_elements(${JSON.stringify(states)}::jsonb) WITH ORDINALITY AS member (custom_fields, position)
    ORDER BY position`
  return rows.map(({ chosen }) => chosen)
}

function readByRule(fields: Fields): string {
  return [...methodsOf(fields)].join(',')
}

type Change = { method: DeliveryMethod; isOn: boolean }

const changes = deliveryMethods.flatMap((method): Change[] => [
  { method, isOn: true },
  { method, isOn: false },
])

function withBox(shown: ReadonlySet<DeliveryMethod>, { method, isOn }: Change): DeliveryMethod[] {
  return [...[...shown].filter((other) => other !== method), ...(isOn ? [method] : [])]
}

/** Posts the boxes of the preferences page. */
async function save(
  { app, context }: TestApp,
  memberId: string,
  checked: readonly DeliveryMethod[],
): Promise<void> {
  const link = context.signedLinks.linkTo('preferences', `${memberId}~memo_email`)
  const payload = new URLSearchParams({ action: 'save' })
  for (const each of checked) payload.append('method', fromWireMethod(each))
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = new URL(link).pathname
  const reply = await app.inject({ method: 'POST', url, headers, payload: payload.toString() })
  expect(reply.statusCode).toBe(200)
}

describe('the rule of delivery methods', () => {
  it('is the same in SQL for everything that clients store', async ({ db }) => {
    const states = [
      ...combinationsOf([true, 'true', false, 'TRUE', undefined]),
      ...combinationsOf([true, null, 1]),
    ]
    expect(await readBySql(db, states)).toEqual(states.map(readByRule))
  })

  it('is the same in the dashboard, on the preferences page and in SQL for every change of every state', async ({
    site,
    db,
    members,
  }) => {
    const states = combinationsOf([true, false])
    const cases = await Promise.all(
      changes.map(async (change) => {
        const { memberId } = await members.signUp()
        const saved: { byPage: Fields; byDashboard: Fields }[] = []
        for (const stored of states) {
          await updateMember(db, memberId, { customFields: stored })
          const shown = methodsOf(stored)
          await save(site, memberId, withBox(shown, change))
          const { customFields } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
          const byDashboard = fieldsOf(withMethod(shown, change.method, change.isOn))
          saved.push({ byPage: Object(customFields), byDashboard })
        }
        return saved
      }),
    )
    const all = cases.flat()
    expect(all).toHaveLength(320)
    expect(all.map(({ byPage }) => byPage)).toEqual(all.map(({ byDashboard }) => byDashboard))
    const read = await readBySql(
      db,
      all.map(({ byPage }) => byPage),
    )
    expect(read).toEqual(all.map(({ byPage }) => readByRule(byPage)))
  }, 60_000)

  it('reads what the member API stored as it was sent', async ({ db, members }) => {
    const { memberId, headers } = await members.signUp()
    const customFields = { combinestatus: true, getPDFMethodByEmail: true, getmemomethodbysms: 'true' }
    await members.call('POST', '/member', { headers, body: { customFields } })
    const stored = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(stored.customFields).toMatchObject({ ...customFields, getmemomethodbysms: true })
    expect(await readBySql(db, [Object(stored.customFields)])).toEqual(['digest'])
  })
})
