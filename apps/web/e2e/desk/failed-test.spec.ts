import { violationsInLight } from '../accessibility.ts'
import { expect, test } from './desk-page.ts'
import { draftOf } from './publish-data.ts'
import { countMailTo, mailWithHtmlTo, refuseMailTo } from './test-mail.ts'

test.describe('a test of an edition', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('that the mail server refuses says what is true and what to do', async ({ desk, request }) => {
    const refused = 'refused-test@example.com'
    await draftOf(request, '04-07-36-3PM', ['Ships plug in'])
    await refuseMailTo(refused)
    await desk.goto('/desk/editions/04-07-36-3PM')
    await desk.getByRole('button', { name: 'Test…' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Send a test of 3PM' })
    await dialog.getByLabel('Email address').fill(refused)
    await dialog.getByRole('button', { name: 'Send test' }).click()
    const alert = dialog.getByRole('alert')
    await expect(alert).toContainText(
      'Not sent: the server refused this address. Check it, or choose another one. It said: 550 5.1.1',
    )
    await expect(dialog.getByText(/^Sent to/)).toBeHidden()
    expect(await violationsInLight(desk)).toEqual([])
    expect(await countMailTo(refused)).toBe(0)

    await refuseMailTo()
    await dialog.getByRole('button', { name: 'Send test' }).click()
    await expect(dialog.getByText(`Sent to ${refused}.`)).toBeVisible()
    await expect(alert).toBeHidden()
    await mailWithHtmlTo(refused, 'Ships plug in')
  })

  test('whose reply is lost goes out once', async ({ desk, request, consoleErrors }) => {
    // The browser reports each request that failed.
    consoleErrors.ignore()
    const to = 'lost-reply-test@example.com'
    await draftOf(request, '04-08-36-3PM', ['Ships plug in'])
    await desk.goto('/desk/editions/04-08-36-3PM')
    await desk.route('**/test-send', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await desk.getByRole('button', { name: 'Test…' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Send a test of 3PM' })
    await dialog.getByLabel('Email address').fill(to)
    await dialog.getByRole('button', { name: 'Send test' }).dblclick()
    await expect(dialog.getByRole('alert')).toContainText('try again. The test goes out once.')
    await desk.unroute('**/test-send')
    await dialog.getByRole('button', { name: 'Send test' }).click()
    await expect(dialog.getByText(`Sent to ${to}.`)).toBeVisible()
    await mailWithHtmlTo(to, 'Ships plug in')
    expect(await countMailTo(to)).toBe(1)
  })
})
