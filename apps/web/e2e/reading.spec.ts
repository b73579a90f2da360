import { editorOf } from './editor.ts'
import { expect, test } from './reader.ts'
import { siteUnderTest } from './site-under-test.config.ts'

test.describe('reading', () => {
  test('a reader passes the gate and likes a memo, which stays liked after a reload', async ({
    page,
    request,
    consoleErrors,
  }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    await page.goto('/')
    await expect(page).toHaveURL(/#\/protect$/)
    await page.getByLabel('Password', { exact: true }).fill('not it')
    await page.getByRole('button', { name: 'Enter' }).click()
    await expect(page.getByText('Invalid password')).toBeVisible()
    // The browser logs the 401.
    consoleErrors.splice(0)
    await page.getByLabel('Password', { exact: true }).fill(siteUnderTest.password())
    await page.getByRole('button', { name: 'Enter' }).click()
    await expect(page).toHaveURL(/#\/home$/)

    await page.goto(`/#/edition/${edition}`)
    const title = page.getByRole('button', { name: 'Harbour opens' })
    await title.click()
    await expect(title).toHaveAttribute('aria-expanded', 'true')
    const heart = page.getByRole('button', { name: /^Like/ })
    await expect(heart).toHaveText('0')
    await heart.click()
    await expect(heart).toHaveAttribute('aria-pressed', 'true')
    await expect(heart).toHaveText('1')
    // A burst of likes is counted together, a quarter of a second later.
    const memos = async () => (await page.request.get(`/edition/prod/${edition}`)).json()
    await expect.poll(memos).toMatchObject([{ counter: 1 }])

    await page.reload()
    await expect(title).toHaveAttribute('aria-expanded', 'true')
    await expect(heart).toHaveAttribute('aria-pressed', 'true')
    await expect(heart).toHaveText('1')
    await heart.click()
    await expect(heart).toHaveAttribute('aria-pressed', 'false')
    await expect(heart).toHaveText('0')
  })

  test('Expand all and Simplify open and close every memo of an edition', async ({ reader, request }) => {
    const edition = await editorOf(request).publish(['Harbour opens', 'River keeps its standing'])
    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Expand all' }).click()
    await expect(reader.getByText('The body of Harbour opens')).toBeVisible()
    await expect(reader.getByText('The body of River keeps its standing')).toBeVisible()
    await reader.getByRole('button', { name: 'Simplify' }).click()
    await expect(reader.getByText('The body of Harbour opens')).toBeHidden()
    await expect(reader.getByText(/^That was \w+ \d+, 2003\.$/)).toBeVisible()
  })

  test('every control can be reached by keyboard', async ({ reader, request }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    await reader.goto(`/#/edition/${edition}`)
    await expect(reader.getByRole('button', { name: 'Harbour opens' })).toBeVisible()
    await reader.keyboard.press('Tab')
    await expect(reader.getByRole('button', { name: 'Skip to content' })).toBeFocused()
    await reader.keyboard.press('Enter')
    await expect(reader.getByRole('region', { name: 'Memos of the 10AM edition' })).toBeFocused()
    await reader.keyboard.press('Shift+Tab')
    await expect(reader.getByRole('link', { name: '10AM', exact: true })).toBeFocused()
    await reader.keyboard.press('Shift+Tab')
    await expect(reader.getByRole('heading', { level: 1 }).getByRole('link')).toBeFocused()
    await reader.keyboard.press('Tab')
    for (const name of ['Expand all', 'Simplify', 'Harbour opens']) {
      await reader.keyboard.press('Tab')
      await expect(reader.getByRole('button', { name })).toBeFocused()
    }
    await reader.keyboard.press('Enter')
    await reader.keyboard.press('Tab')
    await expect(reader.getByRole('link', { name: 'a link' })).toBeFocused()
    await reader.keyboard.press('Tab')
    await expect(reader.getByRole('link', { name: 'Source: example.com' })).toBeFocused()
    await reader.keyboard.press('Tab')
    await reader.keyboard.press('Space')
    await expect(reader.getByRole('button', { name: 'Like, 1 like' })).toHaveAttribute('aria-pressed', 'true')
    await reader.keyboard.press('Tab')
    await expect(reader.locator('.end-line').getByRole('link')).toBeFocused()
    for (const name of ['Search', 'Sign up', 'Log in', '© 2025']) {
      await reader.keyboard.press('Tab')
      await expect(reader.getByRole('link', { name })).toBeFocused()
    }
    await reader.keyboard.press('Enter')
    await expect(reader.getByRole('heading', { name: 'Privacy Policy' })).toBeAttached()
    await expect(reader.getByRole('main')).toBeFocused()
  })
})
