import type { Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from './accessibility.ts'
import { createSubscriber, openSession } from './members/member.ts'
import { expect, test } from './reader.ts'

type FormCase = {
  path: string
  action: string
  /** What is typed before, by label. */
  wrong?: Record<string, string>
  /** The labels of the fields with an error, in their order. */
  marked: readonly string[]
  line: string
  /** A text that is right in the first marked field. */
  right: string
}

const visitorForms: readonly FormCase[] = [
  {
    path: '/account/signup',
    action: 'Submit',
    marked: ['Name', 'Email', 'Phone number', 'Password'],
    line: 'Please input all values.',
    right: 'Ada',
  },
  {
    path: '/account/signup',
    action: 'Submit',
    wrong: { Name: 'Ada', Email: 'ada@example', 'Phone number': '213', Password: 'short' },
    marked: ['Email', 'Phone number', 'Password'],
    line: 'Check the marked fields.',
    right: 'ada@example.com',
  },
  {
    path: '/account/login',
    action: 'Submit',
    marked: ['Email', 'Password'],
    line: 'Please input all values.',
    right: 'ada@example.com',
  },
  {
    path: '/resetpassword',
    action: 'Reset password',
    marked: ['Email'],
    line: 'Please input your email.',
    right: 'ada@example.com',
  },
  {
    path: '/auth',
    action: 'Submit',
    wrong: { 'Enter a phone number or email': 'ada@example' },
    marked: ['Enter a phone number or email'],
    line: 'Enter a phone number or email',
    right: 'ada@example.com',
  },
]

const memberForms: readonly FormCase[] = [
  {
    path: '/account/change-plan',
    action: 'Continue to payment',
    wrong: { Name: '', Email: 'ada@example', 'Phone number': '' },
    marked: ['Name', 'Email', 'Phone number'],
    line: 'Please check items to update',
    right: 'Ada',
  },
  {
    path: '/account/dashboard',
    action: 'Submit',
    wrong: { Email: 'ada@example', 'Phone number': '213' },
    marked: ['Email', 'Phone number'],
    line: 'Check the marked fields.',
    right: 'ada@example.com',
  },
]

async function checkForm(page: Page, form: FormCase): Promise<void> {
  const { path, action, wrong = {}, marked, line, right } = form
  const field = (label: string) => page.getByLabel(label, { exact: true })
  // The screen before it may have fields of the same names.
  await page.goto('about:blank')
  await page.goto(`/#${path}`)
  await expect(field(marked[0] ?? '')).toBeVisible()
  for (const [label, text] of Object.entries(wrong)) await field(label).fill(text)
  await expect(page.locator('.field-error')).toHaveCount(0)
  await page.getByRole('button', { name: action, exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: line })).toBeVisible()
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(marked.length)
  for (const label of marked) {
    await expect(field(label)).toHaveAttribute('aria-invalid', 'true')
    await expect(field(label)).toHaveAccessibleDescription(/\w/)
  }
  const first = field(marked[0] ?? '')
  await expect(first).toBeFocused()
  expect([...(await violationsInLight(page)), ...(await violationsInDark(page))]).toEqual([])
  await first.fill(right)
  await expect(first).toHaveAttribute('aria-invalid', 'false')
  await expect(page.locator('.field-error')).toHaveCount(marked.length - 1)
}

test.describe('forms show every error at its field, and clear it when the field is right', () => {
  for (const form of visitorForms) {
    test(`of ${form.path}, ${form.line}`, async ({ reader }) => {
      await checkForm(reader, form)
    })
  }

  test('of a member', async ({ reader }) => {
    await openSession(reader, await createSubscriber(reader))
    for (const form of memberForms) await checkForm(reader, form)
  })
})

test('the focus is an outline in ink', async ({ reader }) => {
  await reader.goto('/#/account/login')
  for (const focused of [reader.getByLabel('Email'), reader.getByRole('link', { name: 'Go back' })]) {
    await focused.focus()
    await reader.keyboard.press('Shift')
    const colors = await focused.evaluate((element) => {
      const { outlineColor, outlineStyle } = getComputedStyle(element)
      return [outlineStyle, outlineColor, getComputedStyle(document.body).color]
    })
    expect(colors[0]).toBe('solid')
    expect(colors[1]).toBe(colors[2])
  }
})
