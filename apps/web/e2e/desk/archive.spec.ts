import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { editorOf } from '../editor.ts'
import { expect, test } from './desk-page.ts'

test.use({ viewport: { width: 1440, height: 900 } })

test.describe('the archive at the desk', () => {
  test('lists the days of a span with their slots, and keeps the filters in the address', async ({
    desk,
    request,
  }) => {
    const editor = editorOf(request)
    await editor.publishAs('03-14-43-3PM', ['A plain memo'])
    await editor.withdraw('03-14-43-3PM')
    await desk.goto('/desk/archive')
    await desk.getByLabel('From').fill('2043-03-14')
    await desk.getByLabel('to', { exact: true }).fill('2043-03-14')
    await desk.getByRole('link', { name: 'Withdrawn', exact: true }).click()

    const day = desk.getByRole('listitem').filter({ hasText: 'Sat, March 14, 2043' })
    await expect(day.getByText('3PM')).toBeVisible()
    await expect(day.getByText('Withdrawn, 1 memo')).toBeVisible()
    await expect(desk).toHaveURL(/from=2043-03-14&to=2043-03-14&status=withdrawn/)
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])
    await desk.reload()
    await expect(day.getByText('3PM')).toBeVisible()
  })

  test('finds memos by their words, and brings a deleted one back', async ({ desk, request }) => {
    const edition = '03-15-43-10AM'
    const editor = editorOf(request)
    await editor.publishAs(edition, ['Quokkas swim to the harbour', 'Quokkas return'])
    await editor.withdrawMemo(edition, 'Quokkas return')
    await desk.goto('/desk/archive')
    await expect(desk.getByRole('heading', { name: 'Archive' })).toBeVisible()

    await desk.keyboard.press('/')
    await desk.keyboard.type('quokkas')

    const found = desk.getByRole('region', { name: 'Found memos' })
    await expect(found.getByText('1 memo', { exact: true })).toBeVisible()
    await expect(found.locator('mark')).toHaveText(['Quokkas', 'Quokkas'])
    await expect(found.getByRole('link', { name: 'Quokkas swim to the harbour' })).toBeVisible()
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])

    await desk.getByRole('button', { name: 'Bring back: Quokkas return' }).click()

    await expect(desk.getByText('“Quokkas return” is back.')).toBeVisible()
    await expect(found.getByText('2 memos', { exact: true })).toBeVisible()
  })
})
