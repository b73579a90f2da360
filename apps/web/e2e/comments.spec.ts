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
    await expect(member.getByText("You're offline. Check your connection and try again.")).toBeVisible()
    await member.getByLabel('Write a comment').fill('Sent later')
    await member.getByRole('button', { name: 'Post' }).press('Enter')
    await expect(member.getByText("We can't reach the server.", { exact: false })).toBeVisible()
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

  test('have their time on one line in every width', async ({ reader, request }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    const headers = { 'X-API-Key': siteUnderTest.publicKey() }
    const data = {
      email: `time-${edition.toLowerCase()}@example.com`,
      password: 'a-long-password',
      customFields: { name: 'Ann with a name as long as a line of a phone' },
    }
    const session = await (await request.post('/auth/signup', { headers, data })).json()
    await reader.addInitScript(
      (token) => localStorage.setItem('_ms-mid', token),
      session.data.tokens.accessToken,
    )
    await withEditionComments(reader)
    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Comments' }).click()
    await reader.getByLabel('Write a comment').fill('Low tide')
    await reader.getByRole('button', { name: 'Post' }).click()
    const time = reader.locator('.comment-head time')
    await expect(time).toHaveText(/\d:\d\d\s[AP]M/)
    await fontsLoaded(reader)
    for (let width = 320; width <= 480; width += 8) {
      await reader.setViewportSize({ width, height: 844 })
      const lines = await time.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ top }) => top)).size
      })
      expect(lines, `${width} px`).toBe(1)
    }
  })
})
