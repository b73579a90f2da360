import { expect, test } from './reader.ts'

test.describe('the screens', () => {
  test('an unknown path redirects to /home', async ({ reader }) => {
    await reader.goto('/#/nowhere/at/all')
    await expect(reader).toHaveURL(/#\/home$/)
  })

  test('a path without a hash redirects to its screen', async ({ reader }) => {
    await reader.goto('/footer')
    await expect(reader).toHaveURL(/\/#\/footer$/)
    await expect(reader.getByRole('heading', { name: 'Terms of Use' })).toBeVisible()
  })

  test('the memos link to the legal page and to the sign-up screen', async ({ reader }) => {
    await reader.goto('/#/home')
    await reader.getByRole('link', { name: '© 2025' }).click()
    await reader.getByRole('button', { name: 'Privacy Policy' }).click()
    await expect(reader.getByText('Last updated 1 January 2025')).toBeInViewport()
    await reader.getByRole('link', { name: 'Back to Home' }).click()
    await expect(reader).toHaveURL(/#\/home$/)
    await reader.getByRole('link', { name: 'Sign up' }).click()
    await expect(reader.getByRole('heading', { level: 1, name: 'Sign up' })).toBeVisible()
  })

  test('the landing accepts an email address and leads to /home', async ({ reader }) => {
    await reader.goto('/#/auth')
    await reader.getByLabel('Enter a phone number or email').fill('reader@example.com')
    await reader.getByRole('button', { name: 'Submit' }).click()
    await expect(reader).toHaveURL(/#\/home$/)
  })

  test('a wide window shows the phone, its caption and the portrait notice, and scrolls inside it', async ({
    reader,
  }) => {
    await reader.setViewportSize({ width: 1440, height: 900 })
    await reader.goto('/#/footer')
    await expect(reader.getByText('Designed for mobile')).toBeVisible()
    await expect(reader.getByText('Presented in portrait mode', { exact: true })).toBeVisible()
    // The app's own frame takes the place of the shell's.
    const sizeInside = () =>
      reader.locator('.phone').evaluate((phone) => [phone.clientWidth, phone.clientHeight])
    await expect.poll(sizeInside).toEqual([316, 653])
    const heights = await reader.evaluate(() => [document.documentElement.scrollHeight, window.innerHeight])
    expect(heights[0]).toBe(heights[1])
  })

  test('a phone shows the portrait notice in landscape only', async ({ reader }) => {
    await reader.setViewportSize({ width: 844, height: 390 })
    await reader.goto('/#/home')
    await expect(reader.getByText('Presented in portrait mode.')).toBeVisible()
    await expect(reader.getByText('Designed for mobile')).toBeHidden()

    await reader.setViewportSize({ width: 390, height: 844 })
    await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(reader.getByText('Designed for mobile')).toBeHidden()
    await expect(reader.getByText(/Presented in portrait mode/).first()).toBeHidden()
  })
})
