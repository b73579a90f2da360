import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, test } from './guest.ts'
import { about, mailTo } from './inbox.ts'

test.describe('the inbox page', () => {
  test('keeps what is typed while emails arrive, and shows an email whole', async ({ guest, browser }) => {
    const first = await guest.signUp()
    await mailTo(first.email, about.verification)
    // A context of its own: the email's frame would refuse the scripts of the clock.
    const list = await browser.newContext()
    const page = await list.newPage()
    await page.clock.install()
    await page.goto(siteUnderTest.inboxUrl())
    const filter = page.getByLabel('Recipient')
    await filter.fill('ann@exam')
    const second = await guest.signUp()
    await mailTo(second.email, about.verification)
    await page.clock.runFor(5000)
    await expect(page.getByRole('link').filter({ hasText: second.email })).toBeVisible()
    await expect(filter).toHaveValue('ann@exam')
    await expect(filter).toBeFocused()

    const link = await page.getByRole('link').filter({ hasText: first.email }).getAttribute('href')
    await list.close()

    const email = await guest.page.context().newPage()
    await email.goto(new URL(String(link), siteUnderTest.inboxUrl()).href)
    const frame = email.locator('iframe')
    /** Returns how many pixels of the email its frame cuts off. */
    const cut = () =>
      frame.evaluate((element) => {
        const content = element instanceof HTMLIFrameElement ? element.contentDocument : null
        if (content?.scrollingElement == null || !content.body.textContent.includes('Confirm')) return null
        return content.scrollingElement.scrollHeight - content.scrollingElement.clientHeight
      })
    await expect.poll(cut).toBe(0)
    await email.setViewportSize({ width: 360, height: 500 })
    await expect.poll(cut).toBe(0)
    expect(await frame.evaluate((element) => element.clientHeight)).toBeGreaterThan(350)
    await email.close()
  })
})
