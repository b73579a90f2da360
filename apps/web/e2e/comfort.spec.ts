import { editorOf } from './editor.ts'
import { createAccount, openSession } from './members/member.ts'
import { askForConsent, expect, openScreen, test } from './reader.ts'
import { siteUnderTest } from './site-under-test.config.ts'
import { smallTargets } from './small-targets.ts'

const longContent = Array.from(
  { length: 24 },
  (_, index) => `<p>Paragraph ${index + 1}. ${'Low tide. '.repeat(9)}</p>`,
)

test.describe('reading in comfort', () => {
  test('every target is at least 44 px high and wide', async ({ page: reader, gatePass, request }) => {
    await askForConsent(reader)
    await reader.goto('/#/protect')
    await expect(reader.getByRole('button', { name: 'Enter' })).toBeVisible()
    await expect(reader.getByText('May we count page views?')).toBeVisible()
    expect(await smallTargets(reader), 'gate').toEqual([])
    await reader.unroute('/')
    await reader.context().addCookies([{ ...gatePass, url: siteUnderTest.url() }])

    const edition = await editorOf(request).publish(['Harbour opens'], { memo_content: longContent.join('') })
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await reader.setViewportSize(viewport)
      for (const path of [
        ...['/footer', '/auth', '/account/login', '/account/signup', '/resetpassword', '/home'],
        `/edition/${edition}`,
      ]) {
        await openScreen(reader, path)
        await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(reader.getByText('Loading...')).toHaveCount(0)
        expect(await smallTargets(reader), path).toEqual([])
      }
      await reader.getByRole('button', { name: 'Expand all' }).click()
      await expect(reader.getByRole('button', { name: 'Close' })).toBeVisible()
      expect(await smallTargets(reader)).toEqual([])
    }
  })

  test('an installed page stays clear of the notch and the home indicator', async ({ reader, request }) => {
    const screen = await reader.context().newCDPSession(reader)
    await screen.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } })
    const topOf = async (selector: string) => (await reader.locator(selector).first().boundingBox())?.y
    const bottomOfLinks = () =>
      reader
        .locator('.foot-links a')
        .evaluateAll((links) => Math.max(...links.map((link) => link.getBoundingClientRect().bottom)))
    const atClock = () => reader.evaluate(() => document.elementFromPoint(195, 20)?.className)
    const edition = await editorOf(request).publish(['Harbour opens'], { memo_content: longContent.join('') })

    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Expand all' }).click()
    expect(await topOf('.site-name')).toBeGreaterThanOrEqual(47)
    await reader.getByRole('button', { name: 'Close' }).scrollIntoViewIfNeeded()
    expect(await atClock()).toBe('phone')
    await reader.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    expect(await bottomOfLinks()).toBeLessThanOrEqual(844 - 34)

    await reader.goto('/#/viewgated/0199a1f4-1111-7abc-8def-0123456789ab')
    // The edition has a link of this name too.
    await expect(reader.getByRole('heading', { name: 'For members' })).toBeVisible()
    await reader.getByRole('link', { name: 'Sign up' }).click()
    await expect(reader.getByRole('dialog')).toHaveAccessibleName('Create an account')
    expect(await topOf('dialog .modal')).toBeGreaterThanOrEqual(47)

    await openSession(reader, await createAccount(reader))
    await reader.setViewportSize({ width: 390, height: 400 })
    await reader.goto('/#/archive')
    const rows = reader.getByRole('listitem')
    await expect(rows.first()).toBeVisible()
    await rows.last().scrollIntoViewIfNeeded()
    expect(await topOf('.archive-bar')).toBeCloseTo(47, 0)
    expect(await bottomOfLinks()).toBeLessThanOrEqual(400 - 34)
  })

  test('a long memo is closed from its end, and its title says that it was read', async ({
    reader,
    request,
  }) => {
    const editor = editorOf(request)
    const edition = await editor.publish(['Harbour opens', 'Night train returns'], {
      memo_content: longContent.join(''),
    })
    await editor.addMemo(edition, 'In short')
    await reader.goto(`/#/edition/${edition}`)
    const title = reader.getByRole('button', { name: 'Night train returns' })
    await expect(title).toHaveAccessibleDescription('')
    await reader.getByRole('button', { name: 'Expand all' }).click()
    // A short memo needs no second way to close it.
    await expect(reader.getByRole('button', { name: 'Close' })).toHaveCount(2)
    const close = reader.getByRole('button', { name: 'Close' }).last()
    await expect(close).toHaveAccessibleDescription('Night train returns')
    await close.click()
    await expect(title).toHaveAttribute('aria-expanded', 'false')
    await expect(title).toBeFocused()
    await expect(title).toBeInViewport({ ratio: 1 })
    await expect(title).toHaveAccessibleDescription('Read')
  })
})

test.describe('a page whose script does not run', () => {
  test('says so in one sentence without JavaScript', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
    const page = await context.newPage()
    await page.goto('/')
    // Playwright finds no text inside a noscript element.
    const sentence = page.locator('noscript p')
    await expect(sentence).toBeVisible()
    expect(await sentence.textContent()).toBe('Turn on JavaScript in your browser to read the memos.')
    await expect(page.getByText('Loading...')).toBeHidden()
    await expect(page.getByText('This is taking a while.')).toBeHidden()
    await context.close()
  })

  test('offers to try again when the script does not arrive, and keeps the address', async ({
    reader,
    consoleErrors,
  }) => {
    await reader.route('**/static/js/*.js', (route) => route.abort())
    await reader.goto('/?from=mail#/footer')
    const sentence = reader.getByText('This is taking a while.')
    async function waitUntilLate() {
      await expect(sentence).toBeHidden()
      await reader.evaluate(() => {
        for (const animation of document.getAnimations()) animation.finish()
      })
      await expect(sentence).toBeVisible()
    }
    await waitUntilLate()
    const retry = reader.getByRole('button', { name: 'Try again' })
    const address = reader.url()
    await Promise.all([reader.waitForEvent('load'), retry.click()])
    expect(reader.url()).toBe(address)
    await waitUntilLate()
    consoleErrors.splice(0)
    await reader.unroute('**/static/js/*.js')
    await retry.click()
    await expect(reader.getByRole('heading', { name: 'Terms of Use' })).toBeVisible()
    expect(reader.url()).toBe(address)
  })
})
