import { publishEdition } from '@tidings/contracts/desk/editions'
import { fillPath } from '@tidings/contracts/endpoint'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, test } from './desk-page.ts'
import { storeDeliveries, storeMembers } from './members-data.ts'
import { draftOf } from './publish-data.ts'

const ada = {
  id: 'mem_e2e0members0ada',
  name: 'Ada Quillfeather',
  email: 'ada.quillfeather@example.com',
  suppressed: '550 5.1.1 No such mailbox',
}
const joachim = {
  id: 'mem_e2e0members0joachim',
  name: 'Joachim Quillfeather',
  email: 'joachim.q@example.com',
}
const keys = ['03-01-44-10AM', '03-02-44-10AM'] as const

test.use({ viewport: { width: 1440, height: 900 } })

test('members are found, and a suppression is lifted after the server’s word', async ({ desk, request }) => {
  await storeMembers([ada, joachim])
  await draftOf(request, '03-03-44-10AM', ['A memo'])
  await storeDeliveries('03-03-44-10AM', [
    { member: ada, state: 'failed', reason: '550 5.1.1 No such mailbox' },
  ])
  await desk.goto('/desk')
  await desk.getByRole('link', { name: 'Members', exact: true }).click()
  await desk
    .getByRole('searchbox', { name: 'Find a member by name, email, phone or id' })
    .fill('quillfeather')
  await expect(desk.getByText(/^2 of [\d,]+$/)).toBeVisible()

  await desk.getByRole('link', { name: /Ada Quillfeather/ }).click()

  await expect(desk).toHaveURL(/\/desk\/members\/mem_e2e0members0ada$/)
  const member = desk.getByRole('region', { name: 'Member', exact: true })
  await expect(member.getByRole('heading', { name: ada.name })).toBeVisible()
  await expect(member.getByText(/This address is suppressed since/)).toBeVisible()
  const row = member.getByRole('row', { name: /March 3, 2044, 10AM/ })
  await expect(row).toContainText('Not delivered')
  await expect(row).toContainText('550 5.1.1 No such mailbox')
  expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])

  await member.getByRole('button', { name: 'Lift suppression' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Lift suppression' }).click()

  await expect(member.getByText('The suppression is lifted. Emails go to this address again.')).toBeVisible()
  await expect(member.getByText(/This address is suppressed since/)).toHaveCount(0)
  await desk.setViewportSize({ width: 390, height: 844 })
  await member.getByRole('link', { name: '‹ Members' }).click()
  await expect(desk.getByRole('link', { name: /Joachim Quillfeather/ })).toBeVisible()
})

test('the chart of the numbers and its table agree', async ({ desk, request }) => {
  await storeMembers([ada, joachim])
  for (const key of keys) {
    await draftOf(request, key, ['A memo of numbers'])
    const { method, path } = publishEdition
    const headers = { Authorization: `Bearer ${siteUnderTest.editorKey()}` }
    await request.fetch(fillPath(path, { params: { key } }), { method, headers, data: { deliver: false } })
  }
  await storeDeliveries(keys[0], [
    { member: ada, state: 'failed', reason: '554 refused' },
    { member: joachim, state: 'sent', reason: null },
  ])
  await storeDeliveries(keys[1], [{ member: joachim, state: 'sent', reason: null }])

  await desk.goto('/desk/numbers?from=2044-03-01&to=2044-03-02')

  const chart = desk.getByRole('region', { name: 'Delivered, by edition' })
  const bars = chart.locator('rect title')
  await expect(bars).toHaveText([
    'Mar 1, 10AM: 1 sent, 1 not delivered',
    'Mar 2, 10AM: 1 sent, 0 not delivered',
  ])
  expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])
  await chart.getByRole('button', { name: 'Delivered: as a table' }).click()
  await expect(chart.getByRole('row')).toHaveText([/Edition/, 'Mar 1, 10AM11', 'Mar 2, 10AM10'])
  await expect(desk.getByText('66.6 % arrived, as far as servers said')).toBeVisible()
  expect(await violationsInLight(desk)).toEqual([])
  await desk.getByRole('link', { name: '7 days' }).click()
  await expect(desk).toHaveURL(/days=7$/)
  await expect(desk.getByRole('region', { name: 'Members by plan' }).getByRole('img')).toBeVisible()
})

test('what needs you leads to where it is decided', async ({ desk }) => {
  await storeMembers([{ ...joachim, suppressed: '550 5.1.1 No such mailbox' }])
  await desk.goto('/desk')
  const needs = desk.getByRole('region', { name: 'Needs you' })
  await expect(needs.getByText(/bounced this week\./)).toBeVisible()

  await needs.getByRole('link', { name: /^Look: .* bounced this week\./ }).click()

  await expect(desk).toHaveURL(/\/desk\/members\?show=suppressed$/)
  await desk.getByRole('link', { name: /Joachim Quillfeather/ }).click()
  await expect(desk.getByText(/This address is suppressed since/)).toBeVisible()
})
