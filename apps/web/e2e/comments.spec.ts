import type { Page } from '@playwright/test'
import { accessibilityViolations } from './accessibility.ts'
import { editorOf } from './editor.ts'
import { expect, fontsLoaded, test } from './reader.ts'
import { siteUnderTest } from './site-under-test.config.ts'

/** Shows comments below editions, as the setting does. NOTE: a page that a route replaces may open no sockets. */
async function withEditionComments(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      const config = document.getElementById('site-config')
      if (config === null) return
      observer.disconnect()
      config.textContent = config.textContent.replace('"editionComments":false', '"editionComments":true')
    }).observe(document, { childList: true, subtree: true })
  })
}

/** Returns the comment controls that are smaller than 44 by 44 px. */
async function smallControls(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('.comments :is(a, button, textarea)')]
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ target, box }) => `${target.textContent} ${box.width}×${box.height}`),
  )
}

test.describe('comments below an edition', () => {
  test('are read by visitors, and written by members by keyboard alone', async ({
    reader,
    gatePass,
    request,
    browser,
  }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    await withEditionComments(reader)
    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Comments' }).click()
    await expect(reader.getByText('No comments yet.')).toBeVisible()
    expect(await accessibilityViolations(reader)).toEqual([])

    const headers = { 'X-API-Key': siteUnderTest.publicKey() }
    const email = `comments-${edition.toLowerCase()}@example.com`
    const data = { email, password: 'a-long-password', customFields: { name: 'Ann' } }
    const session = await (await request.post('/auth/signup', { headers, data })).json()
    const context = await browser.newContext({ baseURL: siteUnderTest.url(), serviceWorkers: 'block' })
    await context.addCookies([{ ...gatePass, url: siteUnderTest.url() }])
    await context.addInitScript(
      (token) => localStorage.setItem('_ms-mid', token),
      session.data.tokens.accessToken,
    )
    const member = await context.newPage()
    await withEditionComments(member)
    await member.goto(`/#/edition/${edition}`)

    await member.getByRole('button', { name: 'Comments' }).press('Enter')
    await member.getByLabel('Write a comment').pressSequentially('A <b>calm</b> word')
    await expect(reader.getByText('Someone is writing…')).toBeVisible()
    await member.keyboard.press('Tab')
    await member.keyboard.press('Enter')
    await expect(member.getByText('Your comment was posted.')).toBeVisible()
    await member.getByRole('button', { name: 'Reply' }).press('Enter')
    await member.keyboard.type('And a reply')
    await member.keyboard.press('Tab')
    await member.keyboard.press('Enter')
    await expect(member.getByText('Your reply was posted.')).toBeVisible()

    await context.setOffline(true)
    await expect(member.getByText('You’re offline. Check your connection and try again.')).toBeVisible()
    await member.getByLabel('Write a comment').fill('Sent later')
    await member.getByRole('button', { name: 'Post' }).press('Enter')
    await expect(member.getByText('We can’t reach the server.', { exact: false })).toBeVisible()
    await expect(member.getByLabel('Write a comment')).toHaveValue('Sent later')
    await context.setOffline(false)
    await member.getByRole('button', { name: 'Post' }).press('Enter')
    await expect(member.getByText('Your comment was posted.')).toBeVisible()
    await expect(member.locator('.comment-text', { hasText: 'Sent later' })).toBeVisible()
    expect(await smallControls(member)).toEqual([])
    expect(await accessibilityViolations(member)).toEqual([])
    await member.getByRole('button', { name: 'Delete' }).first().press('Enter')
    await expect(member.getByRole('button', { name: 'Keep' })).toBeFocused()
    expect(await accessibilityViolations(member)).toEqual([])
    await member.keyboard.press('Enter')
    await context.close()

    await reader.reload()
    await reader.getByRole('button', { name: 'Comments (2)' }).click()
    await expect(reader.getByText('A calm word')).toBeVisible()
    await reader.getByRole('button', { name: '1 reply' }).click()
    await expect(reader.getByText('And a reply')).toBeVisible()
    expect(await accessibilityViolations(reader)).toEqual([])
  })

  test('are reported by another member by keyboard alone, in the dark too', async ({
    reader,
    gatePass,
    request,
    browser,
  }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    const headers = { 'X-API-Key': siteUnderTest.publicKey() }
    const signUp = async (name: string): Promise<string> => {
      const email = `report-${name}-${edition}@example.com`.toLowerCase()
      const data = { email, password: 'a-long-password', customFields: { name } }
      return (await (await request.post('/auth/signup', { headers, data })).json()).data.tokens.accessToken
    }
    const posted = await request.post('/comments/posts', {
      headers: { ...headers, authorization: `Bearer ${await signUp('Ben')}` },
      data: { channelKey: `edition:${edition}`, content: 'Link in profile' },
    })
    expect(posted.status()).toBe(200)
    const context = await browser.newContext({
      baseURL: siteUnderTest.url(),
      serviceWorkers: 'block',
      colorScheme: 'dark',
    })
    await context.addCookies([{ ...gatePass, url: siteUnderTest.url() }])
    await context.addInitScript((token) => localStorage.setItem('_ms-mid', token), await signUp('Cleo'))
    const member = await context.newPage()
    await withEditionComments(member)
    await member.goto(`/#/edition/${edition}`)
    await member.getByRole('button', { name: 'Comments' }).press('Enter')

    await member.getByRole('button', { name: 'Report' }).press('Enter')
    const field = member.getByLabel('Why should the editors look at it?')
    await expect(field).toBeFocused()
    expect(await smallControls(member)).toEqual([])
    expect(await accessibilityViolations(member)).toEqual([])
    await member.keyboard.type('advertising')
    await member.keyboard.press('Tab')
    await member.keyboard.press('Enter')

    await expect(member.getByText('Thank you. The editors will look at it.')).toBeVisible()
    await expect(member.getByRole('button', { name: 'Reported' })).toBeFocused()
    expect(await accessibilityViolations(member)).toEqual([])
    await context.close()

    await withEditionComments(reader)
    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Comments' }).click()
    await expect(reader.getByText('Link in profile')).toBeVisible()
    await expect(reader.getByRole('button', { name: 'Report' })).toHaveCount(0)
  })

  test('have their time on one line in every width', async ({ reader, consoleErrors }) => {
    const edition = await editorOf(reader.request).publish(['Harbour opens'])
    const headers = { 'X-API-Key': siteUnderTest.publicKey() }
    const account = {
      email: `time-${edition.toLowerCase()}@example.com`,
      password: 'a-long-password',
      customFields: { name: 'Ann with a name as long as a phone is wide' },
    }
    const signedUp = await reader.request.post('/auth/signup', { headers, data: account })
    const { data } = await signedUp.json()
    const posted = await reader.request.post('/comments/posts', {
      headers: { ...headers, authorization: `Bearer ${data.tokens.accessToken}` },
      data: { channelKey: `edition:${edition}`, content: 'Low tide' },
    })
    expect(posted.status()).toBe(200)
    const { createdAt } = (await posted.json()).data
    await reader.clock.setFixedTime(Date.parse(createdAt) + 24 * 60 * 60_000)
    await withEditionComments(reader)
    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Comments' }).click()
    const time = reader.locator('.comment-head time')
    await expect(time).toHaveText(/^Yesterday, \d+:\d\d\s[AP]M$/)
    await fontsLoaded(reader)
    for (let width = 320; width <= 560; width += 8) {
      await reader.setViewportSize({ width, height: 844 })
      const lines = await time.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
      })
      expect(lines, `${width} px`).toBe(1)
    }
    // The page may close while its socket connects.
    consoleErrors.ignore()
  })
})
