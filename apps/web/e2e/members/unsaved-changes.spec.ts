import type { Page } from '@playwright/test'
import {
  createAccount,
  createSubscriber,
  expect,
  expectCheckout,
  memberOf,
  openSession,
  test,
} from './member.ts'

const pdfSwitch = (page: Page) => page.getByRole('switch', { name: 'PDF by e-mail' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Opens the dashboard and changes a switch; returns the questions of the browser itself. */
async function change(page: Page, path: string): Promise<string[]> {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await page.goto(`/#${path}`)
  await pdfSwitch(page).check()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  return asked
}

test.describe('unsaved changes', () => {
  test('are asked about before the payment, by the page alone', async ({ reader }) => {
    await openSession(reader, await createAccount(reader))
    const asked = await change(reader, '/account/dashboard?checkout=canceled')
    const question = reader.getByRole('dialog', { name: 'Save your changes?' })
    await button(reader, 'Continue to payment').click()
    await expect(question).toBeVisible()
    await reader.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(button(reader, 'Continue to payment')).toHaveAttribute('aria-disabled', 'false')
    await expect(pdfSwitch(reader)).toBeChecked()

    await button(reader, 'Continue to payment').click()
    await question.getByRole('button', { name: 'Save and leave' }).click()
    await expectCheckout(reader)
    await reader.goto('/#/footer')
    expect((await memberOf(reader))?.customFields).toMatchObject({ getPDFMethodByEmail: true })
    expect(asked).toEqual([])
  })

  test.describe('with a service worker', () => {
    test.use({ serviceWorkers: 'allow' })

    test('stay when a new version is loaded', async ({ reader }) => {
      await openSession(reader, await createSubscriber(reader))
      await reader.goto('/#/home')
      await reader.evaluate(() => navigator.serviceWorker.ready.then(() => null))
      // The first worker takes over before another version can wait.
      await expect.poll(() => reader.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
      const asked = await change(reader, '/account/dashboard')
      // To the browser, another address is another version.
      await reader.evaluate(() =>
        navigator.serviceWorker.register('/service-worker.js?next').then(() => null),
      )
      const line = reader.getByRole('status').filter({ hasText: 'A new version is ready.' })
      const loaded = reader.waitForEvent('load')
      await line.getByRole('button', { name: 'Reload' }).click()
      await loaded
      await expect(pdfSwitch(reader)).toBeChecked()
      await expect(reader.getByText('Not saved yet')).toBeVisible()
      expect(asked).toEqual([])
    })
  })
})
